//! Runs, and their tensors.
use crate::{sys, Backend, Element, Error, Result};
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::size_of;

/// One run of one workload, borrowed for the call. An output may lie where an input lies; elements
/// are therefore cells. It stays on the thread of the call.
pub struct Run<'a, B: Backend> {
    raw: &'a sys::bp_run_args,
    marks: PhantomData<(*mut (), &'a B)>,
}

impl<'a, B: Backend> Run<'a, B> {
    /// # Safety
    /// The run is one of a backend whose table is that of `B`, and stays for `'a`.
    pub(crate) unsafe fn new(raw: *const sys::bp_run_args) -> Self {
        Run { raw: unsafe { &*raw }, marks: PhantomData }
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
    /// Whether the run is to end: answer with [`crate::Status::Cancelled`]. For backends that state
    /// [`crate::STOP`]. Deadlines are in `raw().run`.
    pub fn is_stopped(&self) -> bool {
        let stop = unsafe { (*self.raw.run).stop } as *const std::sync::atomic::AtomicU32;
        !stop.is_null() && unsafe { (*stop).load(std::sync::atomic::Ordering::Relaxed) } != 0
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
