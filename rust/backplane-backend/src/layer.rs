//! Layers and tensors, borrowed for a call.
use crate::{sys, Backend, Named, OutputSlot, Value};
use std::marker::PhantomData;
use std::mem::size_of;
use std::sync::Arc;

/// The descriptor of some layers; [`crate::layers`] has all.
///
/// # Safety
/// The type begins with its size as a `u32` and is made of numbers alone; its layout is that of the
/// C header's.
pub unsafe trait Descriptor: Copy {
    /// The types of layers that have it: numbers of [`crate::layers::layer_type`].
    const LAYERS: &'static [u32];

    /// A descriptor of zeros, with its size.
    fn new() -> Self {
        unsafe {
            let mut made: Self = crate::zeroed();
            *(&mut made as *mut Self as *mut u32) = crate::size::<Self>();
            made
        }
    }
}

/// An element of a tensor of one data type.
///
/// # Safety
/// All bit patterns are values, and the size is that of an element of the data type.
pub unsafe trait Element: Copy + 'static {
    /// A number of [`crate::layers::data_type`].
    const DATA_TYPE: u32;
}
macro_rules! elements {
    ($($element:ty: $name:ident),*) => { $(
        unsafe impl Element for $element {
            const DATA_TYPE: u32 = crate::layers::data_type::$name;
        }
    )* };
}
elements!(f32: FLOAT32, f64: FLOAT64, i8: INT8, u8: U_INT8, i16: INT16, u16: U_INT16, i32: INT32,
    u32: U_INT32, i64: INT64, u64: U_INT64);

/// The description of a tensor, borrowed for `'a`.
#[derive(Clone, Copy)]
pub struct TensorInfo<'a>(&'a sys::bp_tensor_info);

impl<'a> TensorInfo<'a> {
    /// # Safety
    /// The struct stays for `'a`.
    pub(crate) unsafe fn new(raw: *const sys::bp_tensor_info) -> Self {
        TensorInfo(unsafe { &*raw })
    }
    /// The struct of `backend.h`.
    pub fn raw(self) -> &'a sys::bp_tensor_info {
        self.0
    }
    /// A number of [`crate::layers::data_type`].
    pub fn data_type(self) -> u32 {
        self.0.data_type
    }
    /// Bytes of an element; `None`: the data type is not one of [`crate::layers::DATA_TYPES`].
    pub fn element_bytes(self) -> Option<u64> {
        let row = crate::layers::DATA_TYPES.iter().find(|row| row.0 == self.0.data_type);
        row.map(|row| row.2)
    }
    /// Whether the rank is known; it always is but in [`Backend::infer`].
    pub fn has_rank(self) -> bool {
        self.0.rank != u32::MAX
    }
    /// The extents, the outermost first; -1 where one is open. None without a rank.
    pub fn dims(self) -> &'a [i64] {
        unsafe { crate::slice(self.0.dims, if self.has_rank() { self.0.rank } else { 0 }) }
    }
    /// The number of elements; 0 where an extent is open.
    pub fn num_elements(self) -> usize {
        self.dims().iter().map(|&extent| extent.max(0) as usize).product()
    }
    /// Whether the integers stand for real numbers.
    pub fn is_quantized(self) -> bool {
        !self.0.quantization.is_null()
    }
    /// How integers stand for real numbers; `None`: they do not.
    pub fn quantization(self) -> Option<Quantization<'a>> {
        unsafe { self.0.quantization.as_ref() }.map(Quantization)
    }
    /// The facts about an open extent: its name, its least and its greatest value. Equal names
    /// mean equal extents, an empty one none; a greatest value of 0 is no bound.
    pub fn extent(self, axis: usize) -> Option<(&'a str, i64, i64)> {
        if self.0.extents.is_null() || axis >= self.dims().len() {
            return None;
        }
        let extent = unsafe { &*self.0.extents.add(axis) };
        Some((unsafe { crate::text(extent.name) }, extent.least, extent.greatest))
    }
    /// How elements are stored, such as [`sys::BP_STORAGE_PADDED`].
    pub fn storage(self) -> u32 {
        self.0.storage
    }
}

/// How stored integers stand for real numbers, borrowed for `'a`: each real number is a tensor's
/// scale times a scale times the difference of the stored number and a zero point.
#[derive(Clone, Copy)]
pub struct Quantization<'a>(&'a sys::bp_quantization);

impl<'a> Quantization<'a> {
    /// One scale for the tensor, for each index of an axis, or for each block, such as
    /// [`sys::BP_QUANTIZATION_PER_AXIS`].
    pub fn kind(self) -> u32 {
        self.0.kind
    }
    /// The axis of that kind.
    pub fn axis(self) -> u32 {
        self.0.axis
    }
    /// The scales.
    pub fn scales(self) -> Constant<'a, 'a> {
        unsafe { Constant::new(self.0.scales) }
    }
    /// The zero points; `None`: all are 0.
    pub fn zero_points(self) -> Option<Constant<'a, 'a>> {
        let zero_points = self.0.zero_points;
        (!zero_points.is_null()).then(|| unsafe { Constant::new(zero_points) })
    }
    /// The scale of the whole tensor; `None`: it is 1.
    pub fn tensor_scale(self) -> Option<Constant<'a, 'a>> {
        let scale = self.0.tensor_scale;
        (!scale.is_null()).then(|| unsafe { Constant::new(scale) })
    }
    /// The extents of a block in a tensor of this rank; empty: there are no blocks.
    pub fn block_dims(self, rank: usize) -> &'a [i64] {
        let count = if self.0.block_dims.is_null() { 0 } else { rank };
        unsafe { crate::slice(self.0.block_dims, count as u32) }
    }
}

/// A tensor that is part of the network: described for `'a`, with data that lasts for `'w`.
#[derive(Clone, Copy)]
pub struct Constant<'a, 'w> {
    raw: &'a sys::bp_constant,
    data: PhantomData<&'w [u8]>,
}

impl<'a, 'w> Constant<'a, 'w> {
    /// # Safety
    /// The struct stays for `'a`, and its data for `'w`.
    pub(crate) unsafe fn new(raw: *const sys::bp_constant) -> Self {
        Constant { raw: unsafe { &*raw }, data: PhantomData }
    }
    /// The description of the tensor.
    pub fn info(self) -> TensorInfo<'a> {
        unsafe { TensorInfo::new(self.raw.info) }
    }
    /// The elements, dense; `None`: another data type, or no data, as when a layer is only asked
    /// about.
    pub fn elements<T: Element>(self) -> Option<&'w [T]> {
        let is_there = !self.raw.data.is_null() && self.info().data_type() == T::DATA_TYPE;
        let count = self.raw.num_bytes as usize / size_of::<T>();
        let data = self.raw.data as *const T;
        is_there.then(|| unsafe { std::slice::from_raw_parts(data, count) })
    }
    /// The bytes of the elements; `None`: no data.
    pub fn bytes(self) -> Option<&'w [u8]> {
        let is_there = !self.raw.data.is_null();
        is_there.then(|| unsafe { crate::bytes(self.raw.data, self.raw.num_bytes) })
    }
    pub(crate) fn source(self) -> crate::Result<*mut sys::bp_constant_source> {
        let source = self.raw.source;
        let refusal = || crate::Error::unsupported("the constant is of no offer");
        (!source.is_null()).then_some(source).ok_or_else(refusal)
    }
    /// Equal for the same content in every network; `None`: not stated.
    pub fn identity(self) -> Option<[u64; 2]> {
        (self.raw.identity != [0, 0]).then_some(self.raw.identity)
    }
}

/// The layer of an operator that a backend declares, borrowed for `'a`.
#[derive(Clone, Copy)]
pub struct Custom<'a>(&'a sys::bp_custom_descriptor);

impl<'a> Custom<'a> {
    /// The domain of the operator.
    pub fn domain(self) -> &'a str {
        unsafe { crate::text(self.0.domain) }
    }
    /// Its name in the domain.
    pub fn operator(self) -> &'a str {
        unsafe { crate::text(self.0.r#type) }
    }
    /// The version of the domain's operator set.
    pub fn version(self) -> u32 {
        self.0.version
    }
    /// The attributes that the model states, checked against the declaration.
    pub fn attributes(self) -> impl Iterator<Item = Named<'a>> {
        unsafe { Value::read_all(self.0.attributes, self.0.num_attributes) }
    }
    /// The attribute of this name; `None`: it is not stated.
    pub fn attribute(self, name: &str) -> Option<Value<'a>> {
        self.attributes().find(|attribute| attribute.0 == name).map(|attribute| attribute.1)
    }
}

/// A layer that is asked about, made or offered: described for `'a`, with constants whose data
/// lasts for `'w`. In [`crate::Builder::workload`], `'w` is the life of the workload.
pub struct Layer<'a, 'w, B: Backend> {
    raw: &'a sys::bp_layer,
    marks: PhantomData<(&'w [u8], &'a B)>,
}

impl<'a, 'w, B: Backend> Layer<'a, 'w, B> {
    /// # Safety
    /// The layer is one for a backend whose table is that of `B`, and stays for `'a`; data of its
    /// constants stays for `'w`.
    pub(crate) unsafe fn new(raw: *const sys::bp_layer) -> Self {
        Layer { raw: unsafe { &*raw }, marks: PhantomData }
    }
    /// The struct of `backend.h`.
    pub fn raw(&self) -> &'a sys::bp_layer {
        self.raw
    }
    /// A number of [`crate::layers::layer_type`].
    pub fn layer_type(&self) -> u32 {
        self.raw.r#type
    }
    /// The path of the node in the network.
    pub fn name(&self) -> &'a str {
        unsafe { crate::text(self.raw.name) }
    }
    /// A copy of the descriptor; `None`: layers of this type have another. Of a shorter one, what
    /// is not there is 0, which means what was before the field was there.
    pub fn descriptor<D: Descriptor>(&self) -> Option<D> {
        if !D::LAYERS.contains(&self.raw.r#type) || self.raw.descriptor.is_null() {
            return None;
        }
        let mut made = D::new();
        unsafe {
            let size = (*(self.raw.descriptor as *const u32) as usize).min(size_of::<D>());
            let to = &mut made as *mut D as *mut u8;
            std::ptr::copy_nonoverlapping(
                (self.raw.descriptor as *const u8).add(4),
                to.add(4),
                size.saturating_sub(4),
            );
        }
        Some(made)
    }
    /// The operator, when it is one that a backend declares.
    pub fn custom(&self) -> Option<Custom<'a>> {
        let is_custom = self.raw.r#type == crate::layers::layer_type::CUSTOM;
        is_custom.then(|| Custom(unsafe { &*(self.raw.descriptor as *const _) }))
    }
    /// The inputs; `None` where an optional one is left out.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Option<TensorInfo<'a>>> {
        let inputs = unsafe { crate::slice(self.raw.inputs, self.raw.num_inputs) };
        inputs.iter().map(|&info| (!info.is_null()).then(|| unsafe { TensorInfo::new(info) }))
    }
    /// The outputs.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = TensorInfo<'a>> {
        let outputs = unsafe { crate::slice(self.raw.outputs, self.raw.num_outputs) };
        outputs.iter().map(|&info| unsafe { TensorInfo::new(info) })
    }
    /// An output that the type of the layer always has.
    ///
    /// # Panics
    /// There is no such output.
    pub fn output(&self, index: usize) -> TensorInfo<'a> {
        self.outputs().nth(index).expect("the layer has no such output")
    }
    /// The content of an input that is part of the network.
    pub fn constant(&self, input: usize) -> Option<Constant<'a, 'w>> {
        if self.raw.constants.is_null() || input >= self.raw.num_inputs as usize {
            return None;
        }
        let constant = unsafe { (*self.raw.constants.add(input)).as_ref() };
        constant.map(|raw| Constant { raw, data: PhantomData })
    }
    /// The kind of an input, or of an output behind them, when it is one of the backend's own.
    pub fn own_kind(&self, slot: usize) -> Option<&'a B::Kind> {
        if self.raw.kinds.is_null() || slot >= (self.raw.num_inputs + self.raw.num_outputs) as usize
        {
            return None;
        }
        unsafe { crate::memory::kind_of::<B>(*self.raw.kinds.add(slot)) }
    }
    /// The compiled sub-graph that the layer is; `None`: it is an operator.
    pub fn compiled(&self) -> Option<Arc<B::Compiled>> {
        unsafe { crate::table::share_compiled::<B>(self.raw.compiled) }
    }
    /// The number of the layer in an [`crate::Offer`].
    pub fn id(&self) -> u32 {
        self.raw.id
    }
    /// The output that each input reads, in an [`crate::Offer`]; else nothing.
    pub fn sources(&self) -> &'a [OutputSlot] {
        let count = if self.raw.slots.is_null() { 0 } else { self.raw.num_inputs };
        unsafe { crate::slice(self.raw.slots as *const OutputSlot, count) }
    }
}
