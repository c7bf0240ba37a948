//! Failures, and how they cross the boundary.
use crate::sys;
use std::borrow::Cow;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// How a call ended, when it did not succeed; what each leaves usable is said in `backend.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// It failed; all objects stay usable, and outputs of a run are undefined.
    Failure = sys::BP_STATUS_FAILURE,
    /// An argument is wrong; of a run, a value of an input.
    InvalidArgument = sys::BP_STATUS_INVALID_ARGUMENT,
    /// An answer, not a fault.
    Unsupported = sys::BP_STATUS_UNSUPPORTED,
    /// There is no memory; the call may be repeated.
    OutOfMemory = sys::BP_STATUS_OUT_OF_MEMORY,
    /// The machine lacks something; see [`Reason`].
    Unavailable = sys::BP_STATUS_UNAVAILABLE,
    /// It took too long.
    Timeout = sys::BP_STATUS_TIMEOUT,
    /// The call may be repeated later.
    Busy = sys::BP_STATUS_BUSY,
    /// It is there already.
    AlreadyExists = sys::BP_STATUS_ALREADY_EXISTS,
    /// It is not there.
    NotFound = sys::BP_STATUS_NOT_FOUND,
    /// The run was to end.
    Cancelled = sys::BP_STATUS_CANCELLED,
    /// The context and all made from it may only be dropped.
    DeviceLost = sys::BP_STATUS_DEVICE_LOST,
}

impl Status {
    /// A status of `backend.h`; `None`: success. One that is not known is a failure.
    pub(crate) fn of(status: i32) -> Option<Self> {
        const ALL: [Status; 11] = [
            Status::Failure,
            Status::InvalidArgument,
            Status::Unsupported,
            Status::OutOfMemory,
            Status::Unavailable,
            Status::Timeout,
            Status::Busy,
            Status::AlreadyExists,
            Status::NotFound,
            Status::Cancelled,
            Status::DeviceLost,
        ];
        let known = ALL.into_iter().find(|&known| known as i32 == status);
        (status != sys::BP_STATUS_SUCCESS).then(|| known.unwrap_or(Status::Failure))
    }
}

/// The thing that a machine lacks: a number of [`crate::layers::unavailability_reason`].
pub type Reason = u32;

/// A failure, with a text that reaches the user: what was found and what is supported.
#[derive(Clone, Debug)]
pub struct Error {
    status: i32,
    text: Option<Cow<'static, str>>, // None: the host knows it already
    reason: Reason,
    vendor_code: i64,
}

/// The result of functions that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A failure of a status.
    pub fn new(status: Status, text: impl Into<Cow<'static, str>>) -> Self {
        Error { status: status as i32, text: Some(text.into()), reason: 0, vendor_code: 0 }
    }
    /// The answer no, with what was found and what is supported.
    pub fn unsupported(text: impl Into<Cow<'static, str>>) -> Self {
        Error::new(Status::Unsupported, text)
    }
    /// A wrong argument, or a value that a layer cannot have.
    pub fn invalid(text: impl Into<Cow<'static, str>>) -> Self {
        Error::new(Status::InvalidArgument, text)
    }
    /// A machine that lacks something; the backend is then listed as unavailable, which is no
    /// fault.
    pub fn unavailable(reason: Reason, text: impl Into<Cow<'static, str>>) -> Self {
        Error { reason, ..Error::new(Status::Unavailable, text) }
    }
    /// How the call ended.
    pub fn status(&self) -> Status {
        Status::of(self.status).unwrap_or(Status::Failure)
    }
    /// The failure with a number of the vendor's own; 0: none.
    pub fn with_vendor_code(self, vendor_code: i64) -> Self {
        Error { vendor_code, ..self }
    }
    pub(crate) fn out_of_memory(text: &'static str) -> Self {
        Error::new(Status::OutOfMemory, text)
    }
}

/// The result of a function of the host's table. Its failures are in the `bp_error` already.
pub(crate) fn check(status: i32) -> Result<()> {
    match status {
        sys::BP_STATUS_SUCCESS => Ok(()),
        status => Err(Error { status, text: None, reason: 0, vendor_code: 0 }),
    }
}

#[cold]
unsafe fn tell(host: *const sys::bp_host, error: *mut sys::bp_error, failure: Error) -> i32 {
    let Some(text) = failure.text.filter(|_| !host.is_null()) else { return failure.status };
    let text = crate::to_c_text(&text);
    let told = sys::bp_failure {
        size_bytes: crate::size::<sys::bp_failure>(),
        status: failure.status,
        text: text.as_ptr(),
        reason: failure.reason,
        num_values: 0,
        vendor_code: failure.vendor_code,
        values: std::ptr::null(),
    };
    unsafe { ((*host).fail)(error, &told) }
}

/// The text of a panic. Other contents than text are leaked: dropping them may panic, too.
#[cold]
fn read_panic(panic: Box<dyn std::any::Any + Send>) -> String {
    let panic = match panic.downcast::<&str>() {
        Ok(text) => return text.to_string(),
        Err(panic) => panic,
    };
    panic.downcast::<String>().map_or_else(
        |other| {
            std::mem::forget(other);
            "it says nothing".into()
        },
        |text| *text,
    )
}

/// Calls, and makes a failure of a panic.
pub(crate) fn catch(call: impl FnOnce() -> Result<()>) -> Result<()> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        let text = format!("the backend panicked: {}", read_panic(panic));
        Err(Error::new(Status::Failure, text))
    })
}

/// Calls what a function of the table does, and gives its status; failures and panics are told to
/// the host.
///
/// # Safety
/// `host` is null or the host's table; `error` is what the host gave.
pub(crate) unsafe fn guard(
    host: *const sys::bp_host, error: *mut sys::bp_error, call: impl FnOnce() -> Result<()>,
) -> i32 {
    match catch(call) {
        Ok(()) => sys::BP_STATUS_SUCCESS,
        Err(failure) => unsafe { tell(host, error, failure) },
    }
}

/// Calls what frees something; nobody can be told of a panic.
pub(crate) fn guard_drop(call: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(call)) {
        read_panic(panic);
    }
}
