//! Imports and exports arrays through DLPack, without a copy.
use crate::array::{Array, AsArray, DynArray, Element};
use crate::error::{check, Result};
use crate::handle::Handle;
use std::ffi::c_void;
use std::ptr::{null_mut, NonNull};
use tenon_sys::*;

/// The first fields of DLPack's versioned struct, which are the same in every version 1.x.
#[repr(C)]
struct Head {
    version: [u32; 2],
    manager: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
}

/// An owned DLPack tensor (the versioned struct): dropping it runs its deleter.
pub struct Tensor(NonNull<DLManagedTensorVersioned>);

// DLPack allows deleters to run on any thread.
unsafe impl Send for Tensor {}

impl Tensor {
    /// Takes ownership of a tensor, such as the pointer in a Python capsule named "dltensor_versioned". `None` if the
    /// pointer is null.
    ///
    /// # Safety
    /// The pointer must refer to such a struct, nothing else may delete it, and its memory must not be written while
    /// others read it.
    pub unsafe fn from_raw(tensor: *mut DLManagedTensorVersioned) -> Option<Tensor> {
        NonNull::new(tensor).map(Tensor)
    }

    /// Gives up ownership: the receiver must call the deleter.
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

    /// The memory of a tensor as an array. The owner's work on it must be complete. Writing to a read-only tensor is an
    /// error.
    pub fn from_dlpack(tensor: Tensor) -> Result<DynArray> {
        let handle = Handle::made(|out| unsafe {
            tenon_array_from_dlpack_versioned(null_mut(), tensor.0.as_ptr(), null_mut(), out)
        })?; // a failed call does not take ownership: the tensor is dropped here
        std::mem::forget(tensor);
        Ok(DynArray::adopt(handle))
    }
}

fn exported(array: &impl AsArray) -> Result<Tensor> {
    let mut tensor = null_mut();
    check(unsafe { tenon_array_to_dlpack_versioned(array.raw(), 0, null_mut(), &mut tensor) })?;
    Ok(Tensor(NonNull::new(tensor).expect("a call that succeeds makes a tensor")))
}
