//! Contexts, devices and streams.
use crate::error::{check, text, Result};
use crate::handle::{c_text, Handle};
use std::ffi::{c_char, c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;
use tenon_sys::*;

/// The severity of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Level {
    Error,
    Warning,
    Info,
    Debug,
}

/// Devices, caches and settings. Most programs use the process-default context, through [`Device::named`].
#[derive(Clone)]
pub struct Context(Handle<tenon_context>);

type Log = dyn Fn(Level, &str) + Send + Sync;

impl Context {
    /// A new context, whose log lines up to `level` go to `log`. Panics in `log` are caught.
    pub fn with_log(level: Level, log: impl Fn(Level, &str) + Send + Sync + 'static) -> Result<Context> {
        let log: Box<Box<Log>> = Box::new(Box::new(log));
        let mut options = tenon_context_options::new();
        options.log_level = level as i32 + 1;
        options.log = Some(log_line);
        options.log_user = Box::into_raw(log).cast();
        options.log_destroy = Some(drop_box::<Box<Log>>);
        let made = Handle::made(|out| unsafe { tenon_context_create(&options, out) });
        if made.is_err() {
            unsafe { drop_box::<Box<Log>>(options.log_user) }; // a failed call does not take ownership
        }
        made.map(Context)
    }

    /// A device of this context: "cpu:0", "cuda:0", or "best".
    pub fn device(&self, name: &str) -> Result<Device> {
        Device::of(self.0.raw(), name)
    }
}

unsafe extern "C" fn log_line(user: *mut c_void, level: i32, message: *const c_char) {
    let level = match level {
        TENON_LOG_ERROR => Level::Error,
        TENON_LOG_WARNING => Level::Warning,
        TENON_LOG_INFO => Level::Info,
        _ => Level::Debug,
    };
    let log = &*user.cast::<Box<Log>>();
    let line = CStr::from_ptr(message).to_string_lossy();
    let _ = catch_unwind(AssertUnwindSafe(|| log(level, &line)));
}

/// Drops a Box<T> that was handed over as a pointer.
pub(crate) unsafe extern "C" fn drop_box<T>(user: *mut c_void) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(Box::from_raw(user.cast::<T>()))));
}

/// The CPU, or a GPU.
#[derive(Clone)]
pub struct Device(pub(crate) Handle<tenon_device>);

impl Device {
    /// A device of the process-default context: "cpu:0", "cuda:0", or "best".
    pub fn named(name: &str) -> Result<Device> {
        Device::of(null_mut(), name)
    }

    fn of(context: *mut tenon_context, name: &str) -> Result<Device> {
        let name = c_text(name)?;
        Handle::made(|out| unsafe { tenon_context_device(context, name.as_ptr(), out) }).map(Device)
    }

    /// The name, such as "cpu:0".
    pub fn name(&self) -> Result<String> {
        self.ask(tenon_device_name)
    }

    /// The product name: "NVIDIA H200", "AMD EPYC ...".
    pub fn description(&self) -> Result<String> {
        self.ask(tenon_device_description)
    }

    fn ask(&self, question: unsafe extern "C" fn(*const tenon_device, *mut *const c_char) -> i32) -> Result<String> {
        let mut answer = std::ptr::null();
        check(unsafe { question(self.0.raw(), &mut answer) })?;
        Ok(unsafe { text(answer) })
    }

    /// Waits for all work on the device; returns its first fault.
    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { tenon_device_synchronize(self.0.raw()) })
    }

    pub(crate) fn is_cpu(&self) -> Result<bool> {
        let mut info = tenon_device_info::new();
        check(unsafe { tenon_device_get_info(self.0.raw(), &mut info) })?;
        Ok(info.kind == TENON_DEVICE_CPU)
    }
}

/// An ordered queue of work on one device.
#[derive(Clone)]
pub struct Stream(pub(crate) Handle<tenon_stream>);

impl Stream {
    pub fn new(device: &Device) -> Result<Stream> {
        Handle::made(|out| unsafe { tenon_stream_create(device.0.raw(), std::ptr::null(), out) }).map(Stream)
    }

    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { tenon_stream_synchronize(self.0.raw()) })
    }

    /// Whether all work is complete. Does not wait.
    pub fn is_done(&self) -> Result<bool> {
        match unsafe { tenon_stream_query(self.0.raw()) } {
            TENON_ERROR_NOT_READY => Ok(false),
            code => check(code).map(|()| true),
        }
    }

    /// Runs `work` when the work enqueued on the stream so far is complete. On a GPU it runs on a thread of the driver
    /// and must not call Tenon or CUDA. Panics in it are caught.
    pub fn call_host(&self, work: impl FnMut() + Send + 'static) -> Result<()> {
        type Work = Box<dyn FnMut() + Send>;
        unsafe extern "C" fn run(user: *mut c_void) {
            let work = &mut *user.cast::<Work>();
            let _ = catch_unwind(AssertUnwindSafe(work));
        }
        let work: Box<Work> = Box::new(Box::new(work));
        let user: *mut c_void = Box::into_raw(work).cast();
        let code = unsafe { tenon_stream_call_host(self.0.raw(), Some(run), Some(drop_box::<Work>), user) };
        check(code).map_err(|error| {
            unsafe { drop_box::<Work>(user) };
            error
        })
    }
}

/// The stream as C expects it; `None` is the default stream.
pub(crate) fn raw_stream(stream: Option<&Stream>) -> *mut tenon_stream {
    stream.map_or(null_mut(), |stream| stream.0.raw())
}
