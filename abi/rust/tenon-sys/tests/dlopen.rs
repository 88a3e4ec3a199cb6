//! Opening the library, which TENON_LIBRARY names, at run time: a missing library or function is an error.
#![cfg(feature = "dlopen")]
use std::ffi::{CStr, CString};
use tenon_sys::*;

// A single test, because a process opens the library once.
#[test]
fn a_library_is_opened_by_name() {
    let path = std::env::var("TENON_LIBRARY").expect("TENON_LIBRARY names the library");
    std::env::set_var("TENON_LIBRARY", "/nowhere/libtenon.so.1");
    let mut context = std::ptr::null_mut();
    unsafe {
        assert_eq!(tenon_context_default(&mut context), TENON_ERROR_MISSING_LIBRARY);
        let message = CStr::from_ptr(tenon_error_last_message()).to_str().unwrap();
        assert!(message.contains("TENON_LIBRARY"), "{message}");
        assert_eq!(tenon_version(), 0);
        tenon_context_release(context);
        assert_eq!(load(b"libm.so.6\0".as_ptr().cast()), TENON_ERROR_MISSING_LIBRARY);

        let path = CString::new(path).unwrap();
        assert_eq!(load(path.as_ptr()), TENON_OK);
        assert!(tenon_version() >= TENON_ABI_LEVEL);
        assert_eq!(tenon_context_default(&mut context), TENON_OK);
        tenon_context_release(context);
    }
}
