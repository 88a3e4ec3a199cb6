//! Owned references to reference-counted objects of the library.
use crate::error::{check, Error, Result, Status};
use std::ffi::CString;
use std::ptr::{null_mut, NonNull};
use tenon_sys::*;

pub(crate) trait Counted {
    unsafe fn retain(object: *mut Self) -> i32;
    unsafe fn release(object: *mut Self);
}

macro_rules! counted {
    ($($kind:ident: $retain:ident, $release:ident;)*) => {$(
        impl Counted for $kind {
            unsafe fn retain(object: *mut Self) -> i32 { $retain(object) }
            unsafe fn release(object: *mut Self) { $release(object) }
        }
    )*};
}
counted! {
    tenon_context: tenon_context_retain, tenon_context_release;
    tenon_device: tenon_device_retain, tenon_device_release;
    tenon_stream: tenon_stream_retain, tenon_stream_release;
    tenon_buffer: tenon_buffer_retain, tenon_buffer_release;
    tenon_array: tenon_array_retain, tenon_array_release;
    tenon_program: tenon_program_retain, tenon_program_release;
    tenon_kernel: tenon_kernel_retain, tenon_kernel_release;
    tenon_call: tenon_call_retain, tenon_call_release;
    tenon_operation: tenon_operation_retain, tenon_operation_release;
    tenon_graph: tenon_graph_retain, tenon_graph_release;
    tenon_event: tenon_event_retain, tenon_event_release;
    tenon_compilation: tenon_compilation_retain, tenon_compilation_release;
    tenon_texture: tenon_texture_retain, tenon_texture_release;
}

/// One reference, released when it is dropped.
pub(crate) struct Handle<T: Counted>(NonNull<T>);

impl<T: Counted> Handle<T> {
    /// The handle that `make` writes through its pointer.
    pub(crate) fn made(make: impl FnOnce(*mut *mut T) -> i32) -> Result<Handle<T>> {
        let mut object = null_mut();
        check(make(&mut object))?;
        NonNull::new(object).map(Handle).ok_or_else(|| Error::new(Status::Internal, "a call made nothing"))
    }

    pub(crate) fn raw(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Counted> Clone for Handle<T> {
    fn clone(&self) -> Self {
        // This only fails in a child of fork(), where the object is invalid and releasing it has no effect.
        unsafe { T::retain(self.raw()) };
        Handle(self.0)
    }
}

impl<T: Counted> Drop for Handle<T> {
    fn drop(&mut self) {
        unsafe { T::release(self.raw()) }
    }
}

// Handles may be used and released on any thread, and by several threads at once (see abi.h); types for which that does
// not hold contain a marker.
unsafe impl<T: Counted> Send for Handle<T> {}
unsafe impl<T: Counted> Sync for Handle<T> {}

pub(crate) fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::new(Status::InvalidArgument, format!("{text:?} has a NUL byte in it")))
}
