//! Events, and work as futures for any executor.
use crate::device::{raw_stream, Device, Stream};
use crate::error::{check, Result};
use crate::handle::{c_text, Handle};
use crate::kernel::Program;
use std::ffi::c_char;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use tenon_sys::*;

/// A point in a stream's work.
#[derive(Clone)]
pub struct Event(Handle<tenon_event>);

impl Event {
    /// Marks the end of the work enqueued so far on the stream (`None`: the device's default stream).
    pub fn record(device: &Device, stream: Option<&Stream>) -> Result<Event> {
        let event = Handle::made(|out| unsafe { tenon_event_create(device.0.raw(), TENON_EVENT_TIMING, out) })?;
        check(unsafe { tenon_event_record(event.raw(), raw_stream(stream)) })?;
        Ok(Event(event))
    }

    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { tenon_event_synchronize(self.0.raw()) })
    }

    /// Whether the work is complete. Does not wait.
    pub fn is_done(&self) -> Result<bool> {
        match unsafe { tenon_event_query(self.0.raw()) } {
            TENON_ERROR_NOT_READY => Ok(false),
            code => check(code).map(|()| true),
        }
    }

    /// The seconds since an earlier event; both must be complete.
    pub fn since(&self, earlier: &Event) -> Result<f64> {
        let mut seconds = 0.0;
        check(unsafe { tenon_event_elapsed(earlier.0.raw(), self.0.raw(), &mut seconds) })?;
        Ok(seconds)
    }
}

/// Signals once that something has ended, and wakes the waiting task.
#[derive(Default)]
struct Signal {
    over: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl Signal {
    fn raise(&self) {
        self.over.store(true, Ordering::SeqCst);
        if let Some(waker) = self.slot().take() {
            waker.wake();
        }
    }

    fn poll(&self, context: &Context<'_>) -> bool {
        *self.slot() = Some(context.waker().clone());
        self.over.load(Ordering::SeqCst)
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<Waker>> {
        self.waker.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The end of a stream's work, as returned by [`Stream::finished`].
pub struct Finished {
    stream: Stream,
    signal: Arc<Signal>,
}

impl Stream {
    /// A future for the end of the work enqueued so far; its result is the first fault, if there was one. It blocks no
    /// thread.
    pub fn finished(&self) -> Result<Finished> {
        let signal = Arc::new(Signal::default());
        let raised = signal.clone();
        self.call_host(move || raised.raise())?;
        Ok(Finished { stream: self.clone(), signal })
    }
}

impl Future for Finished {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        if !self.signal.poll(context) {
            return Poll::Pending;
        }
        match self.stream.is_done() {
            Err(error) => Poll::Ready(Err(error)),
            Ok(_) => Poll::Ready(Ok(())), // later work may still run
        }
    }
}

/// A program that is being compiled in a separate process. Dropping it stops the compiler.
pub struct Compilation {
    handle: Arc<Handle<tenon_compilation>>,
    waiting: Option<Arc<Signal>>,
}

impl Compilation {
    /// Starts compiling, with the arguments of [`Program::compile`].
    ///
    /// # Safety
    /// As for [`Program::compile`].
    pub unsafe fn start(device: &Device, source: &str, kernels: &[&str]) -> Result<Compilation> {
        let names = kernels.iter().map(|name| c_text(name)).collect::<Result<Vec<_>>>()?;
        let pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        let mut options = tenon_program_options::new();
        options.kernels = pointers.as_ptr();
        options.kernel_count = pointers.len() as i32;
        let handle = Handle::made(|out| {
            tenon_compilation_start(device.0.raw(), source.as_ptr().cast(), source.len() as u64, &options, out)
        })?;
        Ok(Compilation { handle: Arc::new(handle), waiting: None })
    }

    /// Waits for the compiler.
    pub fn wait(&self) -> Result<Program> {
        Handle::made(|out| unsafe { tenon_compilation_wait(self.handle.raw(), -1.0, out) }).map(Program::adopt)
    }

    /// Requests that the compiler stop.
    pub fn cancel(&self) -> Result<()> {
        check(unsafe { tenon_compilation_cancel(self.handle.raw()) })
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        let _ = self.cancel(); // a waiting thread then ends, too
    }
}

impl Future for Compilation {
    type Output = Result<Program>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<Program>> {
        if unsafe { tenon_compilation_query(self.handle.raw()) } != TENON_ERROR_NOT_READY {
            return Poll::Ready(self.wait());
        }
        let signal = match &self.waiting {
            Some(signal) => signal.clone(),
            None => {
                let signal = Arc::new(Signal::default());
                let (raised, handle) = (signal.clone(), self.handle.clone());
                let wait = move || {
                    let mut program = std::ptr::null_mut();
                    unsafe {
                        tenon_compilation_wait(handle.raw(), -1.0, &mut program);
                        tenon_program_release(program);
                    }
                    raised.raise();
                };
                match std::thread::Builder::new().spawn(wait) {
                    Ok(_) => self.waiting = Some(signal.clone()),
                    Err(_) => return Poll::Ready(self.wait()),
                }
                signal
            }
        };
        if signal.poll(context) { Poll::Ready(self.wait()) } else { Poll::Pending }
    }
}
