//! Profilers: events and counters that a backend measures.
use crate::error::{check, Error, Result};
use crate::{size, sys, Status};
use std::ffi::{c_void, CStr};
use std::sync::{Arc, RwLock};

/// A measurement of one runtime. It is dropped before the context.
pub trait Profiler: Send + 'static {
    /// Makes exactly these counters active, and the timeline on or off; at first all are off.
    /// [`Status::NotFound`] for a counter that [`crate::Backend::counters`] does not list: nothing
    /// changes. [one at a time]
    fn activate(&mut self, active: &Active<'_>) -> Result<()>;
}

/// The counters and events to measure, borrowed for the call.
pub struct Active<'a>(pub(crate) &'a sys::bp_activate_args);

impl<'a> Active<'a> {
    /// Whether events are wanted.
    pub fn has_timeline(&self) -> bool {
        self.0.timeline != 0
    }
    /// The numbers of the counters that are wanted.
    pub fn counters(&self) -> &'a [u32] {
        unsafe { crate::slice(self.0.counters, self.0.num_counters) }
    }
    /// The least time between samples, in microseconds.
    pub fn period_us(&self) -> u64 {
        self.0.period_us
    }
}

/// A counter of a backend.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The backend's own number.
    pub id: u32,
    /// The name that users write.
    pub name: &'static CStr,
    /// The unit of its values.
    pub unit: &'static CStr,
    /// One sentence for users.
    pub text: &'static CStr,
}

/// Something that lasted, in times of [`monotonic_ns`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Event<'a> {
    /// What it was.
    pub name: &'a str,
    /// What ran it, such as a queue.
    pub lane: &'a str,
    /// When it began.
    pub begin_ns: u64,
    /// When it ended.
    pub end_ns: u64,
    /// [`crate::Run::number`]; 0: of no run.
    pub run: u64,
    /// [`crate::Run::step`].
    pub step: u32,
}

/// The value of a counter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// [`Counter::id`].
    pub counter: u32,
    /// Its value.
    pub value: f64,
    /// When it had that value, in times of [`monotonic_ns`].
    pub time_ns: u64,
    /// [`crate::Run::number`]; 0: of no run.
    pub run: u64,
    /// [`crate::Run::step`].
    pub step: u32,
}

struct Place {
    host: *const sys::bp_host,
    sink: *mut sys::bp_sink,
}

// The sink of a profiler takes items of any thread.
unsafe impl Send for Place {}
unsafe impl Sync for Place {}

/// Where a backend reports what it measured. Clones are one place, which ends with the profiler.
#[derive(Clone)]
pub struct Profiling(Arc<RwLock<Option<Place>>>);

impl Profiling {
    /// # Safety
    /// The sink is a profiler's, and stays until `end`.
    pub(crate) unsafe fn new(host: *const sys::bp_host, sink: *mut sys::bp_sink) -> Self {
        Profiling(Arc::new(RwLock::new(Some(Place { host, sink }))))
    }
    pub(crate) fn end(&self) {
        *self.0.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
    }
    /// Reports an event. [`Status::Unsupported`]: the timeline is off, or the profiler is dropped.
    /// [any thread]
    pub fn report_event(&self, event: &Event<'_>) -> Result<()> {
        let (name, lane) = (crate::to_c_text(event.name), crate::to_c_text(event.lane));
        let raw = sys::bp_event {
            size_bytes: size::<sys::bp_event>(),
            step: event.step,
            run: event.run,
            begin_ns: event.begin_ns,
            end_ns: event.end_ns,
            name: name.as_ptr(),
            lane: lane.as_ptr(),
        };
        self.add(sys::BP_ITEM_EVENT, &raw as *const _ as *const c_void)
    }
    /// Reports a value of a counter that is active. [`Status::Unsupported`]: the profiler is
    /// dropped. [any thread]
    pub fn report_sample(&self, sample: &Sample) -> Result<()> {
        let raw = sys::bp_sample {
            size_bytes: size::<sys::bp_sample>(),
            counter: sample.counter,
            run: sample.run,
            time_ns: sample.time_ns,
            value: sample.value,
            step: sample.step,
            reserved: 0,
        };
        self.add(sys::BP_ITEM_SAMPLE, &raw as *const _ as *const c_void)
    }
    fn add(&self, item: u32, content: *const c_void) -> Result<()> {
        let place = self.0.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        let Some(place) = place.as_ref() else {
            return Err(Error::new(Status::Unsupported, "the profiler is dropped"));
        };
        check(unsafe { ((*place.host).add)(place.sink, item, content, std::ptr::null_mut()) })
    }
}

/// A profiler as the host has it.
pub(crate) struct OwnProfiler {
    pub profiler: Option<Box<dyn Profiler>>,
    pub profiling: Profiling,
}

impl Drop for OwnProfiler {
    /// The host's place ends here. What still reports there, reports nothing from now on.
    fn drop(&mut self) {
        self.profiling.end();
    }
}

/// Nanoseconds of CLOCK_MONOTONIC, the clock of events and deadlines.
pub fn monotonic_ns() -> u64 {
    #[repr(C)]
    struct Time {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const CLOCK_MONOTONIC: i32 = 1;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(CLOCK_MONOTONIC, &mut time) };
    time.seconds as u64 * 1_000_000_000 + time.nanoseconds as u64
}
