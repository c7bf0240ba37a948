//! Descriptions that a backend gives of itself, and their way to the host's lists.
use crate::error::{check, Result};
use crate::value::Stored;
use crate::{size, sys, Backend, Element, Kind, OwnKind, Scope, TensorInfo, Value};
use std::ffi::{c_void, CStr};
use std::ptr;

/// Where an option may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// For a runtime, and for a network.
    Both,
    /// For a runtime: in [`Backend::context`].
    Context,
    /// For a network: in [`Backend::model`] and later.
    Network,
}

/// An option, or an attribute of an operator. The host refuses unknown names, other types and
/// values outside before the backend sees them.
#[derive(Clone, Copy, Debug)]
pub struct OptionSchema {
    /// The name that users write.
    pub name: &'static CStr,
    /// One sentence for users.
    pub text: &'static CStr,
    /// The value when nobody gives one; also states the type.
    pub initial: Value<'static>,
    /// The least and the greatest value; `None`: no bounds.
    pub bounds: Option<(Value<'static>, Value<'static>)>,
    /// The texts that are allowed; empty: any.
    pub allowed: &'static [&'static str],
    /// Where it may be given; of no meaning for attributes.
    pub place: Place,
}

impl OptionSchema {
    /// An option without bounds that may be given in both places.
    pub const fn new(name: &'static CStr, text: &'static CStr, initial: Value<'static>) -> Self {
        OptionSchema { name, text, initial, bounds: None, allowed: &[], place: Place::Both }
    }
}

/// When the extents of an output are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Sizing {
    /// Before the run.
    #[default]
    ByShape = sys::BP_SIZED_BY_SHAPE,
    /// Their bounds are known before the run; [`crate::Run::set_output`] states them.
    ByBound = sys::BP_SIZED_BY_BOUND,
    /// In the run, where [`crate::Run::set_output`] allocates.
    InRun = sys::BP_SIZED_IN_RUN,
}

/// One input or output of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its name.
    pub name: &'static CStr,
    /// Which data types it may have: numbers of [`crate::layers::data_type`].
    pub data_types: &'static [u32],
    /// May be left out.
    pub is_optional: bool,
    /// The last one, which stands for all that follow, too.
    pub is_variadic: bool,
    /// [`Backend::infer`] needs the values of this input.
    pub has_values: bool,
    /// Wanted in memory of the CPU.
    pub in_cpu_memory: bool,
    /// Slots of one group have one data type; 0: of no group.
    pub type_group: u32,
    /// When the extents of an output are known.
    pub sizing: Sizing,
}

impl Slot {
    /// A slot that is always there.
    pub const fn new(name: &'static CStr, data_types: &'static [u32]) -> Self {
        Slot {
            name,
            data_types,
            is_optional: false,
            is_variadic: false,
            has_values: false,
            in_cpu_memory: false,
            type_group: 0,
            sizing: Sizing::ByShape,
        }
    }
}

/// An operator of the backend's own.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The domain, such as "com.acme".
    pub domain: &'static CStr,
    /// The name in the domain.
    pub name: &'static CStr,
    /// One sentence for users.
    pub text: &'static CStr,
    /// From which version of the domain's operator set to which, inclusive.
    pub versions: (u32, u32),
    /// The inputs.
    pub inputs: Vec<Slot>,
    /// The outputs.
    pub outputs: Vec<Slot>,
    /// The attributes.
    pub attributes: Vec<OptionSchema>,
    /// Which input an output may lie in: pairs of an input and an output.
    pub may_alias: Vec<(u32, u32)>,
    /// Which input an output must lie in.
    pub must_alias: Vec<(u32, u32)>,
    /// Equal inputs may give other outputs.
    pub is_impure: bool,
}

impl Operator {
    /// An operator of version 1 without tensors and attributes.
    pub const fn new(domain: &'static CStr, name: &'static CStr, text: &'static CStr) -> Self {
        Operator {
            domain,
            name,
            text,
            versions: (1, 1),
            inputs: Vec::new(),
            outputs: Vec::new(),
            attributes: Vec::new(),
            may_alias: Vec::new(),
            must_alias: Vec::new(),
            is_impure: false,
        }
    }
}

/// A tensor with its content.
#[derive(Clone, Debug)]
pub struct OwnTensor {
    data_type: u32,
    dims: Vec<i64>,
    words: Vec<u64>, // so that it is aligned for every element
    num_bytes: usize,
}

impl OwnTensor {
    /// A dense tensor of these extents.
    ///
    /// # Panics
    /// The extents have another number of elements.
    pub fn new<T: Element>(dims: &[i64], elements: &[T]) -> Self {
        let count: i64 = dims.iter().product();
        assert_eq!(count as usize, elements.len(), "the extents have another number of elements");
        let num_bytes = std::mem::size_of_val(elements);
        let mut words = vec![0u64; num_bytes.div_ceil(8)];
        let to = words.as_mut_ptr() as *mut u8;
        unsafe { ptr::copy_nonoverlapping(elements.as_ptr() as *const u8, to, num_bytes) };
        OwnTensor { data_type: T::DATA_TYPE, dims: dims.to_vec(), words, num_bytes }
    }
    pub(crate) fn data_type(&self) -> u32 {
        self.data_type
    }
    pub(crate) fn dims(&self) -> &[i64] {
        &self.dims
    }
}

/// A layer of an own operator with inputs and the outputs that are right.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the case: one line on what it shows.
    pub name: &'static CStr,
    /// The operator's domain, name and version.
    pub operator: (&'static CStr, &'static CStr, u32),
    /// The attributes that the layer states.
    pub attributes: Vec<(&'static CStr, Value<'static>)>,
    /// The inputs.
    pub inputs: Vec<OwnTensor>,
    /// The outputs.
    pub outputs: Vec<OwnTensor>,
    /// Each element may differ by this and by this part of its value.
    pub tolerance: f64,
}

/// An output that a backend states.
#[derive(Clone)]
pub enum OutputInfo<'a> {
    /// Like another tensor.
    Like(TensorInfo<'a>),
    /// A data type and extents; -1 where one is open.
    New(u32, Vec<i64>),
    /// The same, of an output whose extents are known later; of [`Sizing::ByBound`], the greatest.
    Sized(Sizing, u32, Vec<i64>),
}

impl OutputInfo<'_> {
    pub(crate) fn to_raw(&self) -> sys::bp_tensor_info {
        match self {
            OutputInfo::Like(info) => *info.raw(),
            OutputInfo::New(data_type, dims) => make_info(*data_type, dims),
            OutputInfo::Sized(sizing, data_type, dims) => {
                sys::bp_tensor_info { sizing: *sizing as u32, ..make_info(*data_type, dims) }
            }
        }
    }
}

/// A kind of tensor memory that workloads can use.
pub struct KindInfo<'a, K: Kind> {
    /// "Vendor/Backend/Kind".
    pub id: &'static CStr,
    /// The kind, which lies in the instance, the context or the model; `None`: another's, as that
    /// of
    /// [`crate::HOST_MEMORY`].
    pub kind: Option<&'a OwnKind<K>>,
    /// Layers may write where they read.
    pub is_in_place: bool,
    /// [`crate::Handle::import`] takes memory of the CPU.
    pub imports: bool,
}

impl<'a, K: Kind> KindInfo<'a, K> {
    /// A kind of another's, by its id.
    pub fn other(id: &'static CStr) -> Self {
        KindInfo { id, kind: None, is_in_place: false, imports: false }
    }
}

pub(crate) fn make_info(data_type: u32, dims: &[i64]) -> sys::bp_tensor_info {
    sys::bp_tensor_info {
        size_bytes: size::<sys::bp_tensor_info>(),
        data_type,
        rank: dims.len() as u32,
        dims: dims.as_ptr(),
        ..unsafe { crate::zeroed() }
    }
}

/// A list of the host's, for one call.
pub(crate) struct Sink {
    pub host: *const sys::bp_host,
    pub sink: *mut sys::bp_sink,
    pub error: *mut sys::bp_error,
}

impl Sink {
    /// # Safety
    /// `item` is the number of a struct `T`.
    pub(crate) unsafe fn add<T>(&self, item: u32, value: &T) -> Result<()> {
        let value = value as *const T as *const c_void;
        check(unsafe { ((*self.host).add)(self.sink, item, value, self.error) })
    }
}

struct StoredSchema {
    raw: sys::bp_option_schema,
    _values: [Option<Box<Stored>>; 3],
    _allowed: Box<(sys::bp_value, Vec<sys::bp_text>)>,
}

fn store_schema(schema: &OptionSchema) -> StoredSchema {
    let (least, greatest) = (schema.bounds.map(|b| b.0), schema.bounds.map(|b| b.1));
    let values = [Some(schema.initial), least, greatest].map(|v| v.map(|v| Stored::new(&v)));
    let point = |stored: &Option<Box<Stored>>| {
        stored.as_ref().map_or(ptr::null(), |stored| stored.get() as *const _)
    };
    let texts: Vec<_> = schema.allowed.iter().map(|text| crate::value::store_text(text)).collect();
    let list = sys::bp_value {
        r#type: sys::BP_VALUE_TEXT,
        is_list: 1,
        count: texts.len() as u64,
        data: texts.as_ptr() as *const c_void,
    };
    let allowed = Box::new((list, texts));
    let raw = sys::bp_option_schema {
        size_bytes: size::<sys::bp_option_schema>(),
        flags: match schema.place {
            Place::Both => 0,
            Place::Context => sys::BP_OPTION_OF_CONTEXT,
            Place::Network => sys::BP_OPTION_OF_NETWORK,
        },
        name: schema.name.as_ptr(),
        text: schema.text.as_ptr(),
        initial: point(&values[0]),
        least: point(&values[1]),
        greatest: point(&values[2]),
        allowed: if schema.allowed.is_empty() { ptr::null() } else { &allowed.0 },
    };
    StoredSchema { raw, _values: values, _allowed: allowed }
}

fn point_to<T>(items: &[T]) -> Vec<*const T> {
    items.iter().map(|item| item as *const T).collect()
}

fn store_slots(slots: &[Slot]) -> Vec<sys::bp_operator_slot> {
    let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    let store = |slot: &Slot| sys::bp_operator_slot {
        size_bytes: size::<sys::bp_operator_slot>(),
        flags: flag(slot.is_optional, sys::BP_SLOT_OPTIONAL)
            | flag(slot.is_variadic, sys::BP_SLOT_VARIADIC)
            | flag(slot.has_values, sys::BP_SLOT_VALUE)
            | flag(slot.in_cpu_memory, sys::BP_SLOT_CPU_MEMORY),
        name: slot.name.as_ptr(),
        data_types: slot.data_types.as_ptr(),
        num_data_types: slot.data_types.len() as u32,
        type_group: slot.type_group,
        sizing: slot.sizing as u32,
        reserved: 0,
    };
    slots.iter().map(store).collect()
}

fn add_operator(sink: &Sink, operator: &Operator) -> Result<()> {
    let (inputs, outputs) = (store_slots(&operator.inputs), store_slots(&operator.outputs));
    let (input_list, output_list) = (point_to(&inputs), point_to(&outputs));
    let schemas: Vec<_> = operator.attributes.iter().map(store_schema).collect();
    let attributes: Vec<_> = schemas.iter().map(|schema| &schema.raw as *const _).collect();
    let to_pairs = |pairs: &[(u32, u32)]| -> Vec<_> {
        pairs.iter().map(|&(input, output)| sys::bp_pair { input, output }).collect()
    };
    let (may_alias, must_alias) = (to_pairs(&operator.may_alias), to_pairs(&operator.must_alias));
    let raw = sys::bp_operator {
        size_bytes: size::<sys::bp_operator>(),
        flags: if operator.is_impure { sys::BP_OPERATOR_IMPURE } else { 0 },
        domain: operator.domain.as_ptr(),
        r#type: operator.name.as_ptr(),
        text: operator.text.as_ptr(),
        version_from: operator.versions.0,
        version_to: operator.versions.1,
        inputs: input_list.as_ptr(),
        outputs: output_list.as_ptr(),
        num_inputs: inputs.len() as u32,
        num_outputs: outputs.len() as u32,
        min_inputs: 0, // 0 and 0: the host counts the slots
        max_inputs: 0,
        min_outputs: 0,
        max_outputs: 0,
        attributes: attributes.as_ptr(),
        num_attributes: attributes.len() as u32,
        may_alias: may_alias.as_ptr(),
        num_may_alias: may_alias.len() as u32,
        must_alias: must_alias.as_ptr(),
        num_must_alias: must_alias.len() as u32,
        num_subgraphs: 0,
    };
    unsafe { sink.add(sys::BP_ITEM_OPERATOR, &raw) }
}

pub(crate) fn make_constant(tensor: &OwnTensor, info: &sys::bp_tensor_info) -> sys::bp_constant {
    sys::bp_constant {
        size_bytes: size::<sys::bp_constant>(),
        info,
        data: tensor.words.as_ptr() as *const c_void,
        num_bytes: tensor.num_bytes as u64,
        ..unsafe { crate::zeroed() }
    }
}

fn add_case(sink: &Sink, case: &Case) -> Result<()> {
    let info = |tensor: &OwnTensor| make_info(tensor.data_type, &tensor.dims);
    let tensors: Vec<&OwnTensor> = case.inputs.iter().chain(&case.outputs).collect();
    let infos: Vec<_> = tensors.iter().map(|tensor| info(tensor)).collect();
    let constants: Vec<_> =
        tensors.iter().zip(&infos).map(|(t, info)| make_constant(t, info)).collect();
    let list = point_to(&constants);
    let values: Vec<_> = case.attributes.iter().map(|named| Stored::new(&named.1)).collect();
    let attributes: Vec<_> =
        values.iter().zip(&case.attributes).map(|(value, named)| value.named(named.0)).collect();
    let layer = sys::bp_custom_descriptor {
        size_bytes: size::<sys::bp_custom_descriptor>(),
        version: case.operator.2,
        domain: case.operator.0.as_ptr(),
        r#type: case.operator.1.as_ptr(),
        attributes: attributes.as_ptr(),
        num_attributes: attributes.len() as u32,
        num_subgraphs: 0,
    };
    let raw = sys::bp_operator_case {
        size_bytes: size::<sys::bp_operator_case>(),
        reserved: 0,
        name: case.name.as_ptr(),
        layer: &layer,
        inputs: list.as_ptr(),
        outputs: list[case.inputs.len()..].as_ptr(),
        num_inputs: case.inputs.len() as u32,
        num_outputs: case.outputs.len() as u32,
        tolerance: case.tolerance,
    };
    unsafe { sink.add(sys::BP_ITEM_OPERATOR_CASE, &raw) }
}

fn add_kind<K: Kind>(sink: &Sink, info: &KindInfo<'_, K>) -> Result<()> {
    let mut raw: sys::bp_kind_info = unsafe { crate::zeroed() };
    raw.size_bytes = size::<sys::bp_kind_info>();
    raw.id = info.id.as_ptr();
    if let Some(kind) = info.kind {
        raw.flags = sys::BP_KIND_MAP | if info.is_in_place { sys::BP_KIND_IN_PLACE } else { 0 };
        raw.kind = kind.as_raw();
        raw.import_sources = if info.imports { sys::BP_MEMORY_CPU } else { 0 };
        raw.export_sources = sys::BP_MEMORY_CPU;
        raw.allocate_source = sys::BP_MEMORY_CPU;
    }
    unsafe { sink.add(sys::BP_ITEM_KIND, &raw) }
}

pub(crate) fn describe<B: Backend>(scope: &Scope<'_, B>, item: u32, sink: &Sink) -> Result<()> {
    let backend = scope.backend();
    match item {
        sys::BP_ITEM_CAPABILITY => backend.capabilities().iter().try_for_each(|(name, value)| {
            let stored = Stored::new(value);
            unsafe { sink.add(item, &stored.named(name)) }
        }),
        sys::BP_ITEM_OPTION => backend
            .options()
            .iter()
            .try_for_each(|schema| unsafe { sink.add(item, &store_schema(schema).raw) }),
        sys::BP_ITEM_OPERATOR => backend.operators().iter().try_for_each(|o| add_operator(sink, o)),
        sys::BP_ITEM_OPERATOR_CASE => {
            backend.operator_cases().iter().try_for_each(|case| add_case(sink, case))
        }
        sys::BP_ITEM_COUNTER => backend.counters(scope).iter().try_for_each(|counter| {
            let raw = sys::bp_counter {
                size_bytes: size::<sys::bp_counter>(),
                id: counter.id,
                name: counter.name.as_ptr(),
                unit: counter.unit.as_ptr(),
                text: counter.text.as_ptr(),
            };
            unsafe { sink.add(item, &raw) }
        }),
        sys::BP_ITEM_KIND => backend.kinds(scope).iter().try_for_each(|kind| add_kind(sink, kind)),
        _ => Ok(()),
    }
}
