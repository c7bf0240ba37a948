//! A backend of the Rust crate without memory of its own: ReLU, the sum of two tensors and an
//! operator of its own, of float32. Constants stay where they are. With an option, a run panics.

use backplane_backend::layers::{
    activation_function, binary_operation, data_type, layer_type, ActivationDescriptor,
    ElementwiseBinaryDescriptor,
};
use backplane_backend::sys::bp_backend;
use backplane_backend::table::{table, Table};
use backplane_backend::{
    Answer, Backend, Builder, Error, Layer, NoKind, Offer, Operator, OptionSchema, OutputInfo,
    OutputSlot, OwnTensor, Part, Place, Result, Run, Scope, Slot, Start, Support, Value, Workload,
    IN_PLACE, RANK,
};
use std::ffi::CStr;

struct Relu;

const SLOPE: OptionSchema =
    OptionSchema::new(c"slope", c"What numbers below 0 are multiplied with.", Value::Float(0.01));

impl Backend for Relu {
    const ID: &'static CStr = c"RustRelu";
    type Context = ();
    type Model = Model;
    type Compiled = ();
    type Builder = Maker;
    type Workload<'w> = Step<'w>;
    type Loaded = ();
    type State = ();
    type Kind = NoKind;

    fn start(args: &Start<'_>) -> Result<Self> {
        args.log(backplane_backend::layers::log_level::DEBUG, "a backend in Rust starts");
        Ok(Relu)
    }
    fn capabilities(&self) -> Vec<(&'static CStr, Value<'static>)> {
        vec![(RANK, Value::Int(10)), (IN_PLACE, Value::Bool(true))]
    }
    fn options(&self) -> Vec<OptionSchema> {
        let text = c"Whether a run panics that meets what is not a number.";
        let option = OptionSchema::new(c"panic_on_nan", text, Value::Bool(false));
        let text = c"Whether each network is told of.";
        let tone = OptionSchema::new(c"tone", text, Value::Text("quiet"));
        let tone = OptionSchema { allowed: &["quiet", "loud"], ..tone };
        let text = c"Whether a sum with a constant becomes one with a copy of it.";
        let rewrite = OptionSchema::new(c"rewrite", text, Value::Bool(false));
        let place = Place::Network;
        vec![OptionSchema { place, ..option }, tone, OptionSchema { place, ..rewrite }]
    }
    fn operators(&self) -> Vec<Operator> {
        vec![Operator {
            versions: (1, 2),
            inputs: vec![Slot::new(c"x", &[data_type::FLOAT32])],
            outputs: vec![Slot::new(c"y", &[data_type::FLOAT32])],
            attributes: vec![SLOPE],
            ..Operator::new(c"example", c"Leaky", c"Numbers below 0 times a slope.")
        }]
    }
    fn model(&self, scope: &Scope<'_, Self>) -> Result<Option<Model>> {
        if scope.option("tone") == Some(Value::Text("loud")) {
            scope.log(backplane_backend::layers::log_level::INFO, "a network in Rust");
        }
        let is_on = |name: &str| scope.option(name) == Some(Value::Bool(true));
        Ok(Some(Model { panics_on_nan: is_on("panic_on_nan"), rewrites: is_on("rewrite") }))
    }
    fn optimize(&self, scope: &Scope<'_, Self>, offer: &Offer<'_, Self>) -> Result<()> {
        let part = offer.part();
        let rewrites = scope.model().is_some_and(|model| model.rewrites);
        match offer.layers().next().filter(|_| rewrites && offer.layers().len() == 1) {
            Some(layer) => rewrite(offer, &part, &layer),
            None => offer.untouched(&part),
        }
    }
    fn supports(
        &self, _scope: &Scope<'_, Self>, layer: &Layer<'_, '_, Self>,
        support: &mut Support<'_, Self>,
    ) -> Result<()> {
        let operation = find_operation(layer)?;
        assert!(!operation.is_leaky(13.0), "thirteen is not asked about");
        for (index, input) in layer.inputs().enumerate() {
            let input = input.ok_or(Error::unsupported("an input is left out"))?;
            if input.data_type() != data_type::FLOAT32 || input.is_quantized() {
                return Err(Error::unsupported("only float32, not quantised, is supported"));
            }
            if input.dims() != layer.output(0).dims() {
                return Err(Error::unsupported("broadcasting is not supported"));
            }
            support.in_place(index, 0);
        }
        Ok(())
    }
    fn infer<'a>(&self, layer: &Layer<'a, '_, Self>) -> Result<Vec<OutputInfo<'a>>> {
        let input = layer.inputs().next().flatten().ok_or(Error::invalid("Leaky has one input"))?;
        Ok(vec![OutputInfo::Like(input)])
    }
    fn builder(&self, _scope: &Scope<'_, Self>) -> Result<Maker> {
        Ok(Maker)
    }
}

/// The options of a network.
struct Model {
    panics_on_nan: bool, // of a run that meets one
    rewrites: bool,
}

/// Puts a sum with a copy of the constant in the place of a sum of a tensor and a constant.
fn rewrite(offer: &Offer<'_, Relu>, part: &Part, layer: &Layer<'_, '_, Relu>) -> Result<()> {
    let (Some(sum), Some(constant)) =
        (layer.descriptor::<ElementwiseBinaryDescriptor>(), layer.constant(1))
    else {
        return offer.untouched(part);
    };
    let shared = offer.share_constant(constant)?;
    offer.release_constant(constant)?;
    let to_float = |bytes: &[u8]| f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let elements: Vec<f32> = shared.bytes().chunks_exact(4).map(to_float).collect();
    let copy = OwnTensor::new(constant.info().dims(), &elements);
    let copy = OutputSlot { layer: offer.add_constant(c"copy", &copy)?, index: 0 };
    let (inputs, like) = ([part.inputs[0], copy], [OutputInfo::Like(layer.output(0))]);
    let kind = layer_type::ELEMENTWISE_BINARY;
    let sum = offer.add_layer(kind, &sum, c"sum", &inputs, &like)?;
    let outputs = vec![OutputSlot { layer: sum, index: 0 }];
    let by = Part { layers: vec![copy.layer, sum], inputs: part.inputs.clone(), outputs };
    offer.answer(part, Answer::Replaced(&by))
}

#[derive(Clone, Copy)]
enum Operation {
    Add,
    Leaky(f32), // ReLU has a slope of 0
}

impl Operation {
    fn is_leaky(self, slope: f32) -> bool {
        matches!(self, Operation::Leaky(own) if own == slope)
    }
}

/// Says why a layer cannot run here.
fn find_operation(layer: &Layer<'_, '_, Relu>) -> Result<Operation> {
    if let Some(ActivationDescriptor { function, .. }) = layer.descriptor() {
        if function == activation_function::RELU {
            return Ok(Operation::Leaky(0.0));
        }
        let text = format!("activation function {function} is not supported, only Relu (1)");
        return Err(Error::unsupported(text));
    }
    if let Some(ElementwiseBinaryDescriptor { operation, .. }) = layer.descriptor() {
        if operation == binary_operation::ADD {
            return Ok(Operation::Add);
        }
        return Err(Error::unsupported(format!("operation {operation} is not supported")));
    }
    match layer.custom().map(|leaky| leaky.attribute("slope")) {
        Some(Some(Value::Float(slope))) => Ok(Operation::Leaky(slope as f32)),
        Some(_) => Ok(Operation::Leaky(0.01)),
        None => {
            Err(Error::unsupported(format!("layer type {} is not supported", layer.layer_type())))
        }
    }
}

struct Maker;

impl Builder<Relu> for Maker {
    fn workload<'w>(
        &mut self, scope: &Scope<'_, Relu>, layer: &Layer<'_, 'w, Relu>,
    ) -> Result<Step<'w>> {
        let find = |input: usize| layer.constant(input).and_then(|constant| constant.elements());
        let operation = find_operation(layer)?;
        assert!(!operation.is_leaky(14.0), "fourteen is not made");
        Ok(Step {
            operation,
            constants: [find(0), find(1)],
            panics_on_nan: scope.model().is_some_and(|model| model.panics_on_nan),
        })
    }
    fn load(&mut self, _scope: &Scope<'_, Relu>) -> Result<()> {
        Ok(())
    }
}

struct Step<'w> {
    operation: Operation,
    constants: [Option<&'w [f32]>; 2],
    panics_on_nan: bool,
}

impl Workload<Relu> for Step<'_> {
    fn run(&self, run: &Run<'_, Relu>, _state: &mut ()) -> Result<()> {
        let a = run.input(0).elements::<f32>()?;
        let y = run.output(0).elements::<f32>()?;
        if self.panics_on_nan && a.iter().any(|x| x.get().is_nan()) {
            panic!("an input of {} elements has one that is not a number", a.len());
        }
        match (self.operation, self.constants) {
            (Operation::Add, [None, Some(b)]) => {
                for ((a, b), y) in a.iter().zip(b).zip(y) {
                    y.set(a.get() + b);
                }
            }
            (Operation::Add, _) => {
                let b = run.input(1).elements::<f32>()?;
                for ((a, b), y) in a.iter().zip(b).zip(y) {
                    y.set(a.get() + b.get());
                }
            }
            (Operation::Leaky(slope), _) => {
                for (x, y) in a.iter().map(|x| x.get()).zip(y) {
                    let below = if slope != 0.0 { slope * x } else { 0.0 };
                    y.set(if x < 0.0 { below } else { x });
                }
            }
        }
        Ok(())
    }
}

/// A table that ends before `resize`, as that of an older backend does.
const OLDER: Table = {
    let size_bytes = std::mem::offset_of!(bp_backend, resize) as u32;
    // All functions are those of the backend.
    unsafe { Table::new(bp_backend { size_bytes, ..*table::<Relu>().get() }) }
};

backplane_backend::backend! {
    type: Relu,
    id: "RustRelu",
    vendor: "Example Works",
    version: "1.0.0",
    license: "MIT",
    rank: 10,
    operators: "example/Leaky/1-2",
    table: OLDER,
}
