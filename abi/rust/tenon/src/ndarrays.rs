//! Arrays of the crate ndarray: lent, given away, and as views of arrays on the CPU. Strides are kept in every direction.
use crate::array::{array_with_strides, info, shape_and_strides, Array, ArrayView, ArrayViewMut, AsArray, Element};
use crate::device::{drop_box, Device};
use crate::error::{Error, Result, Status};
use crate::handle::Handle;
use crate::lend::Scope;
use ndarray::{Axis, Dimension, IxDyn, ShapeBuilder};
use std::ptr::null_mut;
use tenon_sys::*;

/// The elements that strides reach: `before` elements before the one at index 0, and `count` from the first to the last.
struct Reach {
    before: usize,
    count: usize,
}

fn reach(shape: &[usize], strides: &[isize]) -> Reach {
    if shape.contains(&0) {
        return Reach { before: 0, count: 0 };
    }
    let (mut before, mut after) = (0, 0);
    for (&extent, &stride) in shape.iter().zip(strides) {
        let whole = (extent - 1) * stride.unsigned_abs();
        *(if stride < 0 { &mut before } else { &mut after }) += whole;
    }
    Reach { before, count: before + after + 1 }
}

/// The memory of an array of ndarray as one of Tenon; `owner` is dropped after the last use.
fn wrap<T: Element>(
    device: &Device,
    data: *mut T,
    shape: &[usize],
    strides: &[isize],
    only_read: i32,
    owner: Option<Box<dyn Send>>,
) -> Result<Handle<tenon_array>> {
    let reach = reach(shape, strides);
    // ndarray guarantees that all elements are in one allocation.
    let start = unsafe { data.sub(reach.before) };
    let bytes = (reach.count * std::mem::size_of::<T>()) as u64;
    let (destroy, user) = match owner {
        Some(owner) => {
            let destroy: unsafe extern "C" fn(*mut std::ffi::c_void) = drop_box::<Box<dyn Send>>;
            (Some(destroy), Box::into_raw(Box::new(owner)).cast())
        }
        None => (None, null_mut()),
    };
    let buffer = Handle::made(|out| unsafe {
        tenon_buffer_wrap(
            device.0.raw(), start.cast(), bytes, TENON_MEMORY_DEVICE, only_read, null_mut(), destroy, user, out,
        )
    })
    .map_err(|error| {
        if destroy.is_some() {
            unsafe { drop_box::<Box<dyn Send>>(user) }; // a failed call does not take ownership
        }
        error
    })?;
    let shape: Vec<i64> = shape.iter().map(|&extent| extent as i64).collect();
    let strides: Vec<i64> = strides.iter().map(|&stride| stride as i64).collect();
    array_with_strides(&buffer, T::DTYPE, &shape, &strides, (reach.before * std::mem::size_of::<T>()) as u64)
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// A view of ndarray, with any strides, as an array that can be read.
    ///
    /// ```
    /// # fn main() -> tenon::Result<()> {
    /// let device = tenon::Device::named("cpu")?;
    /// let x = ndarray::arr2(&[[1.0f32, 2.0], [3.0, 4.0]]);
    /// let columns = tenon::lend(&device, |scope| scope.ndarray(x.t())?.to_vec())?;
    /// assert_eq!(columns, [1.0, 3.0, 2.0, 4.0]);
    /// # Ok(()) }
    /// ```
    ///
    /// What is lent for writing cannot be used otherwise in the scope:
    ///
    /// ```compile_fail
    /// let device = tenon::Device::named("cpu").unwrap();
    /// let mut x = ndarray::arr1(&[1.0f32]);
    /// tenon::lend(&device, |scope| {
    ///     let lent = scope.ndarray_mut(x.view_mut())?;
    ///     println!("{}", x[0]);
    ///     lent.to_vec()
    /// }).unwrap();
    /// ```
    pub fn ndarray<T: Element, D: Dimension>(
        &'scope self,
        view: ndarray::ArrayView<'env, T, D>,
    ) -> Result<ArrayView<'scope, T>> {
        wrap(self.device(), view.as_ptr() as *mut T, view.shape(), view.strides(), 1, None).map(ArrayView::adopt)
    }

    /// A view of ndarray, with any strides, as an array that can be written.
    pub fn ndarray_mut<T: Element, D: Dimension>(
        &'scope self,
        mut view: ndarray::ArrayViewMut<'env, T, D>,
    ) -> Result<ArrayViewMut<'scope, T>> {
        let data = view.as_mut_ptr();
        wrap(self.device(), data, view.shape(), view.strides(), 0, None).map(ArrayViewMut::adopt)
    }
}

impl<T: Element> Array<T> {
    /// Gives an array of ndarray away. On the CPU no element is copied and the strides are kept: the array is dropped
    /// after its last use, on whichever thread detects that. A GPU gets a copy in C order.
    pub fn from_ndarray<D: Dimension>(device: &Device, array: ndarray::Array<T, D>) -> Result<Array<T>> {
        if !device.is_cpu()? {
            return Array::from_ndarray_view(device, array.view());
        }
        let (shape, strides) = (array.shape().to_vec(), array.strides().to_vec());
        let mut owner = Box::new(array.into_dyn());
        let data = owner.as_mut_ptr();
        wrap(device, data, &shape, &strides, 0, Some(owner)).map(Array::adopt)
    }

    /// A new array with a copy of the elements, in C order.
    pub fn from_ndarray_view<D: Dimension>(device: &Device, view: ndarray::ArrayView<'_, T, D>) -> Result<Array<T>> {
        let shape: Vec<i64> = view.shape().iter().map(|&extent| extent as i64).collect();
        match view.as_slice() {
            Some(values) => Array::from_slice(device, &shape, values),
            None => Array::from_slice(device, &shape, &view.iter().copied().collect::<Vec<T>>()),
        }
    }

    /// The elements as a view of ndarray with the dimension `D`, without a copy and with any strides, for an array on
    /// the CPU. `Status::Device`: it is on a GPU (use `to_ndarray`); `Status::Shape`: it has another number of axes.
    ///
    /// ```
    /// # fn main() -> tenon::Result<()> {
    /// # let device = tenon::Device::named("cpu")?;
    /// let x = tenon::Array::from_slice(&device, &[2, 2], &[1.0, 2.0, 3.0, 4.0f64])?;
    /// let matrix: ndarray::ArrayView2<f64> = x.as_ndarray()?;
    /// assert_eq!(matrix.t().row(1).sum(), 6.0);
    /// # Ok(()) }
    /// ```
    ///
    /// The array stays borrowed:
    ///
    /// ```compile_fail
    /// # fn kept(mut x: tenon::Array<f64>) -> tenon::Result<()> {
    /// let matrix: ndarray::ArrayView2<f64> = x.as_ndarray()?;
    /// x.as_mut_slice()?[0] = 1.0;
    /// println!("{}", matrix.sum());
    /// # Ok(()) }
    /// ```
    pub fn as_ndarray<D: Dimension>(&self) -> Result<ndarray::ArrayView<'_, T, D>> {
        unsafe { viewed(self.raw()) }
    }

    /// The same for writing. `Status::Layout`: several indices are one element; `Status::ReadOnly`: the memory belongs
    /// to an owner that allows no writes.
    pub fn as_ndarray_mut<D: Dimension>(&mut self) -> Result<ndarray::ArrayViewMut<'_, T, D>> {
        unsafe { viewed_mut(self.raw()) }
    }

    /// A copy of the elements, from any device.
    pub fn to_ndarray<D: Dimension>(&self) -> Result<ndarray::Array<T, D>> {
        copied(&self.shape()?, self.to_vec()?)
    }
}

impl<T: Element> ArrayView<'_, T> {
    /// As [`Array::as_ndarray`].
    pub fn as_ndarray<D: Dimension>(&self) -> Result<ndarray::ArrayView<'_, T, D>> {
        unsafe { viewed(self.raw()) }
    }

    /// A copy of the elements, from any device.
    pub fn to_ndarray<D: Dimension>(&self) -> Result<ndarray::Array<T, D>> {
        copied(&self.shape()?, self.to_vec()?)
    }
}

impl<T: Element> ArrayViewMut<'_, T> {
    /// As [`Array::as_ndarray`].
    pub fn as_ndarray<D: Dimension>(&self) -> Result<ndarray::ArrayView<'_, T, D>> {
        unsafe { viewed(self.raw()) }
    }

    /// As [`Array::as_ndarray_mut`].
    pub fn as_ndarray_mut<D: Dimension>(&mut self) -> Result<ndarray::ArrayViewMut<'_, T, D>> {
        unsafe { viewed_mut(self.raw()) }
    }

    /// A copy of the elements, from any device.
    pub fn to_ndarray<D: Dimension>(&self) -> Result<ndarray::Array<T, D>> {
        copied(&self.shape()?, self.to_vec()?)
    }
}

fn other_rank(error: ndarray::ShapeError, shape: &[impl std::fmt::Debug], wanted: Option<usize>) -> Error {
    let wanted = wanted.map_or("another number of axes".into(), |count| format!("{count} axes"));
    Error::new(Status::Shape, format!("the array has the shape {shape:?}, and the view {wanted} ({error})"))
}

fn copied<T, D: Dimension>(shape: &[i64], values: Vec<T>) -> Result<ndarray::Array<T, D>> {
    let shape: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
    ndarray::Array::from_shape_vec(IxDyn(&shape), values)
        .and_then(|array| array.into_dimensionality())
        .map_err(|error| other_rank(error, &shape, D::NDIM))
}

/// Where the elements of an array on the CPU are, in ndarray's terms: its constructors take strides that are not
/// negative, so that the axes in `reversed` are turned round afterwards.
struct Place<T> {
    start: *mut T,
    shape: Vec<usize>,
    strides: Vec<usize>,
    reversed: Vec<usize>,
}

fn place<T: Element>(array: *mut tenon_array) -> Result<Place<T>> {
    let info = info(array)?;
    if info.device_kind != TENON_DEVICE_CPU {
        return Err(Error::new(Status::Device, "the elements are in a device's memory: use to_ndarray"));
    }
    let (shape, strides) = shape_and_strides(&info);
    let shape: Vec<usize> = shape.iter().map(|&extent| extent as usize).collect();
    // ndarray counts indices with isize, also where a stride of 0 repeats elements.
    let indices = shape.iter().filter(|&&extent| extent > 0).try_fold(1usize, |all, &extent| all.checked_mul(extent));
    if indices.map_or(true, |all| all > isize::MAX as usize) {
        return Err(Error::new(Status::Layout, format!("the shape {shape:?} has more indices than ndarray can count")));
    }
    let empty = shape.contains(&0);
    let mut start: *mut T = info.data.cast();
    if empty {
        start = std::ptr::NonNull::dangling().as_ptr(); // an array without elements may have no address
    }
    let mut place = Place { start, strides: Vec::new(), reversed: Vec::new(), shape };
    for (axis, &stride) in strides.iter().enumerate() {
        let extent = place.shape[axis];
        if empty || extent < 2 {
            place.strides.push(0);
            continue;
        }
        if stride < 0 {
            place.reversed.push(axis);
            place.start = unsafe { place.start.offset((extent as isize - 1) * stride as isize) };
        }
        place.strides.push(stride.unsigned_abs() as usize);
    }
    Ok(place)
}

/// # Safety
/// The memory must not be written while the view exists.
unsafe fn viewed<'a, T: Element, D: Dimension>(array: *mut tenon_array) -> Result<ndarray::ArrayView<'a, T, D>> {
    let place = place::<T>(array)?;
    let shape = IxDyn(&place.shape).strides(IxDyn(&place.strides));
    let mut view = ndarray::ArrayView::from_shape_ptr(shape, place.start);
    for &axis in &place.reversed {
        view.invert_axis(Axis(axis));
    }
    view.into_dimensionality().map_err(|error| other_rank(error, &place.shape, D::NDIM))
}

/// # Safety
/// The memory must not be used otherwise while the view exists.
unsafe fn viewed_mut<'a, T: Element, D: Dimension>(array: *mut tenon_array) -> Result<ndarray::ArrayViewMut<'a, T, D>> {
    let place = place::<T>(array)?;
    if info(array)?.flags & TENON_ARRAY_READ_ONLY != 0 {
        return Err(Error::new(Status::ReadOnly, "the memory belongs to an owner that allows no writes"));
    }
    if repeats(&place) {
        return Err(Error::new(Status::Layout, "several indices of the array are one element: use try_clone"));
    }
    let shape = IxDyn(&place.shape).strides(IxDyn(&place.strides));
    let mut view = ndarray::ArrayViewMut::from_shape_ptr(shape, place.start);
    for &axis in &place.reversed {
        view.invert_axis(Axis(axis));
    }
    view.into_dimensionality().map_err(|error| other_rank(error, &place.shape, D::NDIM))
}

/// Whether two indices may be the same element: in none of the layouts in which every axis steps over all that the axes
/// with smaller strides reach.
fn repeats<T>(place: &Place<T>) -> bool {
    if place.shape.contains(&0) {
        return false;
    }
    let mut axes: Vec<(usize, usize)> =
        place.strides.iter().copied().zip(place.shape.iter().copied()).filter(|&(_, extent)| extent > 1).collect();
    axes.sort_unstable();
    let mut reached = 0;
    for (stride, extent) in axes {
        if stride <= reached {
            return true;
        }
        reached += stride * (extent - 1);
    }
    false
}
