//! Arrays in and out by DLPack, without a copy.
use crate::array::{Array, AsArray, DynArray, Element};
use crate::error::{check, Result};
use crate::handle::Handle;
use std::ffi::c_void;
use std::ptr::{null_mut, NonNull};
use tenon_sys::*;

/// The beginning of DLPack's versioned struct, which every version 1.x has.
#[repr(C)]
struct Head {
    version: [u32; 2],
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
}

/// A tensor of DLPack, versioned struct, that is owned: dropping it runs its deleter.
pub struct Tensor(NonNull<DLManagedTensorVersioned>);

// DLPack lets deleters run on any thread.
unsafe impl Send for Tensor {}

impl Tensor {
    /// Takes over a tensor, such as the pointer in a Python capsule named "dltensor_versioned". None: it is null.
    ///
    /// # Safety
    /// It is such a struct that nobody else will delete, and nobody writes its memory while others read it.
    pub unsafe fn from_raw(tensor: *mut DLManagedTensorVersioned) -> Option<Tensor> {
        NonNull::new(tensor).map(Tensor)
    }

    /// Gives it away: who takes it calls its deleter.
    pub fn into_raw(self) -> *mut DLManagedTensorVersioned {
        let tensor = self.0.as_ptr();
        std::mem::forget(self);
        tensor
    }
}

impl Drop for Tensor {
    fn drop(&mut self) {
        let tensor = self.0.as_ptr();
        unsafe {
            if let Some(deleter) = (*tensor.cast::<Head>()).deleter {
                deleter(tensor);
            }
        }
    }
}

impl<T: Element> Array<T> {
    /// The memory as a tensor. The array is given away, since whoever gets the tensor may write.
    pub fn into_dlpack(self) -> Result<Tensor> {
        exported(&self)
    }
}

impl DynArray {
    /// The memory as a tensor. The array is given away, since whoever gets the tensor may write.
    pub fn into_dlpack(self) -> Result<Tensor> {
        exported(&self)
    }

    /// The memory of a tensor as an array. Its owner's work on it must be done. One that is read-only is refused where
    /// it would be written.
    pub fn from_dlpack(tensor: Tensor) -> Result<DynArray> {
        let handle = Handle::made(|out| unsafe {
            tenon_array_from_dlpack_versioned(null_mut(), tensor.0.as_ptr(), null_mut(), out)
        })?; // a call that fails takes nothing over: the tensor is dropped here
        std::mem::forget(tensor);
        Ok(DynArray::adopt(handle))
    }
}

fn exported(array: &impl AsArray) -> Result<Tensor> {
    let mut tensor = null_mut();
    check(unsafe { tenon_array_to_dlpack_versioned(array.raw(), 0, null_mut(), &mut tensor) })?;
    Ok(Tensor(NonNull::new(tensor).expect("a call that succeeds makes a tensor")))
}
