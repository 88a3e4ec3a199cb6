//! Elementwise functions, reductions, sorts and random numbers. Functions are codes of `tenon_sys`, such as
//! `TENON_FN_ADD`; operands are arrays and numbers.
use crate::array::{Array, AsArray, DynArray, Element};
use crate::device::Device;
use crate::error::Result;
use crate::handle::Handle;
use crate::kernel::Arg;
use crate::math::two;
use std::ptr::{null, null_mut};
use tenon_sys::*;

/// The function of one operand, for each element.
///
/// ```
/// # use tenon::{binary, reduce, select, unary, Arg, Array, Device};
/// # use tenon_sys::*;
/// # fn main() -> tenon::Result<()> {
/// # let device = Device::named("cpu")?;
/// let x = Array::from_slice(&device, &[4], &[4.0f32, -1.0, 9.0, -16.0])?;
/// let positive = binary(TENON_FN_GREATER, &x, Arg::weak(0.0))?;
/// let roots = select(&positive, &unary(TENON_FN_SQRT, &x)?, Arg::weak(0.0))?;
/// assert_eq!(reduce(TENON_FN_SUM, &roots, &[])?.typed::<f32>()?.to_vec()?, [5.0]);
/// # Ok(()) }
/// ```
pub fn unary<'a>(function: i32, x: impl Into<Arg<'a>>) -> Result<DynArray> {
    let x = x.into();
    Handle::made(|out| unsafe { tenon_unary(function, x.raw(), null(), null_mut(), out) }).map(DynArray::adopt)
}

/// The function of two operands, which broadcast, for each element.
pub fn binary<'a, 'b>(function: i32, x: impl Into<Arg<'a>>, y: impl Into<Arg<'b>>) -> Result<DynArray> {
    let (x, y) = (x.into(), y.into());
    Handle::made(|out| unsafe { tenon_binary(function, x.raw(), y.raw(), null(), null_mut(), out) })
        .map(DynArray::adopt)
}

/// x where the condition is not zero, else y.
pub fn select<'a, 'b, 'c>(
    condition: impl Into<Arg<'a>>,
    x: impl Into<Arg<'b>>,
    y: impl Into<Arg<'c>>,
) -> Result<DynArray> {
    let (condition, x, y) = (condition.into(), x.into(), y.into());
    Handle::made(|out| unsafe { tenon_select(condition.raw(), x.raw(), y.raw(), null(), null_mut(), out) })
        .map(DynArray::adopt)
}

/// The reduction over some axes, over all of them if `axes` is empty.
pub fn reduce<'a>(function: i32, x: impl Into<Arg<'a>>, axes: &[i32]) -> Result<DynArray> {
    let x = x.into();
    let mut options = tenon_reduce_options::new();
    options.axes = axes.as_ptr();
    options.axis_count = i32::try_from(axes.len()).unwrap_or(i32::MAX);
    Handle::made(|out| unsafe { tenon_reduce(function, x.raw(), &options, null_mut(), out) }).map(DynArray::adopt)
}

/// The array sorted along an axis, and for each element its index before.
pub fn sort(x: &impl AsArray, axis: i32, descending: bool) -> Result<(DynArray, DynArray)> {
    let mut options = tenon_sort_options::new();
    options.descending = descending.into();
    two(|values, indices| unsafe { tenon_sort(x.raw(), axis, &options, null_mut(), values, indices) })
}

/// The k largest elements along an axis, the largest first, and their indices.
pub fn top_k(x: &impl AsArray, k: i64, axis: i32) -> Result<(DynArray, DynArray)> {
    two(|values, indices| unsafe { tenon_top_k(x.raw(), k, axis, null(), null_mut(), values, indices) })
}

/// The elements along an axis of those places at which the mask, of one axis, is not zero.
pub fn compress(x: &impl AsArray, mask: &impl AsArray, axis: i32) -> Result<DynArray> {
    Handle::made(|out| unsafe { tenon_compress(x.raw(), mask.raw(), axis, null(), null_mut(), out) })
        .map(DynArray::adopt)
}

/// Random numbers of a distribution, one of the codes `TENON_RANDOM_*`, with its usual parameters. The same key gives
/// the same numbers on every device.
pub fn random<T: Element>(device: &Device, shape: &[i64], distribution: i32, key: u64) -> Result<Array<T>> {
    let mut options = tenon_random_options::new();
    options.key = key;
    let rank = i32::try_from(shape.len()).unwrap_or(i32::MAX);
    Handle::made(|out| unsafe {
        tenon_random(device.0.raw(), T::DTYPE, rank, shape.as_ptr(), distribution, &options, null_mut(), out)
    })
    .map(Array::adopt)
}
