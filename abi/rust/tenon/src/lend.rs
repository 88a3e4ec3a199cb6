//! Uses the program's slices as arrays within a scope.
use crate::array::{array_of, ArrayView, ArrayViewMut, Element};
use crate::device::Device;
use crate::error::Result;
use crate::handle::Handle;
use std::marker::PhantomData;
use std::ptr::null_mut;
use tenon_sys::*;

/// The scope in which slices are lent: see [`lend`].
pub struct Scope<'scope, 'env: 'scope> {
    device: &'scope Device,
    lent: PhantomData<&'scope mut &'scope ()>,
    from: PhantomData<&'env mut &'env ()>,
}

/// Runs `work`, which can use slices as arrays without a copy, and waits for the device before returning, so that
/// nothing uses the slices afterwards. Works on the CPU device, and on GPUs whose driver can access the memory.
///
/// ```
/// # fn main() -> tenon::Result<()> {
/// let device = tenon::Device::named("cpu")?;
/// let (x, mut y) = ([1.0f32, 2.0, 3.0], [0.0f32; 3]);
/// tenon::lend(&device, |scope| scope.array_mut(&[3], &mut y)?.copy_from(&scope.array(&[3], &x)?))?;
/// assert_eq!(y, x);
/// # Ok(()) }
/// ```
///
/// A lent slice cannot leave the scope:
///
/// ```compile_fail
/// let device = tenon::Device::named("cpu").unwrap();
/// let x = [1.0f32];
/// let kept = tenon::lend(&device, |scope| scope.array(&[1], &x));
/// ```
///
/// A slice lent for writing cannot be used otherwise in the scope:
///
/// ```compile_fail
/// let device = tenon::Device::named("cpu").unwrap();
/// let mut x = [1.0f32];
/// tenon::lend(&device, |scope| {
///     let lent = scope.array_mut(&[1], &mut x)?;
///     println!("{}", x[0]);
///     lent.to_vec()
/// }).unwrap();
/// ```
pub fn lend<'env, R, F>(device: &Device, work: F) -> Result<R>
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> Result<R>,
{
    /// Waits for the device, also after a panic in `work`.
    struct Wait<'a>(&'a Device);
    impl Drop for Wait<'_> {
        fn drop(&mut self) {
            let _ = self.0.synchronize();
        }
    }
    let scope = Scope { device, lent: PhantomData, from: PhantomData };
    let wait = Wait(device);
    let result = work(&scope)?;
    std::mem::forget(wait);
    device.synchronize()?;
    Ok(result)
}

impl<'scope, 'env> Scope<'scope, 'env> {
    #[cfg(feature = "ndarray")]
    pub(crate) fn device(&self) -> &Device {
        self.device
    }

    /// A slice as an array that can be read.
    pub fn array<T: Element>(&'scope self, shape: &[i64], values: &'env [T]) -> Result<ArrayView<'scope, T>> {
        self.wrap(shape, values.as_ptr() as *mut T, values.len(), 1).map(ArrayView::adopt)
    }

    /// A slice as an array that can be written.
    pub fn array_mut<T: Element>(
        &'scope self,
        shape: &[i64],
        values: &'env mut [T],
    ) -> Result<ArrayViewMut<'scope, T>> {
        self.wrap(shape, values.as_mut_ptr(), values.len(), 0).map(ArrayViewMut::adopt)
    }

    fn wrap<T: Element>(
        &self,
        shape: &[i64],
        data: *mut T,
        count: usize,
        only_read: i32,
    ) -> Result<Handle<tenon_array>> {
        let bytes = (count * std::mem::size_of::<T>()) as u64;
        let buffer = Handle::made(|out| unsafe {
            tenon_buffer_wrap(
                self.device.0.raw(), data.cast(), bytes, TENON_MEMORY_DEVICE, only_read, null_mut(), None, null_mut(),
                out,
            )
        })?;
        array_of(&buffer, T::DTYPE, shape)
    }
}
