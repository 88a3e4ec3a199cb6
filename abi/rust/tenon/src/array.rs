//! Arrays: typed ones that own their memory, views with lifetimes, and results whose dtype is known at run time.
use crate::device::{drop_box, raw_stream, Device, Stream};
use crate::error::{check, text, Error, Result, Status};
use crate::handle::Handle;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::null_mut;
use tenon_sys::*;

/// An element type of arrays and kernels.
///
/// # Safety
/// `DTYPE` must have the layout of the type, and every bit pattern that the library writes for it must be a valid
/// value.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    const DTYPE: u32;
}

macro_rules! elements {
    ($($kind:ty = $dtype:ident,)*) => { $(unsafe impl Element for $kind { const DTYPE: u32 = $dtype; })* };
}
elements! {
    i8 = TENON_INT8, i16 = TENON_INT16, i32 = TENON_INT32, i64 = TENON_INT64,
    u8 = TENON_UINT8, u16 = TENON_UINT16, u32 = TENON_UINT32, u64 = TENON_UINT64,
    f32 = TENON_FLOAT32, f64 = TENON_FLOAT64, Half = TENON_FLOAT16, Bfloat16 = TENON_BFLOAT16,
    Complex<f32> = TENON_COMPLEX64, Complex<f64> = TENON_COMPLEX128,
}

/// The bits of a binary16 number. With the feature half, `half::f16` is an element too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Half(pub u16);

/// The bits of a bfloat16 number. With the feature half, `half::bf16` is an element too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Bfloat16(pub u16);

/// A complex number with the layout of C and of num-complex (with the feature num-complex, that type is an element too).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

mod sealed {
    /// Seals the trait: other crates cannot implement it with arbitrary pointers.
    pub trait Sealed {}
}

/// Anything with a C array: owned arrays, views and results.
pub trait AsArray: sealed::Sealed {
    #[doc(hidden)]
    fn raw(&self) -> *mut tenon_array;

    fn shape(&self) -> Result<Vec<i64>> {
        let info = info(self.raw())?;
        Ok(unsafe { listed(info.shape, info.rank) })
    }

    /// The strides in elements.
    fn strides(&self) -> Result<Vec<i64>> {
        let info = info(self.raw())?;
        Ok(unsafe { listed(info.strides, info.rank) })
    }

    /// One of `tenon_sys::TENON_FLOAT32` etc.
    fn dtype(&self) -> Result<u32> {
        info(self.raw()).map(|info| info.dtype)
    }

    /// The address of the element at index 0, in the device's memory.
    fn address(&self) -> Result<*const c_void> {
        info(self.raw()).map(|info| info.data as *const c_void)
    }
}

pub(crate) fn info(array: *mut tenon_array) -> Result<tenon_array_info> {
    let mut info = tenon_array_info::new();
    check(unsafe { tenon_array_get_info(array, &mut info) })?;
    Ok(info)
}

unsafe fn listed(start: *const i64, rank: i32) -> Vec<i64> {
    if rank == 0 { Vec::new() } else { std::slice::from_raw_parts(start, rank as usize).to_vec() }
}

pub(crate) fn rank_of(shape: &[i64]) -> Result<i32> {
    i32::try_from(shape.len()).map_err(|_| Error::new(Status::Shape, "an array has at most 64 axes"))
}

/// An array that owns its memory; no other reference can write it.
pub struct Array<T: Element> {
    handle: Handle<tenon_array>,
    kind: PhantomData<T>,
}

/// A borrowed array that can only be read.
#[derive(Clone)]
pub struct ArrayView<'a, T: Element> {
    handle: Handle<tenon_array>,
    kind: PhantomData<&'a [T]>,
}

/// A borrowed array that can be written.
pub struct ArrayViewMut<'a, T: Element> {
    handle: Handle<tenon_array>,
    kind: PhantomData<&'a mut [T]>,
}

/// An array whose dtype is known at run time: the result of functions.
pub struct DynArray {
    handle: Handle<tenon_array>,
}

macro_rules! arrays {
    ($($kind:ty $(, $bound:ident)?;)*) => {$(
        impl<$($bound: Element)?> sealed::Sealed for $kind {}
        impl<$($bound: Element)?> AsArray for $kind {
            fn raw(&self) -> *mut tenon_array { self.handle.raw() }
        }
        impl<$($bound: Element)?> std::fmt::Debug for $kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let dtype = self.dtype().map(|dtype| unsafe { text(tenon_dtype_name(dtype)) }).unwrap_or_default();
                write!(f, "{dtype}{:?}", self.shape().unwrap_or_default())
            }
        }
    )*};
}
arrays! {
    Array<T>, T;
    ArrayView<'_, T>, T;
    ArrayViewMut<'_, T>, T;
    DynArray;
}

impl<T: Element> Array<T> {
    pub(crate) fn adopt(handle: Handle<tenon_array>) -> Array<T> {
        Array { handle, kind: PhantomData }
    }

    /// A new array of zeros in C order.
    pub fn zeros(device: &Device, shape: &[i64]) -> Result<Array<T>> {
        let rank = rank_of(shape)?;
        Handle::made(|out| unsafe {
            tenon_array_zeros(device.0.raw(), T::DTYPE, rank, shape.as_ptr(), null_mut(), out)
        })
        .map(Array::adopt)
    }

    /// A new array with a copy of the elements, which are in C order.
    pub fn from_slice(device: &Device, shape: &[i64], values: &[T]) -> Result<Array<T>> {
        let (rank, bytes) = (rank_of(shape)?, std::mem::size_of_val(values) as u64);
        Handle::made(|out| unsafe {
            tenon_array_from_host(
                device.0.raw(), T::DTYPE, rank, shape.as_ptr(), values.as_ptr().cast(), bytes, null_mut(), out,
            )
        })
        .map(Array::adopt)
    }

    /// Turns a vector into an array with one axis. On the CPU no element is copied: the vector is dropped after its
    /// last use, on whichever thread detects that.
    pub fn from_vec(device: &Device, mut values: Vec<T>) -> Result<Array<T>> {
        let shape = [values.len() as i64];
        if !device.is_cpu()? {
            return Array::from_slice(device, &shape, &values);
        }
        let (data, bytes) = (values.as_mut_ptr().cast(), std::mem::size_of_val(&values[..]) as u64);
        let user: *mut c_void = Box::into_raw(Box::new(values)).cast();
        let buffer = Handle::made(|out| unsafe {
            tenon_buffer_wrap(
                device.0.raw(), data, bytes, TENON_MEMORY_DEVICE, 0, null_mut(), Some(drop_box::<Vec<T>>), user, out,
            )
        })
        .map_err(|error| {
            unsafe { drop_box::<Vec<T>>(user) }; // a failed call does not take ownership
            error
        })?;
        array_of(&buffer, T::DTYPE, &shape).map(Array::adopt)
    }

    pub fn view(&self) -> ArrayView<'_, T> {
        ArrayView { handle: self.handle.clone(), kind: PhantomData }
    }

    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T> {
        ArrayViewMut { handle: self.handle.clone(), kind: PhantomData }
    }

    /// All elements in C order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        to_vec(self.raw(), None)
    }

    /// The elements in C order without a copy, for a C-contiguous array on the CPU.
    pub fn as_slice(&self) -> Result<&[T]> {
        let (data, size) = reachable(self.raw())?;
        Ok(unsafe { slice(data.cast(), size) })
    }

    /// The same for writing. `Status::ReadOnly`: the memory belongs to an owner that allows no writes.
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        if info(self.raw())?.flags & TENON_ARRAY_READ_ONLY != 0 {
            return Err(Error::new(Status::ReadOnly, "the memory belongs to an owner that allows no writes"));
        }
        let (data, size) = reachable(self.raw())?;
        Ok(if size == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(data.cast(), size) } })
    }

    /// Writes the elements of `source`, converted and broadcast.
    pub fn copy_from(&mut self, source: &impl AsArray) -> Result<()> {
        check(unsafe { tenon_array_copy(self.raw(), source.raw(), null_mut()) })
    }

    /// A copy in new memory.
    pub fn try_clone(&self) -> Result<Array<T>> {
        Handle::made(|out| unsafe { tenon_array_convert(self.raw(), T::DTYPE, null_mut(), null_mut(), out) })
            .map(Array::adopt)
    }
}

pub(crate) fn array_of(buffer: &Handle<tenon_buffer>, dtype: u32, shape: &[i64]) -> Result<Handle<tenon_array>> {
    let rank = rank_of(shape)?;
    Handle::made(|out| unsafe {
        tenon_array_from_buffer(buffer.raw(), dtype, rank, shape.as_ptr(), std::ptr::null(), 0, out)
    })
}

/// The same with strides in elements, and the byte in the buffer at which the element at index 0 is.
#[cfg(feature = "ndarray")]
pub(crate) fn array_with_strides(
    buffer: &Handle<tenon_buffer>,
    dtype: u32,
    shape: &[i64],
    strides: &[i64],
    offset: u64,
) -> Result<Handle<tenon_array>> {
    let rank = rank_of(shape)?;
    Handle::made(|out| unsafe {
        tenon_array_from_buffer(buffer.raw(), dtype, rank, shape.as_ptr(), strides.as_ptr(), offset, out)
    })
}

#[cfg(feature = "ndarray")]
pub(crate) fn shape_and_strides(info: &tenon_array_info) -> (Vec<i64>, Vec<i64>) {
    unsafe { (listed(info.shape, info.rank), listed(info.strides, info.rank)) }
}

fn to_vec<T: Element>(array: *mut tenon_array, stream: Option<&Stream>) -> Result<Vec<T>> {
    let info = info(array)?;
    let size = usize::try_from(info.size).unwrap_or(0);
    let mut values = Vec::<T>::with_capacity(size);
    let bytes = (size * std::mem::size_of::<T>()) as u64;
    check(unsafe { tenon_array_to_host(array, values.as_mut_ptr().cast(), bytes, raw_stream(stream)) })?;
    unsafe { values.set_len(size) };
    Ok(values)
}

fn reachable(array: *mut tenon_array) -> Result<(*mut c_void, usize)> {
    let info = info(array)?;
    if info.device_kind != TENON_DEVICE_CPU {
        return Err(Error::new(Status::Device, "the elements are in a device's memory: use to_vec"));
    }
    if info.flags & TENON_ARRAY_C_CONTIGUOUS == 0 {
        return Err(Error::new(Status::Layout, "the array is not contiguous in C order: use to_vec"));
    }
    Ok((info.data, usize::try_from(info.size).unwrap_or(0)))
}

unsafe fn slice<'a, T>(data: *const T, size: usize) -> &'a [T] {
    if size == 0 { &[] } else { std::slice::from_raw_parts(data, size) }
}

impl<'a, T: Element> ArrayView<'a, T> {
    pub(crate) fn adopt(handle: Handle<tenon_array>) -> ArrayView<'a, T> {
        ArrayView { handle, kind: PhantomData }
    }

    /// All elements in C order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        to_vec(self.raw(), None)
    }

    /// The same elements with another shape. `Status::Layout`: the strides would need a copy.
    pub fn reshape(&self, shape: &[i64]) -> Result<ArrayView<'a, T>> {
        let rank = rank_of(shape)?;
        Handle::made(|out| unsafe { tenon_array_reshape(self.raw(), rank, shape.as_ptr(), out) }).map(ArrayView::adopt)
    }

    /// All axes in reverse order.
    pub fn transpose(&self) -> Result<ArrayView<'a, T>> {
        let rank = rank_of(&self.shape()?)?;
        Handle::made(|out| unsafe { tenon_array_transpose(self.raw(), rank, std::ptr::null(), out) })
            .map(ArrayView::adopt)
    }

    /// The part at one index of one axis.
    pub fn index(&self, axis: i32, index: i64) -> Result<ArrayView<'a, T>> {
        Handle::made(|out| unsafe { tenon_array_index(self.raw(), axis, index, out) }).map(ArrayView::adopt)
    }
}

impl<'a, T: Element> ArrayViewMut<'a, T> {
    pub(crate) fn adopt(handle: Handle<tenon_array>) -> ArrayViewMut<'a, T> {
        ArrayViewMut { handle, kind: PhantomData }
    }

    /// All elements in C order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        to_vec(self.raw(), None)
    }

    /// Writes the elements of `source`, converted and broadcast.
    pub fn copy_from(&mut self, source: &impl AsArray) -> Result<()> {
        check(unsafe { tenon_array_copy(self.raw(), source.raw(), null_mut()) })
    }
}

impl DynArray {
    pub(crate) fn adopt(handle: Handle<tenon_array>) -> DynArray {
        DynArray { handle }
    }

    /// The same array with element type `T`. `Status::Dtype`: the array has another.
    pub fn typed<T: Element>(self) -> Result<Array<T>> {
        let dtype = self.dtype()?;
        if dtype != T::DTYPE {
            let (has, wanted) = unsafe { (text(tenon_dtype_name(dtype)), text(tenon_dtype_name(T::DTYPE))) };
            return Err(Error::new(Status::Dtype, format!("the array is {has}, not {wanted}")));
        }
        Ok(Array::adopt(self.handle))
    }
}
