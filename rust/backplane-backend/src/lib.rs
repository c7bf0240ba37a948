//! Backends of Backplane in Rust.
//!
//! A backend is a `cdylib` with a type that implements [`Backend`], and one line, [`backend!`],
//! that writes what the host finds in the file. The crate has no dependencies, keeps nothing in
//! statics, and a backend needs no `unsafe`.
//!
//! - **Owners.** What a function of a trait returns is the host's, which drops it: children before
//!   parents, in the order instance, context, model, builder, loaded network, workload. What it
//!   borrows lasts as long as the call, or as the lifetimes say.
//! - **Threads.** The bounds of the traits say it: what is `Sync` is called by several threads at
//!   once, `&mut self` by one at a time.
//! - **Errors.** Each function that can fail returns [`Result`]. A panic ends at the boundary and
//!   becomes an [`Error`] of [`Status::Failure`] with its text; one in `drop` is swallowed.
//! - **Null** is `Option`. What the host leaves out is `None`.
//!
//! All is since 1.0 of the Backend API. Structs of `backend.h` are given by functions `raw`, and
//! [`table::table`] makes a table of [`sys`], whose functions may be replaced before [`backend!`]
//! exports it; both take `unsafe`.
#![deny(missing_docs)]
#![deny(unsafe_op_in_unsafe_fn)]

mod compiled;
mod compiled_functions;
mod describe;
mod error;
mod export;
mod fence;
mod layer;
pub mod layers;
mod memory;
mod memory_functions;
mod offer;
mod parallel;
mod profile;
mod run;
mod scope;
#[allow(missing_docs, non_camel_case_types)]
pub mod sys;
pub mod table;
mod traits;
mod value;

pub use compiled::{Compiled, Fit, ResizeArgs};
pub use describe::{
    Case, KindInfo, Operator, OptionSchema, OutputInfo, OwnTensor, Place, Sizing, Slot,
};
pub use error::{Error, Reason, Result, Status};
pub use fence::{Completion, Fence};
pub use layer::{Constant, Custom, Descriptor, Element, Layer, Quantization, TensorInfo};
pub use memory::{Block, Handle, Kind, Memory, NoKind, OwnKind, Requirements, View};
pub use offer::{Answer, Offer, Part, Shared};
pub use parallel::{Piece, ReadCell};
pub use profile::{monotonic_ns, Active, Counter, Event, Profiler, Profiling, Sample};
pub use run::{Rows, Run, Tensor};
pub use scope::{LogLevel, Progress, Scope, Start, Stop};
pub use traits::{Backend, Builder, Loaded, MemoryReport, NetworkEvent, Support, Workload};
pub use value::{Named, Texts, Value};

/// The capability of a rank: the highest is asked first.
pub const RANK: &std::ffi::CStr = sys::BP_CAPABILITY_RANK;
/// The capability of layers whose output may lie where an input lies.
pub const IN_PLACE: &std::ffi::CStr = sys::BP_CAPABILITY_IN_PLACE;
/// The capability of runs that end when [`Run::is_stopped`] says so.
pub const STOP: &std::ffi::CStr = sys::BP_CAPABILITY_STOP;
/// The capability of runs that may go on when they have returned: bit `N` of an int stands for
/// fences of kind `N` that workloads wait for by themselves.
pub const FENCES: &std::ffi::CStr = sys::BP_CAPABILITY_FENCES;
/// The capability of outputs that [`Run::set_output`] gives.
pub const SIZED_IN_RUN: &std::ffi::CStr = sys::BP_CAPABILITY_SIZED_IN_RUN;

/// The kind of tensors in memory of the CPU that the host allocates, for [`Backend::kinds`].
pub const HOST_MEMORY: &std::ffi::CStr = c"Backplane/Host/Memory";

/// The objects of a sub-graph: an output of a layer, by the layer's id and the index of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C)]
pub struct OutputSlot {
    /// The layer.
    pub layer: u32,
    /// Which of its outputs.
    pub index: u32,
}

/// The elements that a C list points to. A list without elements may be null.
///
/// # Safety
/// `data` points to `count` elements that stay as they are for `'a`.
pub(crate) unsafe fn slice<'a, T>(data: *const T, count: u32) -> &'a [T] {
    if count == 0 {
        &[]
    } else {
        unsafe { std::slice::from_raw_parts(data, count as usize) }
    }
}

/// The bytes of a content. One without bytes may be null.
///
/// # Safety
/// `data` points to `count` bytes that stay as they are for `'a`.
pub(crate) unsafe fn bytes<'a>(data: *const std::ffi::c_void, count: u64) -> &'a [u8] {
    if count == 0 {
        &[]
    } else {
        unsafe { std::slice::from_raw_parts(data as *const u8, count as usize) }
    }
}

/// The text that a C text points to; what is not UTF-8 is empty, and so is null.
///
/// # Safety
/// `text` is null or ends at a zero byte, and stays as it is for `'a`.
pub(crate) unsafe fn text<'a>(text: *const std::ffi::c_char) -> &'a str {
    if text.is_null() {
        return "";
    }
    unsafe { std::ffi::CStr::from_ptr(text) }.to_str().unwrap_or("")
}

/// A text for the host.
pub(crate) fn to_c_text(text: &str) -> std::ffi::CString {
    std::ffi::CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// The size that a struct states of itself.
pub(crate) fn size<T>() -> u32 {
    std::mem::size_of::<T>() as u32
}

/// A struct of zeros.
///
/// # Safety
/// All bytes of `T` may be zero.
pub(crate) unsafe fn zeroed<T>() -> T {
    unsafe { std::mem::zeroed() }
}
