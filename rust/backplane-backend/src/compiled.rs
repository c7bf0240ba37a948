//! Compiled sub-graphs: what they can do beside running.
use crate::{sys, Backend, Constant, Progress, Result, Scope, Stop};

/// A compiled sub-graph; it never changes.
pub trait Compiled<B: Backend>: Sized + Send + Sync + 'static {
    /// Compiles for other extents, with equal results. `None`: the sub-graph is offered anew. [any
    /// thread]
    fn resize(&self, _scope: &Scope<'_, B>, _args: &ResizeArgs<'_>) -> Result<Option<Self>> {
        Ok(None)
    }
    /// Pairs of an input and an output that may lie exactly where that input lies, when nobody reads
    /// the input after the workload. Both have one shape and data type, and lie dense in memory of
    /// the CPU. Each input and each output is in one pair at most. [any thread]
    fn in_place(&self) -> Vec<(u32, u32)> {
        Vec::new()
    }
    /// Writes it as bytes, for [`Backend::load`]. [any thread]
    fn save(&self, _scope: &Scope<'_, B>, _progress: Progress<'_>) -> Result<Vec<u8>> {
        Err(crate::Error::unsupported("nothing that is compiled can be saved"))
    }
}

impl<B: Backend> Compiled<B> for () {}

/// The extents that a compiled sub-graph is to have, borrowed for the call. Each extent that was the
/// first of a pair is the second: those of tensors, and those in descriptors that `backend.h` lists.
/// All else is as it was offered, but for the constants here.
pub struct ResizeArgs<'a>(&'a sys::bp_resize_args);

impl<'a> ResizeArgs<'a> {
    /// # Safety
    /// The struct stays for `'a`.
    pub(crate) unsafe fn new(raw: *const sys::bp_resize_args) -> Self {
        ResizeArgs(unsafe { &*raw })
    }
    /// Pairs of what each extent was and is. Extents of 0 or 1 stay, and no other becomes 0 or 1.
    pub fn changes(&self) -> impl ExactSizeIterator<Item = (i64, i64)> + 'a {
        let changes = unsafe { crate::slice(self.0.changes, self.0.num_changes) };
        changes.iter().map(|change| (change.before, change.after))
    }
    /// The inputs that read another constant now: the number of the layer in the offer, the input,
    /// and the constant, whose data stays for the call.
    pub fn constants(&self) -> impl ExactSizeIterator<Item = (u32, u32, Constant<'a, 'a>)> {
        let count = self.0.num_constants;
        let readers = unsafe { crate::slice(self.0.readers, count) };
        let constants = unsafe { crate::slice(self.0.constants, count) };
        readers.iter().zip(constants).map(|(reader, &constant)| {
            (reader.layer, reader.index, unsafe { Constant::new(constant) })
        })
    }
    /// Whether the run that waits for this is to end, and when. For backends that state
    /// [`crate::STOP`].
    pub fn stop(&self) -> Stop<'a> {
        unsafe { Stop::new(self.0.stop, self.0.deadline_ns) }
    }
    /// Whether that run is to end: return an error of [`crate::Status::Cancelled`].
    pub fn is_stopped(&self) -> bool {
        self.stop().is_set()
    }
}

/// Whether what was compiled elsewhere runs here, on all devices of a scope together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Fit {
    /// Nothing was asked.
    Unasked = 0,
    /// It runs as it is.
    Fits = sys::BP_FITS,
    /// More slowly than if it were compiled here.
    Slower = sys::BP_FITS_SLOWER,
    /// When it is compiled anew from what was saved.
    AfterRecompiling = sys::BP_FITS_AFTER_RECOMPILING,
    /// Not at all.
    Never = sys::BP_FITS_NEVER,
}
