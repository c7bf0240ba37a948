//! Runs, and their tensors.
use crate::error::check;
use crate::{size, sys, Backend, Completion, Element, Error, Fence, Result, Scope, Stop};
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ptr;

/// One run of one workload, borrowed for the call. An output may lie where an input lies; elements
/// are therefore cells. It stays on the thread of the call.
pub struct Run<'a, B: Backend> {
    raw: &'a sys::bp_run_args,
    error: *mut sys::bp_error,
    sized: Cell<*mut SizedOutput>, // outputs that were stated, the last first; null: none
    marks: PhantomData<(*mut (), &'a B)>,
}

struct SizedOutput {
    view: sys::bp_view,
    tensor: sys::bp_tensor,
    next: *mut SizedOutput,
}

impl<B: Backend> Drop for Run<'_, B> {
    #[inline]
    fn drop(&mut self) {
        let mut sized = self.sized.get();
        while !sized.is_null() {
            sized = unsafe { Box::from_raw(sized) }.next;
        }
    }
}

impl<'a, B: Backend> Run<'a, B> {
    /// # Safety
    /// The run is one of a backend whose table is that of `B`, and stays for `'a`.
    pub(crate) unsafe fn new(raw: *const sys::bp_run_args, error: *mut sys::bp_error) -> Self {
        Run { raw: unsafe { &*raw }, error, sized: Cell::new(ptr::null_mut()), marks: PhantomData }
    }
    pub(crate) fn error(&self) -> *mut sys::bp_error {
        self.error
    }
    /// The struct of `backend.h`.
    pub fn raw(&self) -> &'a sys::bp_run_args {
        self.raw
    }
    /// The inputs, constants among them.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Tensor<'a, B>> {
        let inputs = unsafe { crate::slice(self.raw.inputs, self.raw.num_inputs) };
        inputs.iter().map(|raw| Tensor { raw, marks: PhantomData })
    }
    /// The outputs.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = Tensor<'a, B>> {
        let outputs = unsafe { crate::slice(self.raw.outputs, self.raw.num_outputs) };
        outputs.iter().map(|raw| Tensor { raw, marks: PhantomData })
    }
    /// One input.
    ///
    /// # Panics
    /// The layer has no such input.
    #[inline]
    pub fn input(&self, index: usize) -> Tensor<'a, B> {
        let raw = &unsafe { crate::slice(self.raw.inputs, self.raw.num_inputs) }[index];
        Tensor { raw, marks: PhantomData }
    }
    /// One output.
    ///
    /// # Panics
    /// The layer has no such output.
    #[inline]
    pub fn output(&self, index: usize) -> Tensor<'a, B> {
        let raw = &unsafe { crate::slice(self.raw.outputs, self.raw.num_outputs) }[index];
        Tensor { raw, marks: PhantomData }
    }
    /// States the extents of an output that the model does not know, once, and gives it: an output
    /// of [`crate::Sizing::InRun`] gets memory, one of [`crate::Sizing::ByBound`] is smaller than
    /// its memory. [`crate::Status::Unsupported`]: the host gives no such outputs.
    pub fn set_output(&self, output: usize, dims: &[i64]) -> Result<Tensor<'_, B>> {
        let args = sys::bp_output_args {
            size_bytes: size::<sys::bp_output_args>(),
            output: output as u32,
            dims: dims.as_ptr(),
            rank: dims.len() as u32,
            reserved: 0,
        };
        let mut view: sys::bp_view = unsafe { crate::zeroed() };
        view.size_bytes = size::<sys::bp_view>();
        let set_output = unsafe { (*(*self.raw.scope).host).set_output };
        let run = unsafe { (*self.raw.run).object };
        check(unsafe { set_output(run, &args, &mut view, self.error) })?;
        let tensor = sys::bp_tensor { view: ptr::null(), handle: ptr::null_mut(), flags: 0 };
        let sized = Box::into_raw(Box::new(SizedOutput { view, tensor, next: self.sized.get() }));
        self.sized.set(sized);
        // Nothing changes it until this is dropped.
        unsafe {
            (*sized).tensor.view = ptr::addr_of!((*sized).view);
            Ok(Tensor { raw: &(*sized).tensor, marks: PhantomData })
        }
    }
    /// Work that must have finished before tensors are touched. For backends that state
    /// [`crate::FENCES`]; without, the host waits.
    pub fn waits(&self) -> impl ExactSizeIterator<Item = Fence<'a>> {
        let fences = unsafe { crate::slice(self.raw.waits, self.raw.num_waits) };
        fences.iter().map(|&fence| unsafe { Fence::new(fence) })
    }
    /// Fences to signal when the work has finished.
    pub fn signals(&self) -> impl ExactSizeIterator<Item = Fence<'a>> {
        let fences = unsafe { crate::slice(self.raw.signals, self.raw.num_signals) };
        fences.iter().map(|&fence| unsafe { Fence::new(fence) })
    }
    /// The place for a fence, when the work may go on after the call. `None`: it must have finished
    /// then, as always without [`crate::FENCES`].
    pub fn completion(&self) -> Option<Completion<'a>> {
        unsafe { Completion::find(self.raw) }
    }
    /// For what the run is made.
    pub fn scope(&self) -> Scope<'a, B> {
        unsafe { Scope::new(self.raw.scope) }
    }
    /// Whether the run is to end, and when: answer with [`crate::Status::Cancelled`]. For backends
    /// that state [`crate::STOP`].
    pub fn stop(&self) -> Stop<'a> {
        unsafe { Stop::new((*self.raw.run).stop, (*self.raw.run).deadline_ns) }
    }
    /// Whether the run is to end; see [`Run::stop`].
    pub fn is_stopped(&self) -> bool {
        self.stop().is_set()
    }
    /// The position of the layer in the network.
    pub fn step(&self) -> u32 {
        self.raw.step
    }
    /// The round of the innermost loop.
    pub fn round(&self) -> u32 {
        unsafe { (*self.raw.run).round }
    }
    /// A number that differs when an address or an extent differs from the last run with this
    /// state; 0: not known.
    pub fn binding(&self) -> u64 {
        self.raw.binding
    }
    /// A number that no other run of the process has, to seed random numbers; 0: not stated.
    pub fn number(&self) -> u64 {
        unsafe { (*self.raw.run).number }
    }
}

/// One tensor of a run.
pub struct Tensor<'a, B: Backend> {
    raw: &'a sys::bp_tensor,
    marks: PhantomData<(*mut (), &'a B)>,
}

impl<'a, B: Backend> Tensor<'a, B> {
    /// The struct of `backend.h`.
    pub fn raw(&self) -> &'a sys::bp_tensor {
        self.raw
    }
    /// The extents, the outermost first; empty where the tensor is not described.
    pub fn dims(&self) -> &'a [i64] {
        let view = unsafe { self.raw.view.as_ref() };
        view.map_or(&[], |view| unsafe { crate::slice(view.dims, view.rank) })
    }
    /// Whether nobody reads an input after this workload, which may then overwrite it.
    pub fn is_overwritable(&self) -> bool {
        self.raw.flags & sys::BP_TENSOR_OVERWRITABLE != 0
    }
    /// The handle, when it is of a kind of this backend.
    pub fn handle(&self) -> Option<&'a <B::Kind as crate::Kind>::Handle> {
        type Own<B> = crate::table::OwnHandle<<<B as Backend>::Kind as crate::Kind>::Handle>;
        let own = unsafe { crate::table::borrow_or_none::<Own<B>, _>(self.raw.handle) };
        own.map(|own| &own.handle)
    }
    /// The elements of a dense tensor in memory of the CPU. [`crate::Status::InvalidArgument`] for
    /// all others.
    #[inline]
    pub fn elements<T: Element>(&self) -> Result<&'a [Cell<T>]> {
        let (cells, dims, strides) = self.strided::<T>()?;
        let (mut count, mut is_dense) = (1, true);
        for axis in (0..dims.len()).rev() {
            let dense = count * size_of::<T>() as i64;
            is_dense &= dims[axis] == 1 || strides.map_or(true, |strides| strides[axis] == dense);
            count *= dims[axis];
        }
        if count == 0 {
            return Ok(&[]);
        }
        if !is_dense {
            return Err(Error::invalid("a tensor is not dense"));
        }
        Ok(unsafe { std::slice::from_raw_parts(cells, count as usize) })
    }
    /// The rows along the innermost axis of a tensor in memory of the CPU whose rows are dense;
    /// errors as those of [`Tensor::elements`].
    #[inline]
    pub fn rows<T: Element>(&self) -> Result<Rows<'a, T>> {
        let (first, dims, strides) = self.strided::<T>()?;
        let (outer, length) = match dims.split_last() {
            Some((&length, outer)) => (outer, length as usize),
            None => (dims, 1),
        };
        if length > 1 && strides.is_some_and(|s| s[outer.len()] != size_of::<T>() as i64) {
            return Err(Error::invalid("rows of a tensor are not dense"));
        }
        let count = if length == 0 { 0 } else { outer.iter().product::<i64>() as usize };
        Ok(Rows { first, outer, strides, length, count })
    }
    /// Address, extents and strides in bytes; without strides it is dense.
    #[inline]
    #[allow(clippy::type_complexity)]
    fn strided<T: Element>(&self) -> Result<(*const Cell<T>, &'a [i64], Option<&'a [i64]>)> {
        let Some(view) = (unsafe { self.raw.view.as_ref() }) else {
            return Err(Error::invalid("a tensor is not described"));
        };
        if view.data_type != T::DATA_TYPE || view.storage != sys::BP_STORAGE_PADDED {
            return Err(Error::invalid(
                "a tensor has another data type than its layer was made for",
            ));
        }
        let dims = unsafe { crate::slice(view.dims, view.rank) };
        if view.data.is_null() && !dims.contains(&0) {
            return Err(Error::invalid("a tensor is not in memory of the CPU"));
        }
        let has_strides = !view.strides.is_null();
        let strides = has_strides.then(|| unsafe { crate::slice(view.strides, view.rank) });
        Ok((view.data as *const Cell<T>, dims, strides))
    }
}

/// The rows of a tensor, in order.
#[derive(Clone, Copy)]
pub struct Rows<'a, T: Element> {
    first: *const Cell<T>,
    outer: &'a [i64],
    strides: Option<&'a [i64]>,
    length: usize,
    count: usize,
}

impl<'a, T: Element> Rows<'a, T> {
    /// The number of rows; 0 without elements.
    pub fn count(&self) -> usize {
        self.count
    }
    /// The number of elements of each.
    pub fn length(&self) -> usize {
        self.length
    }
    /// One row.
    ///
    /// # Panics
    /// There is no such row.
    #[inline]
    pub fn get(&self, row: usize) -> &'a [Cell<T>] {
        assert!(row < self.count, "the tensor has no such row");
        let (mut left, mut place) = (row as i64, 0);
        let mut dense = (self.length * size_of::<T>()) as i64;
        for axis in (0..self.outer.len()).rev() {
            place += left % self.outer[axis] * self.strides.map_or(dense, |strides| strides[axis]);
            left /= self.outer[axis];
            dense *= self.outer[axis];
        }
        let data = unsafe { self.first.byte_offset(place as isize) };
        unsafe { std::slice::from_raw_parts(data, self.length) }
    }
}
