//! Fences: how work that has not finished is handed over.
use crate::{sys, Error, Result, Status};
use std::ffi::{c_int, c_short, c_ulong};
use std::marker::PhantomData;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::time::{Duration, Instant};

/// Work that may not have finished, borrowed for `'a`. It stays the giver's.
#[derive(Clone, Copy)]
pub struct Fence<'a> {
    raw: sys::bp_fence,
    file: PhantomData<BorrowedFd<'a>>,
}

impl<'a> Fence<'a> {
    /// The kind of work that has finished.
    pub const NONE: u32 = sys::BP_FENCE_NONE;
    /// The kind of a sync_file, readable when the work has finished.
    pub const SYNC_FILE: u32 = sys::BP_FENCE_SYNC_FILE;
    /// The kind of an eventfd, readable when the work has finished.
    pub const EVENT_FD: u32 = sys::BP_FENCE_EVENT_FD;
    /// The kind that only [`crate::Loaded::wait`] of its giver can wait for.
    pub const OPAQUE: u32 = sys::BP_FENCE_OPAQUE;
    /// The kind of a file of a timeline semaphore, which reaches a value.
    pub const TIMELINE: u32 = sys::BP_FENCE_TIMELINE;

    /// Work that [`crate::Loaded::wait`] knows by a token, which is not 0.
    pub fn opaque(token: u64) -> Self {
        Fence::make(Self::OPAQUE, -1, token, 0)
    }
    /// Work that ends when a sync_file is readable.
    pub fn sync_file(file: BorrowedFd<'a>) -> Self {
        Fence::make(Self::SYNC_FILE, file.as_raw_fd(), 0, 0)
    }
    /// Work that ends when an eventfd is readable.
    pub fn event_fd(file: BorrowedFd<'a>) -> Self {
        Fence::make(Self::EVENT_FD, file.as_raw_fd(), 0, 0)
    }
    /// Work that ends when a timeline reaches a value.
    pub fn timeline(file: BorrowedFd<'a>, value: u64) -> Self {
        Fence::make(Self::TIMELINE, file.as_raw_fd(), 0, value)
    }
    /// The fence with a token that is not 0: the host asks [`crate::Loaded::wait`] how the work
    /// ended.
    pub fn with_token(mut self, token: u64) -> Self {
        self.raw.token = token;
        self
    }
    /// The kind, such as [`Fence::EVENT_FD`].
    pub fn kind(&self) -> u32 {
        self.raw.kind
    }
    /// The file to wait for; `None`: the kind has none.
    pub fn file(&self) -> Option<BorrowedFd<'a>> {
        let is_file = matches!(self.raw.kind, Self::SYNC_FILE | Self::EVENT_FD | Self::TIMELINE);
        // It stays open as long as the fence.
        (is_file && self.raw.file >= 0).then(|| unsafe { BorrowedFd::borrow_raw(self.raw.file) })
    }
    /// The giver's number of the work; 0: none.
    pub fn token(&self) -> u64 {
        self.raw.token
    }
    /// The value that a timeline reaches.
    pub fn value(&self) -> u64 {
        self.raw.value
    }
    /// Waits for a sync_file or an eventfd, or for [`Fence::NONE`], which has passed.
    /// [`Status::Timeout`]; [`Status::Unsupported`] for other kinds. `None`: it takes as long as it
    /// takes.
    pub fn wait_for_file(&self, timeout: Option<Duration>) -> Result<()> {
        match (self.kind(), self.file()) {
            (Self::NONE, _) => Ok(()),
            (Self::SYNC_FILE | Self::EVENT_FD, Some(file)) => {
                wait_until_readable(file.as_raw_fd(), timeout)
            }
            (kind, _) => Err(Error::unsupported(format!("a fence of kind {kind} has no file"))),
        }
    }
    fn make(kind: u32, file: i32, token: u64, value: u64) -> Self {
        let raw = sys::bp_fence { kind, file, token, value, reserved: [0; 2] };
        Fence { raw, file: PhantomData }
    }
    /// # Safety
    /// The file of the fence, where it has one, stays open for `'a`.
    pub(crate) unsafe fn new(raw: sys::bp_fence) -> Self {
        Fence { raw, file: PhantomData }
    }
}

fn wait_until_readable(file: RawFd, timeout: Option<Duration>) -> Result<()> {
    #[repr(C)]
    struct Request {
        file: c_int,
        events: c_short,
        found: c_short,
    }
    extern "C" {
        fn poll(requests: *mut Request, count: c_ulong, timeout_ms: c_int) -> c_int;
    }
    const POLLIN: c_short = 1;
    let end = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    loop {
        // Rounded up, so that it does not look again and again in the last millisecond.
        let left = end.map(|end| end.saturating_duration_since(Instant::now()).as_micros());
        let left_ms = left.map_or(-1, |us| us.div_ceil(1000).min(c_int::MAX as u128) as c_int);
        let mut request = Request { file, events: POLLIN, found: 0 };
        match unsafe { poll(&mut request, 1, left_ms) } {
            1 if request.found & POLLIN != 0 => return Ok(()),
            1 => return Err(Error::new(Status::Failure, "the file of a fence is not usable")),
            0 if left == Some(0) => {
                return Err(Error::new(Status::Timeout, "a fence has not passed"));
            }
            0 => (),
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => (),
            _ => return Err(Error::new(Status::Failure, "a fence cannot be waited for")),
        }
    }
}

/// The place for the fence of work that goes on when the run has returned. Without a fence, the
/// work has finished then.
pub struct Completion<'a> {
    fence: &'a std::cell::Cell<sys::bp_fence>,
    kinds: u64,
}

impl<'a> Completion<'a> {
    /// # Safety
    /// The run stays for `'a`, as its fence does.
    pub(crate) unsafe fn find(run: &'a sys::bp_run_args) -> Option<Self> {
        let fence = unsafe { (run.completion as *const std::cell::Cell<_>).as_ref() };
        fence.map(|fence| Completion { fence, kinds: run.completion_kinds })
    }
    /// Whether all that reads the outputs waits for fences of this kind by itself; of other kinds,
    /// the host waits.
    pub fn suits_readers(&self, kind: u32) -> bool {
        kind < 64 && self.kinds >> kind & 1 != 0
    }
    /// States the fence. Until it has passed, the tensors of the run stay, and the state is not
    /// used again. Its file stays open until the workload runs again with that state, or the state
    /// is dropped. Fences that the run was to wait for have passed when this one does.
    ///
    /// Elements are borrowed for the call. Work that goes on has addresses of them, as a device
    /// does, or handles of the backend's own.
    pub fn set(self, fence: Fence<'_>) {
        self.fence.set(fence.raw);
    }
}
