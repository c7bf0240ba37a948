//! Sub-graphs that are offered to be compiled.
use crate::describe::{make_constant, make_info, OutputInfo, OwnTensor};
use crate::error::{check, Error, Result};
use crate::{size, sys, Backend, Constant, Descriptor, Layer, OutputSlot, Progress, Scope, Stop};
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
    /// Whether the run that waits for this is to end, and when.
    pub fn stop(&self) -> Stop<'a> {
        unsafe { Stop::new(self.raw.stop, self.raw.deadline_ns) }
    }
    /// Whether compiling is to end: return an error of [`crate::Status::Cancelled`].
    pub fn is_stopped(&self) -> bool {
        self.stop().is_set()
    }
    /// Where to say how far compiling is.
    pub fn progress(&self) -> Progress<'a> {
        unsafe { Progress::new(self.scope.raw().host, self.raw.offer) }
    }
    /// Whether [`Offer::store_cached`] keeps what it is given.
    pub fn has_cache(&self) -> bool {
        self.raw.has_cache != 0
    }
    /// Reads what [`Offer::store_cached`] kept for an equal sub-graph, perhaps in an earlier
    /// process, under a key of the backend's own, such as the version of its compiler. `None`: there
    /// is nothing.
    pub fn load_cached(&self, key: &CStr) -> Result<Option<Vec<u8>>> {
        let args = make_cache_args(key, &[]);
        let mut content: sys::bp_content = unsafe { crate::zeroed() };
        content.size_bytes = size::<sys::bp_content>();
        let load = unsafe { (*self.scope.raw().host).load_cached };
        match unsafe { load(self.raw.offer, &args, &mut content, self.error) } {
            sys::BP_STATUS_NOT_FOUND => return Ok(None),
            status => check(status)?,
        }
        let bytes = unsafe { crate::bytes(content.data, content.num_bytes) };
        Ok(Some(bytes.to_vec()))
    }
    /// Keeps content for later processes, in place of what was kept under this key.
    pub fn store_cached(&self, key: &CStr, content: &[u8]) -> Result<()> {
        let store = unsafe { (*self.scope.raw().host).store_cached };
        let args = make_cache_args(key, content);
        check(unsafe { store(self.raw.offer, &args, self.error) })
    }
    /// Adds a compiled layer for a replacement, and gives its number. Its inputs may be outputs of
    /// any layers that the sub-graph reads, constants among them.
    pub fn add_compiled(
        &self, name: &CStr, inputs: &[OutputSlot], outputs: &[OutputInfo<'_>],
        compiled: B::Compiled,
    ) -> Result<u32> {
        let compiled = crate::table::give_compiled::<B>(compiled);
        let layer = sys::bp_layer {
            r#type: crate::layers::layer_type::PRE_COMPILED,
            compiled,
            ..make_layer(name)
        };
        let added = self.add(layer, inputs, outputs);
        if added.is_err() {
            unsafe { crate::compiled_functions::free_compiled::<B>(compiled) };
        }
        added
    }
    /// Adds a layer of a type that has this descriptor, one of [`crate::layers::layer_type`], for a
    /// replacement, and gives its number. [`crate::Status::InvalidArgument`]: a slot is not known,
    /// or the layer is wrong.
    pub fn add_layer<D: Descriptor>(
        &self, layer_type: u32, descriptor: &D, name: &CStr, inputs: &[OutputSlot],
        outputs: &[OutputInfo<'_>],
    ) -> Result<u32> {
        if !D::LAYERS.contains(&layer_type) {
            let text = format!("layers of type {layer_type} have another descriptor");
            return Err(Error::invalid(text));
        }
        let descriptor = descriptor as *const D as *const _;
        let layer = sys::bp_layer { r#type: layer_type, descriptor, ..make_layer(name) };
        self.add(layer, inputs, outputs)
    }
    /// Adds a constant, whose content is copied, for a replacement, and gives the number of its
    /// layer.
    pub fn add_constant(&self, name: &CStr, tensor: &OwnTensor) -> Result<u32> {
        let info = make_info(tensor.data_type(), tensor.dims());
        let constant = make_constant(tensor, &info);
        let constants = [&constant as *const sys::bp_constant];
        let layer = sys::bp_layer {
            r#type: crate::layers::layer_type::CONSTANT,
            constants: constants.as_ptr(),
            ..make_layer(name)
        };
        let like = OutputInfo::New(tensor.data_type(), tensor.dims().to_vec());
        self.add(layer, &[], &[like])
    }
    fn add(
        &self, layer: sys::bp_layer, inputs: &[OutputSlot], outputs: &[OutputInfo<'_>],
    ) -> Result<u32> {
        let infos: Vec<_> = outputs.iter().map(OutputInfo::to_raw).collect();
        let list: Vec<_> = infos.iter().map(|info| info as *const sys::bp_tensor_info).collect();
        let layer = sys::bp_layer {
            outputs: list.as_ptr(),
            num_inputs: inputs.len() as u32,
            num_outputs: outputs.len() as u32,
            slots: inputs.as_ptr() as *const sys::bp_slot,
            ..layer
        };
        let mut id = 0;
        let host = unsafe { &*self.scope.raw().host };
        check(unsafe { (host.add_layer)(self.raw.offer, &layer, &mut id, self.error) }).map(|()| id)
    }
    /// Shares the content of a constant of the offer, so that it need not be copied to stay.
    pub fn share_constant(&self, constant: Constant<'_, '_>) -> Result<Shared> {
        let source = constant.source()?;
        let mut args: sys::bp_read_args = unsafe { crate::zeroed() };
        args.size_bytes = size::<sys::bp_read_args>();
        let mut content: sys::bp_content = unsafe { crate::zeroed() };
        content.size_bytes = size::<sys::bp_content>();
        let host = self.scope.raw().host;
        check(unsafe { ((*host).read_constant)(source, &args, &mut content, self.error) })?;
        Ok(Shared { host, content })
    }
    /// Lets go of a constant that a layer of the offer reads, which is then replaced or deleted.
    /// Nothing reads its content from here on, but where it is shared.
    pub fn release_constant(&self, constant: Constant<'_, '_>) -> Result<()> {
        let source = constant.source()?;
        let host = unsafe { &*self.scope.raw().host };
        check(unsafe { (host.release_constant)(source, self.error) })
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

/// A share of the content of a constant, which stays until it is dropped.
pub struct Shared {
    host: *const sys::bp_host,
    content: sys::bp_content,
}

// The content is only read, and any thread may end the share.
unsafe impl Send for Shared {}
unsafe impl Sync for Shared {}

impl Shared {
    /// The content, dense.
    pub fn bytes(&self) -> &[u8] {
        unsafe { crate::bytes(self.content.data, self.content.num_bytes) }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        unsafe { ((*self.host).release_shared)(self.content.shared) };
    }
}

fn make_layer(name: &CStr) -> sys::bp_layer {
    sys::bp_layer {
        size_bytes: size::<sys::bp_layer>(),
        name: name.as_ptr(),
        ..unsafe { crate::zeroed() }
    }
}

fn make_cache_args(key: &CStr, content: &[u8]) -> sys::bp_cache_args {
    sys::bp_cache_args {
        size_bytes: size::<sys::bp_cache_args>(),
        reserved: 0,
        key: key.as_ptr(),
        content: content.as_ptr() as *const _,
        num_bytes: content.len() as u64,
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
