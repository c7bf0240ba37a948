//! A backend in Rust, without a crate: ReLU, the sum of two tensors and an operator of its own, of
//! float32. It knows the table of backplane/c/backend.h alone, and has no variables.
//!
//! No panic leaves a function of the table, and memory that is refused is told instead of ending
//! the process. An input may lie where the output lies, so that elements are cells.
#![allow(non_snake_case)]

use std::cell::Cell;
use std::ffi::{c_char, c_void, CStr};
use std::fmt::{Arguments, Write};
use std::mem::{offset_of, size_of};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

/// What it uses of backend.h and layers.h. Objects of the host are `c_void`.
mod c {
    use super::{Builder, Loaded, Model, Workload};
    use std::ffi::{c_char, c_void};

    pub const SUCCESS: i32 = 0;
    pub const FAILURE: i32 = 1;
    pub const INVALID_ARGUMENT: i32 = 2;
    pub const UNSUPPORTED: i32 = 3;
    pub const OUT_OF_MEMORY: i32 = 4;

    pub const VALUE_BOOL: u32 = 1;
    pub const VALUE_INT: u32 = 2;
    pub const ITEM_CAPABILITY: u32 = 1;
    pub const VALUE_FLOAT: u32 = 3;
    pub const ITEM_OPTION: u32 = 2;
    pub const ITEM_OPERATOR: u32 = 4;
    pub const ITEM_TENSOR_INFO: u32 = 7;
    pub const OPTION_OF_NETWORK: u32 = 2;
    pub const LOG_LEVEL_DEBUG: u32 = 2;

    pub const FLOAT32: u32 = 1;
    pub const LAYER_ACTIVATION: u32 = 16;
    pub const LAYER_ELEMENTWISE_BINARY: u32 = 20;
    pub const LAYER_CUSTOM: u32 = 81;
    pub const ACTIVATION_RELU: u32 = 1;
    pub const BINARY_ADD: u32 = 1;

    #[repr(C)]
    pub struct Value {
        pub kind: u32,
        pub is_list: u32,
        pub count: u64,
        pub data: *const c_void,
    }
    #[repr(C)]
    pub struct NamedValue {
        pub name: *const c_char,
        pub value: Value,
    }
    #[repr(C)]
    pub struct OptionSchema {
        pub size_bytes: u32,
        pub flags: u32,
        pub name: *const c_char,
        pub text: *const c_char,
        pub initial: *const Value,
        pub least: *const Value,
        pub greatest: *const Value,
        pub allowed: *const Value,
    }
    #[repr(C)]
    pub struct TensorInfo {
        pub size_bytes: u32,
        pub data_type: u32,
        pub rank: u32,
        pub storage: u32,
        pub dims: *const i64,
        pub extents: *const c_void,
        pub quantization: *const c_void,
        pub sizing: u32,
        pub num_metadata: u32,
        pub metadata: *const NamedValue,
    }
    #[repr(C)]
    pub struct Constant {
        pub size_bytes: u32,
        pub reserved: u32,
        pub info: *const TensorInfo,
        pub data: *const c_void, // and more behind it
    }
    #[repr(C)]
    pub struct View {
        pub size_bytes: u32,
        pub data_type: u32,
        pub rank: u32,
        pub storage: u32,
        pub data: *mut c_void,
        pub dims: *const i64,
        pub strides: *const i64,
        pub num_bytes: u64,
        pub access: u32,
        pub reserved: u32,
        pub file: i32,
        pub device: u32,
        pub source: u64,
        pub device_address: u64,
        pub offset: u64,
        pub alignment: u64,
        pub token: u64,
    }
    #[repr(C)]
    pub struct Tensor {
        pub view: *const View,
        pub handle: *mut c_void,
        pub flags: u64,
    }
    #[repr(C)]
    pub struct Layer {
        pub size_bytes: u32,
        pub layer_type: u32,
        pub name: *const c_char,
        pub descriptor: *const c_void,
        pub inputs: *const *const TensorInfo,
        pub outputs: *const *const TensorInfo,
        pub num_inputs: u32,
        pub num_outputs: u32,
        pub constants: *const *const Constant, // and more behind it
    }
    /// Both descriptors begin like this.
    #[repr(C)]
    pub struct Descriptor {
        pub size_bytes: u32,
        pub function: u32,
    }
    /// An operator of the backend's own.
    #[repr(C)]
    pub struct CustomDescriptor {
        pub size_bytes: u32,
        pub version: u32,
        pub domain: *const c_char,
        pub layer_type: *const c_char,
        pub attributes: *const NamedValue,
        pub num_attributes: u32,
        pub num_subgraphs: u32,
    }
    #[repr(C)]
    pub struct OperatorSlot {
        pub size_bytes: u32,
        pub flags: u32,
        pub name: *const c_char,
        pub data_types: *const u32,
        pub num_data_types: u32,
        pub type_group: u32,
        pub sizing: u32,
        pub reserved: u32,
    }
    #[repr(C)]
    pub struct Operator {
        pub size_bytes: u32,
        pub flags: u32,
        pub domain: *const c_char,
        pub layer_type: *const c_char,
        pub text: *const c_char,
        pub version_from: u32,
        pub version_to: u32,
        pub inputs: *const *const OperatorSlot,
        pub outputs: *const *const OperatorSlot,
        pub num_inputs: u32,
        pub num_outputs: u32,
        pub min_inputs: u32,
        pub max_inputs: u32,
        pub min_outputs: u32,
        pub max_outputs: u32,
        pub attributes: *const c_void,
        pub may_alias: *const c_void,
        pub must_alias: *const c_void,
        pub num_attributes: u32,
        pub num_may_alias: u32,
        pub num_must_alias: u32,
        pub num_subgraphs: u32,
    }
    #[repr(C)]
    pub struct Scope {
        pub size_bytes: u32,
        pub num_options: u32,
        pub host: *const Host,
        pub log: *const c_void,
        pub instance: *mut c_void,
        pub context: *mut c_void,
        pub model: *const Model,
        pub network: *mut c_void,
        pub options: *const NamedValue, // and more behind it
    }
    #[repr(C)]
    pub struct Failure {
        pub size_bytes: u32,
        pub status: i32,
        pub text: *const c_char,
        pub reason: u32,
        pub num_values: u32,
        pub vendor_code: i64,
        pub values: *const NamedValue,
    }
    #[repr(C)]
    pub struct ScopeArgs {
        pub size_bytes: u32,
        pub reserved: u32,
        pub scope: *const Scope,
    }
    #[repr(C)]
    pub struct DescribeArgs {
        pub size_bytes: u32,
        pub item: u32,
        pub scope: *const Scope,
    }
    #[repr(C)]
    pub struct LayerArgs {
        pub size_bytes: u32,
        pub reserved: u32,
        pub scope: *const Scope,
        pub layer: *const Layer,
    }
    #[repr(C)]
    pub struct Support {
        pub size_bytes: u32,
        pub reserved: u32,
        pub time_us: f64,
        pub scratch_bytes: u64,
        pub constant_bytes: u64,
        pub in_place: *mut u64,
        pub kinds: *mut *mut c_void,
    }
    #[repr(C)]
    pub struct RunArgs {
        pub size_bytes: u32,
        pub step: u32,
        pub scope: *const Scope,
        pub state: *mut c_void,
        pub inputs: *const Tensor,
        pub outputs: *const Tensor,
        pub num_inputs: u32,
        pub num_outputs: u32,
        pub run: *const c_void,
        pub waits: *const c_void,
        pub signals: *const c_void,
        pub num_waits: u32,
        pub num_signals: u32, // and more behind it
    }

    /// A function that it does not have, or does not call.
    pub type Other = Option<unsafe extern "C" fn()>;
    #[repr(C)]
    pub struct Host {
        pub size_bytes: u32,
        pub major: u32,
        pub minor: u32,
        pub reserved: u32,
        pub name: *const c_char,
        pub log_level: unsafe extern "C" fn(*const c_void) -> u32,
        pub log: unsafe extern "C" fn(*const c_void, u32, *const c_char),
        pub fail: unsafe extern "C" fn(*mut c_void, *const Failure) -> i32,
        pub extension: Other,
        pub add: unsafe extern "C" fn(*mut c_void, u32, *const c_void, *mut c_void) -> i32,
        pub allocate_to_progress: [Other; 15],
    }
    /// A function of an object, with arguments, what it fills and an error.
    pub type Call<Object, Args, Out> =
        unsafe extern "C" fn(*mut Object, *const Args, *mut Out, *mut c_void) -> i32;
    pub type Free<Object> = unsafe extern "C" fn(*mut Object);
    #[repr(C)]
    pub struct Backend {
        pub size_bytes: u32,
        pub major: u32,
        pub needs_minor: u32,
        pub knows_minor: u32,
        pub id: *const c_char,
        pub start: Other,
        pub stop: Other,
        pub extension: Other,
        pub describe: Call<c_void, DescribeArgs, c_void>,
        pub make_context: Other,
        pub free_context: Other,
        pub network_event: Other,
        pub make_model: Call<c_void, ScopeArgs, *mut Model>,
        pub free_model: Free<Model>,
        pub supports: Call<c_void, LayerArgs, Support>,
        pub infer: Call<c_void, LayerArgs, c_void>,
        pub optimize_to_check: [Other; 5],
        pub make_builder: Call<c_void, ScopeArgs, *mut Builder>,
        pub free_builder: Free<Builder>,
        pub make_workload: Call<Builder, LayerArgs, *mut Workload>,
        pub free_workload: Free<Workload>,
        pub make_loaded: Call<Builder, ScopeArgs, *mut Loaded>,
        pub free_loaded: Free<Loaded>,
        pub memory: Other,
        pub make_state: Other,
        pub free_state: Other,
        pub run: unsafe extern "C" fn(*const Workload, *const RunArgs, *mut c_void) -> i32,
        pub wait_to_free_profiler: [Other; 13],
    }
    // It is only read.
    unsafe impl Sync for Backend {}
}

// As on 64-bit machines in C; languages_test.cpp has the same numbers.
const _: () = assert!(size_of::<c::Backend>() == 336 && size_of::<c::Host>() == 184);
const _: () = assert!(offset_of!(c::Backend, supports) == 96);
const _: () = assert!(offset_of!(c::Backend, make_builder) == 152);
const _: () = assert!(offset_of!(c::Backend, run) == 224);
const _: () = assert!(offset_of!(c::Host, fail) == 40 && offset_of!(c::Host, add) == 56);
const _: () = assert!(offset_of!(c::Layer, constants) == 48);
const _: () = assert!(offset_of!(c::RunArgs, num_waits) == 72);
const _: () = assert!(size_of::<c::View>() == 104 && size_of::<c::TensorInfo>() == 56);
const _: () = assert!(size_of::<c::OptionSchema>() == 56 && size_of::<c::Failure>() == 40);
const _: () = assert!(size_of::<c::CustomDescriptor>() == 40);
const _: () = assert!(size_of::<c::Operator>() == 120 && size_of::<c::OperatorSlot>() == 40);

// ---- Failures

/// A text of ASCII that takes no memory from anywhere. What does not fit is cut off.
struct Text {
    bytes: [u8; 256], // the last one stays 0
    length: usize,
}
impl Text {
    fn new(arguments: Arguments) -> Self {
        let mut text = Text { bytes: [0; 256], length: 0 };
        let _ = text.write_fmt(arguments); // it never fails
        text
    }
    fn as_ptr(&self) -> *const c_char {
        self.bytes.as_ptr() as *const c_char
    }
}
impl Write for Text {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let room = self.bytes.len() - 1 - self.length;
        let count = text.len().min(room);
        self.bytes[self.length..self.length + count].copy_from_slice(&text.as_bytes()[..count]);
        self.length += count;
        Ok(())
    }
}

struct Failure {
    status: i32,
    text: Option<Text>, // None: the host has said it already
}
impl Failure {
    fn new(status: i32, arguments: Arguments) -> Self {
        Failure { status, text: Some(Text::new(arguments)) }
    }
}
type Outcome = Result<(), Failure>;

macro_rules! fail {
    ($status:ident, $($text:tt)*) => {
        return Err(Failure::new(c::$status, format_args!($($text)*)))
    };
}

/// Calls what a function of the table does. A panic ends here, and is told as a failure.
unsafe fn guard(scope: *const c::Scope, error: *mut c_void, call: impl FnOnce() -> Outcome) -> i32 {
    let failure = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return c::SUCCESS,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().copied();
            let said = said.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Failure::new(
                c::FAILURE,
                format_args!("the backend panicked: {}", said.unwrap_or("it says nothing")),
            )
        }
    };
    let Some(text) = failure.text else { return failure.status };
    let told = c::Failure {
        size_bytes: size_of::<c::Failure>() as u32,
        status: failure.status,
        text: text.as_ptr(),
        reason: 0,
        num_values: 0,
        vendor_code: 0,
        values: ptr::null(),
    };
    ((*(*scope).host).fail)(error, &told)
}

// ---- Objects

/// Gives the host an object.
unsafe fn give<T>(object: T, out: *mut *mut T) -> Outcome {
    let mut room = Vec::new();
    if room.try_reserve_exact(1).is_err() {
        fail!(OUT_OF_MEMORY, "there is no memory left");
    }
    room.push(object);
    *out = Box::into_raw(room.into_boxed_slice()) as *mut T;
    Ok(())
}

/// Takes back what `give` gave.
unsafe fn take<T>(object: *mut T) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(Box::from_raw(object))));
}

/// What is kept for one network.
pub struct Model {
    panics_on_nan: bool,
}
pub struct Builder {
    num_layers: u32,
}
pub struct Loaded {
    num_layers: u32,
}
/// It never changes: several threads run it at once.
pub struct Workload {
    is_sum: bool,
    slope: f32, // of numbers below 0; 0: of ReLU
    panics_on_nan: bool,
    count: usize,
    constants: [*const f32; 2], // null: the input is no constant; they stay as long as this
}

unsafe fn slice<'a, T>(data: *const T, count: u32) -> &'a [T] {
    if count == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(data, count as usize)
    }
}

impl c::TensorInfo {
    fn dims(&self) -> &[i64] {
        unsafe { slice(self.dims, self.rank) }
    }
}

// ---- Layers

/// The attribute "slope" of the operator of its own, its only one.
unsafe fn read_slope(layer: &c::Layer) -> Result<f64, Failure> {
    let custom = &*(layer.descriptor as *const c::CustomDescriptor);
    let mut slope = 0.01;
    for attribute in slice(custom.attributes, custom.num_attributes) {
        let value = &attribute.value;
        let is_float = value.kind == c::VALUE_FLOAT && value.is_list == 0;
        if CStr::from_ptr(attribute.name) != c"slope" || !is_float {
            fail!(UNSUPPORTED, "the only attribute is slope, a number with a fraction");
        }
        slope = *(value.data as *const f64);
    }
    Ok(slope)
}

/// Says why a layer cannot run here.
unsafe fn check_layer(layer: &c::Layer) -> Outcome {
    if layer.layer_type == c::LAYER_ACTIVATION {
        let function = (*(layer.descriptor as *const c::Descriptor)).function;
        if function != c::ACTIVATION_RELU {
            fail!(UNSUPPORTED, "activation function {function} is not supported, only Relu (1)");
        }
    } else if layer.layer_type == c::LAYER_ELEMENTWISE_BINARY {
        let operation = (*(layer.descriptor as *const c::Descriptor)).function;
        if operation != c::BINARY_ADD {
            fail!(UNSUPPORTED, "operation {operation} is not supported, only Add (1)");
        }
    } else if layer.layer_type == c::LAYER_CUSTOM {
        let num_inputs = layer.num_inputs;
        if num_inputs != 1 {
            fail!(UNSUPPORTED, "Leaky has {num_inputs} inputs; expected 1");
        }
        read_slope(layer)?;
    } else {
        let layer_type = layer.layer_type;
        fail!(
            UNSUPPORTED,
            "layer type {layer_type} is not supported, only Activation (16) and \
             ElementwiseBinary (20)"
        );
    }
    let output = &**layer.outputs;
    for (index, info) in slice(layer.inputs, layer.num_inputs).iter().enumerate() {
        let Some(info) = info.as_ref() else { fail!(UNSUPPORTED, "input {index} is left out") };
        if info.data_type != c::FLOAT32 || !info.quantization.is_null() {
            let data_type = info.data_type;
            fail!(
                UNSUPPORTED,
                "input {index} has the data type {data_type}; only float32 (1), not quantised, is \
                 supported"
            );
        }
        if info.dims() != output.dims() {
            fail!(
                UNSUPPORTED,
                "input {index} has the extents {:?} and the output {:?}; broadcasting is not \
                 supported",
                info.dims(),
                output.dims()
            );
        }
    }
    Ok(())
}

unsafe extern "C" fn supports(
    _: *mut c_void, args: *const c::LayerArgs, support: *mut c::Support, error: *mut c_void,
) -> i32 {
    let args = &*args;
    guard(args.scope, error, || {
        let layer = &*args.layer;
        check_layer(layer)?;
        *(*support).in_place = (1 << layer.num_inputs) - 1;
        Ok(())
    })
}

/// The output of Leaky is as its input.
unsafe extern "C" fn infer(
    _: *mut c_void, args: *const c::LayerArgs, sink: *mut c_void, error: *mut c_void,
) -> i32 {
    let args = &*args;
    guard(args.scope, error, || {
        let layer = &*args.layer;
        if layer.num_inputs != 1 {
            fail!(INVALID_ARGUMENT, "Leaky has one input");
        }
        let host = &*(*args.scope).host;
        let info = *layer.inputs as *const c_void;
        match (host.add)(sink, c::ITEM_TENSOR_INFO, info, error) {
            c::SUCCESS => Ok(()),
            status => Err(Failure { status, text: None }),
        }
    })
}

// ---- What it says of itself

unsafe extern "C" fn describe(
    _: *mut c_void, args: *const c::DescribeArgs, sink: *mut c_void, error: *mut c_void,
) -> i32 {
    let args = &*args;
    guard(args.scope, error, || {
        let host = &*(*args.scope).host;
        let add = |item: *const c_void| match (host.add)(sink, args.item, item, error) {
            c::SUCCESS => Ok(()),
            status => Err(Failure { status, text: None }),
        };
        let value = |kind: u32, number: &i64| c::Value {
            kind,
            is_list: 0,
            count: 1,
            data: number as *const i64 as *const c_void,
        };
        let capability = |name: &CStr, value: c::Value| {
            let named = c::NamedValue { name: name.as_ptr(), value };
            add(&named as *const c::NamedValue as *const c_void)
        };
        match args.item {
            c::ITEM_CAPABILITY => {
                capability(c"Rank", value(c::VALUE_INT, &10))?;
                capability(c"InPlace", value(c::VALUE_BOOL, &1))
            }
            c::ITEM_OPTION => {
                let initial = value(c::VALUE_BOOL, &0);
                let option = c::OptionSchema {
                    size_bytes: size_of::<c::OptionSchema>() as u32,
                    flags: c::OPTION_OF_NETWORK,
                    name: c"panic_on_nan".as_ptr(),
                    text: c"Whether a run panics that meets what is not a number.".as_ptr(),
                    initial: &initial,
                    least: ptr::null(),
                    greatest: ptr::null(),
                    allowed: ptr::null(),
                };
                add(&option as *const c::OptionSchema as *const c_void)
            }
            c::ITEM_OPERATOR => {
                let tensor = c::OperatorSlot {
                    size_bytes: size_of::<c::OperatorSlot>() as u32,
                    flags: 0,
                    name: c"x".as_ptr(),
                    data_types: &c::FLOAT32,
                    num_data_types: 1,
                    type_group: 0,
                    sizing: 0,
                    reserved: 0,
                };
                let tensors = [&tensor as *const c::OperatorSlot];
                let leaky = c::Operator {
                    size_bytes: size_of::<c::Operator>() as u32,
                    flags: 0,
                    domain: c"example".as_ptr(),
                    layer_type: c"Leaky".as_ptr(),
                    text: c"Numbers below 0 times a slope.".as_ptr(),
                    version_from: 1,
                    version_to: 2,
                    inputs: tensors.as_ptr(),
                    outputs: tensors.as_ptr(),
                    num_inputs: 1,
                    num_outputs: 1,
                    min_inputs: 1,
                    max_inputs: 1,
                    min_outputs: 1,
                    max_outputs: 1,
                    attributes: ptr::null(),
                    may_alias: ptr::null(),
                    must_alias: ptr::null(),
                    num_attributes: 0,
                    num_may_alias: 0,
                    num_must_alias: 0,
                    num_subgraphs: 0,
                };
                add(&leaky as *const c::Operator as *const c_void)
            }
            _ => Ok(()),
        }
    })
}

// ---- Networks

unsafe extern "C" fn make_model(
    _: *mut c_void, args: *const c::ScopeArgs, model: *mut *mut Model, error: *mut c_void,
) -> i32 {
    let scope = &*(*args).scope;
    guard(scope, error, || {
        let options = slice(scope.options, scope.num_options);
        let is_on = |option: &c::NamedValue| {
            let is_this = CStr::from_ptr(option.name) == c"panic_on_nan";
            is_this && *(option.value.data as *const i64) != 0
        };
        let panics_on_nan = options.iter().any(is_on);
        give(Model { panics_on_nan }, model)
    })
}
unsafe extern "C" fn free_model(model: *mut Model) {
    take(model)
}

unsafe extern "C" fn make_builder(
    _: *mut c_void, args: *const c::ScopeArgs, builder: *mut *mut Builder, error: *mut c_void,
) -> i32 {
    guard((*args).scope, error, || give(Builder { num_layers: 0 }, builder))
}
unsafe extern "C" fn free_builder(builder: *mut Builder) {
    take(builder)
}

unsafe extern "C" fn make_workload(
    builder: *mut Builder, args: *const c::LayerArgs, workload: *mut *mut Workload,
    error: *mut c_void,
) -> i32 {
    let args = &*args;
    guard(args.scope, error, || {
        let layer = &*args.layer;
        check_layer(layer)?;
        let is_leaky = layer.layer_type == c::LAYER_CUSTOM;
        let mut made = Workload {
            is_sum: layer.layer_type == c::LAYER_ELEMENTWISE_BINARY,
            slope: if is_leaky { read_slope(layer)? as f32 } else { 0.0 },
            panics_on_nan: (*args.scope).model.as_ref().map_or(false, |m| m.panics_on_nan),
            count: (**layer.outputs).dims().iter().product::<i64>() as usize,
            constants: [ptr::null(); 2],
        };
        if !layer.constants.is_null() {
            for (index, constant) in slice(layer.constants, layer.num_inputs).iter().enumerate() {
                let data = constant.as_ref().map_or(ptr::null(), |constant| constant.data);
                made.constants[index] = data as *const f32;
            }
        }
        (*builder).num_layers += 1;
        give(made, workload)
    })
}
unsafe extern "C" fn free_workload(workload: *mut Workload) {
    take(workload)
}

unsafe extern "C" fn make_loaded(
    builder: *mut Builder, args: *const c::ScopeArgs, loaded: *mut *mut Loaded, error: *mut c_void,
) -> i32 {
    let scope = &*(*args).scope;
    guard(scope, error, || {
        give(Loaded { num_layers: (*builder).num_layers }, loaded)?;
        let host = &*scope.host;
        if (host.log_level)(scope.log) <= c::LOG_LEVEL_DEBUG {
            let line = Text::new(format_args!("Rust loads {} layers", (**loaded).num_layers));
            (host.log)(scope.log, c::LOG_LEVEL_DEBUG, line.as_ptr());
        }
        Ok(())
    })
}
unsafe extern "C" fn free_loaded(loaded: *mut Loaded) {
    take(loaded)
}

// ---- Runs

type Found<'a> = Result<&'a [Cell<f32>], Failure>;

/// The elements of a tensor in memory of the CPU. Nobody else has them while the run lasts, but
/// other tensors of it.
unsafe fn find_elements<'a>(tensor: &'a c::Tensor, count: usize) -> Found<'a> {
    let view = tensor.view.as_ref().filter(|view| !view.data.is_null());
    let Some(view) = view else {
        fail!(INVALID_ARGUMENT, "a tensor is not in memory of the CPU");
    };
    let dims = slice(view.dims, view.rank);
    let mut stride = size_of::<f32>() as i64;
    for axis in (0..dims.len()).rev() {
        if dims[axis] != 1 && !view.strides.is_null() && *view.strides.add(axis) != stride {
            fail!(INVALID_ARGUMENT, "a tensor is not dense");
        }
        stride *= dims[axis];
    }
    if view.data_type != c::FLOAT32 || stride as usize != count * size_of::<f32>() {
        fail!(INVALID_ARGUMENT, "a tensor is not the one that the layer was made for");
    }
    Ok(std::slice::from_raw_parts(view.data as *const Cell<f32>, count))
}

impl Workload {
    unsafe fn find_input<'a>(&self, args: &'a c::RunArgs, index: u32) -> Found<'a> {
        let constant = self.constants[index as usize];
        if !constant.is_null() {
            return Ok(std::slice::from_raw_parts(constant as *const Cell<f32>, self.count));
        }
        find_elements(&*args.inputs.add(index as usize), self.count)
    }
}

unsafe extern "C" fn run(
    workload: *const Workload, args: *const c::RunArgs, error: *mut c_void,
) -> i32 {
    let args = &*args;
    guard(args.scope, error, || {
        let workload = &*workload;
        if args.num_waits != 0 {
            fail!(UNSUPPORTED, "fences are not waited for");
        }
        if workload.count == 0 {
            return Ok(());
        }
        let a = workload.find_input(args, 0)?;
        let b = workload.find_input(args, args.num_inputs - 1)?;
        let y = find_elements(&*args.outputs, workload.count)?;
        let is_nan = |x: &Cell<f32>| x.get().is_nan();
        if workload.panics_on_nan && a.iter().chain(b).any(is_nan) {
            panic!("an input of {} elements has one that is not a number", workload.count);
        }
        if workload.is_sum {
            for ((a, b), y) in a.iter().zip(b).zip(y) {
                y.set(a.get() + b.get());
            }
        } else {
            for (x, y) in a.iter().zip(y) {
                let below = if workload.slope != 0.0 { workload.slope * x.get() } else { 0.0 };
                y.set(if x.get() < 0.0 { below } else { x.get() });
            }
        }
        Ok(())
    })
}

// ---- The table

/// The version stands in note.h alone.
const NOTE: &[u8] = include_bytes!("../../../plugin-api/include/backplane/c/note.h");

/// The number behind some text of note.h.
const fn find_number(before: &[u8]) -> u32 {
    let mut at = 0;
    loop {
        let mut length = 0;
        while length < before.len() && NOTE[at + length] == before[length] {
            length += 1;
        }
        at += if length == before.len() { length } else { 1 };
        if length != before.len() {
            continue;
        }
        let mut number = 0;
        while NOTE[at].is_ascii_digit() {
            number = 10 * number + (NOTE[at] - b'0') as u32;
            at += 1;
        }
        return number;
    }
}
const MAJOR: u32 = find_number(b"#define BP_API_MAJOR ");
const DRAFT: u32 = find_number(b"#define BP_API_DRAFT ");
const MINOR: u32 = 0; // needed and known

// The note of note.h.
core::arch::global_asm!(
    ".pushsection .note.backplane.abi, \"a\", %note",
    ".balign 4",
    ".long 10",
    ".long 28",
    ".long 1",
    ".asciz \"Backplane\"",
    ".balign 4",
    ".long 0x4e504b42",
    ".long {major}",
    ".long {minor}",
    ".long {draft}",
    ".long {minor}",
    ".long {pointer_bits}",
    ".long 0",
    ".balign 4",
    ".popsection",
    major = const MAJOR,
    minor = const MINOR,
    draft = const DRAFT,
    pointer_bits = const usize::BITS,
);

static BACKEND: c::Backend = c::Backend {
    size_bytes: size_of::<c::Backend>() as u32,
    major: MAJOR,
    needs_minor: MINOR,
    knows_minor: MINOR,
    id: c"RustRelu".as_ptr(),
    start: None,
    stop: None,
    extension: None,
    describe,
    make_context: None,
    free_context: None,
    network_event: None,
    make_model,
    free_model,
    supports,
    infer,
    optimize_to_check: [None; 5],
    make_builder,
    free_builder,
    make_workload,
    free_workload,
    make_loaded,
    free_loaded,
    memory: None,
    make_state: None,
    free_state: None,
    run,
    wait_to_free_profiler: [None; 13],
};

#[no_mangle]
pub extern "C" fn GetBackendId() -> *const c_char {
    BACKEND.id
}

/// # Safety
/// Both point to numbers.
#[no_mangle]
pub unsafe extern "C" fn GetVersion(major: *mut u32, minor: *mut u32) {
    *major = MAJOR;
    *minor = MINOR;
}

#[no_mangle]
pub extern "C" fn BackendFactory() -> *mut c_void {
    &BACKEND as *const c::Backend as *mut c_void
}
