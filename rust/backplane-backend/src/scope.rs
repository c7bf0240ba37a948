//! For what a call is made.
use crate::{sys, Backend, Named, Value};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// How important a line of the log is: a number of [`crate::layers::log_level`].
pub type LogLevel = u32;

/// Logs a line where that level goes anywhere.
fn log(host: &sys::bp_host, log: *const sys::bp_log, level: LogLevel, line: &str) {
    // Both stay as long as the call in which they were given.
    if unsafe { (host.log_level)(log) } <= level {
        let line = crate::to_c_text(line);
        unsafe { (host.log)(log, level, line.as_ptr()) };
    }
}

/// The stop word of a run, borrowed for `'a`. Also that of the run that waits while something is
/// compiled.
#[derive(Clone, Copy)]
pub struct Stop<'a> {
    word: Option<&'a AtomicU32>,
    deadline_ns: u64,
}

impl<'a> Stop<'a> {
    /// # Safety
    /// The word is null, or stays for `'a`.
    pub(crate) unsafe fn new(word: *const u32, deadline_ns: u64) -> Self {
        Stop { word: unsafe { (word as *const AtomicU32).as_ref() }, deadline_ns }
    }
    /// Whether it is to end, as it is cancelled or its time is up: return an error of
    /// [`crate::Status::Cancelled`]. [any thread]
    pub fn is_set(&self) -> bool {
        self.word.is_some_and(|word| word.load(Ordering::Relaxed) != 0)
            || self.deadline_ns != 0 && crate::monotonic_ns() >= self.deadline_ns
    }
    /// When it is to end, in times of [`crate::monotonic_ns`]; 0: never.
    pub fn deadline_ns(&self) -> u64 {
        self.deadline_ns
    }
}

/// The progress of compiling, borrowed for the call. It stays on the thread of the call.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    host: &'a sys::bp_host,
    offer: *mut sys::bp_offer,
}

impl<'a> Progress<'a> {
    /// # Safety
    /// Both stay for `'a`; the offer may be null.
    pub(crate) unsafe fn new(host: *const sys::bp_host, offer: *mut sys::bp_offer) -> Self {
        Progress { host: unsafe { &*host }, offer }
    }
    /// Says how far it is.
    pub fn report(&self, done: u64, total: u64, text: &str) {
        let text = crate::to_c_text(text);
        let args = sys::bp_progress_args {
            size_bytes: crate::size::<sys::bp_progress_args>(),
            reserved: 0,
            done,
            total,
            text: text.as_ptr(),
        };
        if !self.offer.is_null() {
            unsafe { (self.host.progress)(self.offer, &args) };
        }
    }
}

/// Arguments of a start, borrowed for the call.
pub struct Start<'a>(pub(crate) &'a sys::bp_start_args);

impl<'a> Start<'a> {
    /// Where the file and its data are, and what the host is: the names stand in `backend.h`.
    pub fn properties(&self) -> impl Iterator<Item = Named<'a>> {
        unsafe { Value::read_all(self.0.properties, self.0.num_properties) }
    }
    /// Logs a line; never write to standard output. [any thread]
    pub fn log(&self, level: LogLevel, line: &str) {
        log(unsafe { &*self.0.host }, self.0.log, level, line);
    }
}

/// For what a call is made: instance, context, model and options. What it gives lasts for `'a`.
pub struct Scope<'a, B: Backend> {
    raw: &'a sys::bp_scope,
    backend: PhantomData<&'a B>,
}

impl<'a, B: Backend> Scope<'a, B> {
    /// # Safety
    /// The scope is one of a backend whose table is that of `B`, and stays for `'a`.
    pub(crate) unsafe fn new(raw: *const sys::bp_scope) -> Self {
        Scope { raw: unsafe { &*raw }, backend: PhantomData }
    }
    /// The struct of `backend.h`.
    pub fn raw(&self) -> &'a sys::bp_scope {
        self.raw
    }
    /// The instance that [`Backend::start`] made.
    pub fn backend(&self) -> &'a B {
        unsafe { crate::table::borrow(self.raw.instance) }
    }
    /// The object that [`Backend::context`] made; `None`: nothing.
    pub fn context(&self) -> Option<&'a B::Context> {
        unsafe { crate::table::borrow_or_none(self.raw.context) }
    }
    /// The object that [`Backend::model`] made; `None`: nothing, or a call outside of networks.
    pub fn model(&self) -> Option<&'a B::Model> {
        unsafe { crate::table::borrow_or_none(self.raw.model) }
    }
    /// The options that were given, checked by the host: of the network, or of the runtime where
    /// the context is made.
    pub fn options(&self) -> impl Iterator<Item = Named<'a>> {
        unsafe { Value::read_all(self.raw.options, self.raw.num_options) }
    }
    /// The option of this name; `None`: it was not given, and its default is the backend's to
    /// apply.
    pub fn option(&self, name: &str) -> Option<Value<'a>> {
        self.options().find(|option| option.0 == name).map(|option| option.1)
    }
    /// Indices of the devices for which all answers hold together.
    pub fn devices(&self) -> &'a [u32] {
        unsafe { crate::slice(self.raw.devices, self.raw.num_devices) }
    }
    /// How many threads the backend may use; 0: as many as it likes.
    pub fn max_threads(&self) -> u32 {
        self.raw.max_threads
    }
    /// The target that is compiled for, "target:NAME", when no device may be opened.
    pub fn target(&self) -> Option<&'a str> {
        let target = self.raw.target;
        (!target.is_null()).then(|| unsafe { crate::text(target) })
    }
    /// Logs a line; never write to standard output. [any thread]
    pub fn log(&self, level: LogLevel, line: &str) {
        log(unsafe { &*self.raw.host }, self.raw.log, level, line);
    }
    /// Reports that a device no longer works. [any thread]
    pub fn device_lost(&self, device: u32, text: &str) {
        let text = crate::to_c_text(text);
        let args = sys::bp_lost_args {
            size_bytes: crate::size::<sys::bp_lost_args>(),
            device,
            context: self.raw.context,
            text: text.as_ptr(),
        };
        unsafe { ((*self.raw.host).device_lost)(self.raw.host, &args) };
    }
}
