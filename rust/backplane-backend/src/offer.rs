//! Sub-graphs that are offered to be compiled.
use crate::describe::OutputInfo;
use crate::error::{check, Result};
use crate::{size, sys, Backend, Layer, OutputSlot, Scope};
use std::ffi::CStr;
use std::ptr;

/// Some layers of an offer, with the tensors that enter and leave.
#[derive(Clone, Debug)]
pub struct Part {
    /// Numbers of layers, in an order in which they can run.
    pub layers: Vec<u32>,
    /// Tensors that enter; constants do not.
    pub inputs: Vec<OutputSlot>,
    /// Tensors that leave.
    pub outputs: Vec<OutputSlot>,
}

/// The answer to a part of an offer.
#[derive(Clone, Debug)]
pub enum Answer<'a> {
    /// Replaced by this, whose inputs and outputs are in the same order.
    Replaced(&'a Part),
    /// Given to another backend.
    Failed,
    /// Run layer by layer.
    Untouched,
    /// Not needed: inputs take the place of outputs, one to one.
    Deleted,
}

/// A sub-graph whose layers are all this backend's, borrowed for the call. Each layer must be in
/// exactly one part that is answered; else the sub-graph stays as it was.
pub struct Offer<'a, B: Backend> {
    scope: &'a Scope<'a, B>,
    raw: &'a sys::bp_optimize_args,
    error: *mut sys::bp_error,
}

impl<'a, B: Backend> Offer<'a, B> {
    /// # Safety
    /// The offer is one to a backend whose table is that of `B`, and stays for `'a`.
    pub(crate) unsafe fn new(
        scope: &'a Scope<'a, B>, raw: &'a sys::bp_optimize_args, error: *mut sys::bp_error,
    ) -> Self {
        Offer { scope, raw, error }
    }
    /// The struct of `backend.h`.
    pub fn raw(&self) -> &'a sys::bp_optimize_args {
        self.raw
    }
    /// The layers, in an order in which they can run.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = Layer<'a, 'a, B>> {
        let layers = unsafe { crate::slice(self.raw.layers, self.raw.num_layers) };
        layers.iter().map(|&layer| unsafe { Layer::new(layer) })
    }
    /// The whole offer.
    pub fn part(&self) -> Part {
        let part = unsafe { &*self.raw.part };
        let slots = |slots: *const sys::bp_slot, count| unsafe {
            crate::slice(slots as *const OutputSlot, count).to_vec()
        };
        Part {
            layers: unsafe { crate::slice(part.layers, part.num_layers) }.to_vec(),
            inputs: slots(part.inputs, part.num_inputs),
            outputs: slots(part.outputs, part.num_outputs),
        }
    }
    /// Whether extents of the network differ from run to run: [`crate::Compiled::resize`] may be
    /// called.
    pub fn is_open(&self) -> bool {
        self.raw.is_open != 0
    }
    /// Whether compiling is to end: return an error of [`crate::Status::Cancelled`].
    pub fn is_stopped(&self) -> bool {
        let stop = self.raw.stop as *const std::sync::atomic::AtomicU32;
        !stop.is_null() && unsafe { (*stop).load(std::sync::atomic::Ordering::Relaxed) } != 0
    }
    /// Adds a compiled layer for a replacement, and gives its number. Its inputs may be outputs of
    /// any layers that the sub-graph reads, constants among them.
    pub fn add_compiled(
        &self, name: &CStr, inputs: &[OutputSlot], outputs: &[OutputInfo<'_>],
        compiled: B::Compiled,
    ) -> Result<u32> {
        let infos: Vec<_> = outputs.iter().map(OutputInfo::to_raw).collect();
        let list: Vec<_> = infos.iter().map(|info| info as *const sys::bp_tensor_info).collect();
        let compiled = crate::table::give_compiled::<B>(compiled);
        let layer = sys::bp_layer {
            size_bytes: size::<sys::bp_layer>(),
            r#type: crate::layers::layer_type::PRE_COMPILED,
            name: name.as_ptr(),
            outputs: list.as_ptr(),
            num_inputs: inputs.len() as u32,
            num_outputs: outputs.len() as u32,
            slots: inputs.as_ptr() as *const sys::bp_slot,
            compiled,
            ..unsafe { crate::zeroed() }
        };
        let mut id = 0;
        let host = unsafe { &*self.scope.raw().host };
        let status = unsafe { (host.add_layer)(self.raw.offer, &layer, &mut id, self.error) };
        if status != sys::BP_STATUS_SUCCESS {
            unsafe { crate::table::free_compiled::<B>(compiled) };
        }
        check(status).map(|()| id)
    }
    /// Says what becomes of a part.
    pub fn answer(&self, part: &Part, answer: Answer<'_>) -> Result<()> {
        let raw = to_raw(part);
        let replacement = if let Answer::Replaced(by) = answer { Some(to_raw(by)) } else { None };
        let raw = sys::bp_answer {
            size_bytes: size::<sys::bp_answer>(),
            kind: match answer {
                Answer::Replaced(_) => sys::BP_PART_REPLACED,
                Answer::Failed => sys::BP_PART_FAILED,
                Answer::Untouched => sys::BP_PART_UNTOUCHED,
                Answer::Deleted => sys::BP_PART_DELETED,
            },
            part: &raw,
            replacement: replacement.as_ref().map_or(ptr::null(), |by| by),
        };
        let host = unsafe { &*self.scope.raw().host };
        check(unsafe { (host.answer)(self.raw.offer, &raw, self.error) })
    }
    /// Leaves a part alone.
    pub fn untouched(&self, part: &Part) -> Result<()> {
        self.answer(part, Answer::Untouched)
    }
    /// Puts one compiled layer in the place of the whole offer. `inputs` are what it reads, and the
    /// outputs are those of the offer.
    pub fn replace_all(
        &self, name: &CStr, inputs: &[OutputSlot], compiled: B::Compiled,
    ) -> Result<()> {
        let part = self.part();
        let find = |slot: &OutputSlot| {
            let layer = self.layers().find(|layer| layer.id() == slot.layer);
            OutputInfo::Like(layer.expect("it is in the offer").output(slot.index as usize))
        };
        let outputs: Vec<_> = part.outputs.iter().map(find).collect();
        let layer = self.add_compiled(name, inputs, &outputs, compiled)?;
        let outputs = (0..outputs.len() as u32).map(|index| OutputSlot { layer, index }).collect();
        let by = Part { layers: vec![layer], inputs: part.inputs.clone(), outputs };
        self.answer(&part, Answer::Replaced(&by))
    }
}

fn to_raw(part: &Part) -> sys::bp_part {
    sys::bp_part {
        size_bytes: size::<sys::bp_part>(),
        num_layers: part.layers.len() as u32,
        layers: part.layers.as_ptr(),
        inputs: part.inputs.as_ptr() as *const sys::bp_slot,
        outputs: part.outputs.as_ptr() as *const sys::bp_slot,
        num_inputs: part.inputs.len() as u32,
        num_outputs: part.outputs.len() as u32,
    }
}
