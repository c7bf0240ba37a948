//! Runs in pieces, on the host's threads.
use crate::error::{catch, check, Error, Result};
use crate::{size, sys, Backend, Element, Run};
use std::cell::Cell;
use std::ffi::c_void;
use std::mem::size_of_val;
use std::sync::Mutex;

/// An element that is only read.
#[repr(transparent)]
pub struct ReadCell<T>(Cell<T>);

impl<T: Copy> ReadCell<T> {
    /// The value.
    #[inline]
    pub fn get(&self) -> T {
        self.0.get()
    }
}

/// A range of elements, the same of all tensors of a run.
pub struct Piece<'a, T: Element> {
    first: usize,
    count: usize,
    inputs: &'a [&'a [Cell<T>]],
    outputs: &'a [&'a [Cell<T>]],
}

impl<'a, T: Element> Piece<'a, T> {
    /// The number of the first element.
    pub fn first(&self) -> usize {
        self.first
    }
    /// The elements of an input.
    ///
    /// # Panics
    /// The layer has no such input.
    pub fn input(&self, index: usize) -> &'a [ReadCell<T>] {
        let cells = &self.inputs[index][self.first..][..self.count];
        // They have one layout, and less can be done with these.
        unsafe { std::slice::from_raw_parts(cells.as_ptr() as *const ReadCell<T>, cells.len()) }
    }
    /// The elements of an output.
    ///
    /// # Panics
    /// The layer has no such output.
    pub fn output(&self, index: usize) -> &'a [Cell<T>] {
        &self.outputs[index][self.first..][..self.count]
    }
}

/// The tensors of a run whose pieces go to several threads.
struct Tensors<'a, T: Element> {
    inputs: Vec<&'a [Cell<T>]>,
    outputs: Vec<&'a [Cell<T>]>,
}

// Each piece is one thread's, and `check_places` says that pieces share nothing that is written.
unsafe impl<T: Element + Send> Sync for Tensors<'_, T> {}

impl<T: Element> Tensors<'_, T> {
    fn get_piece(&self, first: usize, count: usize) -> Piece<'_, T> {
        Piece { first, count, inputs: &self.inputs, outputs: &self.outputs }
    }
    /// Tensors have one number of elements, and lie exactly where an output lies, or apart from it.
    fn check_places(&self) -> Result<usize> {
        let count = self.outputs.first().map_or(0, |output| output.len());
        if self.inputs.iter().chain(&self.outputs).any(|tensor| tensor.len() != count) {
            return Err(Error::invalid("tensors have different numbers of elements"));
        }
        let are_apart = |a: &[Cell<T>], b: &[Cell<T>]| {
            let (a, b) = (a.as_ptr() as usize, b.as_ptr() as usize);
            a.abs_diff(b) >= size_of_val(self.outputs[0])
        };
        for (index, &output) in self.outputs.iter().enumerate() {
            let is_right =
                |&input: &&[Cell<T>]| input.as_ptr() == output.as_ptr() || are_apart(input, output);
            let others = &self.outputs[index + 1..];
            if !self.inputs.iter().all(|input| is_right(input))
                || others.iter().any(|other| !are_apart(other, output))
            {
                return Err(Error::invalid("tensors lie partly in each other"));
            }
        }
        Ok(count)
    }
}

struct Call<'a, F> {
    call: &'a F,
    failure: Mutex<Option<Error>>,
}

unsafe extern "C" fn call_piece<F: Fn(usize) -> Result<()> + Sync>(data: *mut c_void, index: u64) {
    let call = unsafe { &*(data as *const Call<'_, F>) };
    let lock = || call.failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if lock().is_some() {
        return;
    }
    if let Err(failure) = catch(|| (call.call)(index as usize)) {
        lock().get_or_insert(failure);
    }
}

impl<B: Backend> Run<'_, B> {
    /// Calls with each number below `count`, several at once on the host's threads and this one,
    /// and returns when all have returned. After a failure or a panic of one, which becomes this
    /// call's failure, the others need not be called.
    pub fn parallel<F>(&self, count: usize, call: F) -> Result<()>
    where
        F: Fn(usize) -> Result<()> + Sync,
    {
        let scope = unsafe { &*self.raw().scope };
        let call = Call { call: &call, failure: Mutex::new(None) };
        let args = sys::bp_parallel_args {
            size_bytes: size::<sys::bp_parallel_args>(),
            reserved: 0,
            count: count as u64,
            call: Some(call_piece::<F>),
            data: &call as *const _ as *mut c_void,
        };
        let object = unsafe { (*self.raw().run).object };
        let status = unsafe { ((*scope.host).parallel)(object, &args, self.error()) };
        let failure = call.failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        failure.map_or(check(status), Err)
    }
    /// The same with pieces of up to `length` elements of all tensors, which have one number of
    /// elements and lie dense in memory of the CPU. [`crate::Status::InvalidArgument`] for all
    /// others, and for an output that lies partly in another tensor.
    pub fn parallel_pieces<T: Element + Send>(
        &self, length: usize, call: impl Fn(&Piece<'_, T>) -> Result<()> + Sync,
    ) -> Result<()> {
        let shared = Tensors {
            inputs: self.inputs().map(|tensor| tensor.elements()).collect::<Result<_>>()?,
            outputs: self.outputs().map(|tensor| tensor.elements()).collect::<Result<_>>()?,
        };
        let (total, length) = (shared.check_places()?, length.max(1));
        self.parallel(total.div_ceil(length), |index| {
            let first = index * length;
            call(&shared.get_piece(first, length.min(total - first)))
        })
    }
}
