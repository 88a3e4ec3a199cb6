//! Errors: a status, a message, and further details if there are any.
use std::ffi::{c_char, CStr};
use std::fmt;
use std::ptr::null_mut;
use tenon_sys::*;

pub type Result<T> = std::result::Result<T, Error>;

macro_rules! statuses {
    ($($name:ident = $constant:ident,)*) => {
        /// The kind of a failure. Later versions may add kinds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Status { $($name,)* /** One that this crate does not know. */ Unknown(i32) }

        impl Status {
            pub(crate) fn from_code(code: i32) -> Status {
                match code { $($constant => Status::$name,)* other => Status::Unknown(other) }
            }
        }
    };
}
statuses! {
    InvalidArgument = TENON_ERROR_INVALID_ARGUMENT,
    InvalidHandle = TENON_ERROR_INVALID_HANDLE,
    OutOfMemory = TENON_ERROR_OUT_OF_MEMORY,
    Unsupported = TENON_ERROR_UNSUPPORTED,
    NotFound = TENON_ERROR_NOT_FOUND,
    Overflow = TENON_ERROR_OVERFLOW,
    Dtype = TENON_ERROR_DTYPE,
    Shape = TENON_ERROR_SHAPE,
    Device = TENON_ERROR_DEVICE,
    Context = TENON_ERROR_CONTEXT,
    Layout = TENON_ERROR_LAYOUT,
    ReadOnly = TENON_ERROR_READ_ONLY,
    Overlap = TENON_ERROR_OVERLAP,
    Compile = TENON_ERROR_COMPILE,
    MissingLibrary = TENON_ERROR_MISSING_LIBRARY,
    KernelFault = TENON_ERROR_KERNEL_FAULT,
    DeviceLost = TENON_ERROR_DEVICE_LOST,
    NotConverged = TENON_ERROR_NOT_CONVERGED,
    Singular = TENON_ERROR_SINGULAR,
    NotFinite = TENON_ERROR_NOT_FINITE,
    NotReady = TENON_ERROR_NOT_READY,
    Version = TENON_ERROR_VERSION,
    Io = TENON_ERROR_IO,
    Cancelled = TENON_ERROR_CANCELLED,
    Forked = TENON_ERROR_FORKED,
    Vendor = TENON_ERROR_VENDOR,
    Internal = TENON_ERROR_INTERNAL,
}

/// A failed call of a vendor's library: the source of an [`Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NativeError {
    pub call: String,
    pub code: i64,
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} returned {}", self.call, self.code)
    }
}

impl std::error::Error for NativeError {}

/// An error. Its message states what was wrong and what would be right.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Error {
    pub status: Status,
    pub message: String,
    /// The compiler's log with the line numbers of the given source; empty if there is none.
    pub log: String,
    /// The index of the matrix in a batch that caused the error.
    pub batch_index: Option<u64>,
    native: Option<NativeError>,
}

impl Error {
    /// An error that this crate detects itself.
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Error {
        Error { status, message: message.into(), log: String::new(), batch_index: None, native: None }
    }

    /// The error of the calling thread's last call, which returned `code`.
    #[cold]
    fn last(code: i32) -> Error {
        let status = Status::from_code(code);
        let mut error = Error::new(status, "");
        let mut record: *mut tenon_error = null_mut();
        // NOT_READY is a result and not an error, so it is not recorded.
        if status == Status::NotReady || unsafe { tenon_error_last(&mut record) } != TENON_OK || record.is_null() {
            error.message = unsafe { text(tenon_status_name(code)) };
            return error;
        }
        let (mut call, mut native_code, mut batch) = (std::ptr::null(), 0, -1);
        unsafe {
            error.message = ask(record, tenon_error_message);
            error.log = ask(record, tenon_error_log);
            if tenon_error_native(record, &mut call, &mut native_code) == TENON_OK && *call != 0 {
                error.native = Some(NativeError { call: text(call), code: native_code });
            }
            tenon_error_batch_index(record, &mut batch);
            tenon_error_release(record);
        }
        error.batch_index = u64::try_from(batch).ok();
        error
    }
}

unsafe fn ask(
    record: *const tenon_error,
    question: unsafe extern "C" fn(*const tenon_error, *mut *const c_char) -> i32,
) -> String {
    let mut answer = std::ptr::null();
    if question(record, &mut answer) == TENON_OK { text(answer) } else { String::new() }
}

pub(crate) unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() { String::new() } else { CStr::from_ptr(pointer).to_string_lossy().into_owned() }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.log.is_empty() { Ok(()) } else { write!(f, "\n{}", self.log) }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.native.as_ref().map(|native| native as _)
    }
}

pub(crate) fn check(code: i32) -> Result<()> {
    if code == TENON_OK { Ok(()) } else { Err(Error::last(code)) }
}
