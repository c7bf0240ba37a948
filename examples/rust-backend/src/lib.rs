//! A backend in Rust: ReLU, the sum of two tensors and an operator of its own, of float32. All
//! connected layers are compiled into one, its tensors lie in rows that are aligned, and options
//! say how. To begin one of your own, copy this folder, rename it, and put your kernels into
//! `program.rs`.
#![forbid(unsafe_op_in_unsafe_fn)]

mod program;
mod rows;

use backplane_backend::layers::{
    activation_function, binary_operation, data_type, ActivationDescriptor,
    ElementwiseBinaryDescriptor,
};
use backplane_backend::{
    Backend, Builder, Case, Compiled, Error, Fit, KindInfo, Layer, Loaded, MemoryReport, Offer,
    Operator, OptionSchema, OutputInfo, OwnKind, OwnTensor, Place, Progress, ResizeArgs, Result,
    Run, Scope, Slot, Start, Support, Value, Workload, IN_PLACE, RANK,
};
use program::Program;
use rows::Rows;
use std::ffi::CStr;
use std::sync::Arc;

/// The form in which programs are saved.
const FORMAT: &CStr = c"example-rust-1";

/// One start of the backend.
struct Example {
    rows: OwnKind<Rows>,
}

/// The options of a runtime: how many elements are computed at a time.
struct Context {
    block: usize,
}

/// The options of a network.
struct Model {
    is_fusing: bool,
}

const SLOPE: OptionSchema =
    OptionSchema::new(c"slope", c"What numbers below 0 are multiplied with.", Value::Float(0.01));

impl Backend for Example {
    const ID: &'static CStr = c"ExampleRust";
    type Context = Context;
    type Model = Model;
    type Compiled = Program;
    type Builder = Maker;
    type Workload<'w> = Step;
    type Loaded = Network;
    type State = Vec<f32>;
    type Kind = Rows;

    fn start(args: &Start<'_>) -> Result<Self> {
        Ok(Example { rows: OwnKind::new(args, Rows) })
    }

    fn capabilities(&self) -> Vec<(&'static CStr, Value<'static>)> {
        vec![(RANK, Value::Int(10)), (IN_PLACE, Value::Bool(true))]
    }

    fn options(&self) -> Vec<OptionSchema> {
        let block = OptionSchema {
            bounds: Some((Value::Int(1), Value::Int(65536))),
            place: Place::Context,
            ..OptionSchema::new(c"block", c"Elements that are computed at a time.", Value::Int(64))
        };
        let fuse = OptionSchema {
            place: Place::Network,
            ..OptionSchema::new(c"fuse", c"Whether connected layers become one.", Value::Bool(true))
        };
        vec![block, fuse]
    }

    fn operators(&self) -> Vec<Operator> {
        vec![Operator {
            versions: (1, 2),
            inputs: vec![Slot::new(c"x", &[data_type::FLOAT32])],
            outputs: vec![Slot::new(c"y", &[data_type::FLOAT32])],
            attributes: vec![SLOPE],
            may_alias: vec![(0, 0)],
            ..Operator::new(c"example", c"Leaky", c"Numbers below 0 times a slope.")
        }]
    }

    fn operator_cases(&self) -> Vec<Case> {
        vec![Case {
            name: c"half of what is below 0",
            operator: (c"example", c"Leaky", 1),
            attributes: vec![(c"slope", Value::Float(0.5))],
            inputs: vec![OwnTensor::new(&[2], &[-2.0f32, 3.0])],
            outputs: vec![OwnTensor::new(&[2], &[-1.0f32, 3.0])],
            tolerance: 0.0,
        }]
    }

    fn kinds<'a>(&'a self, _scope: &Scope<'a, Self>) -> Vec<KindInfo<'a, Rows>> {
        let id = c"Example/ExampleRust/Rows";
        vec![KindInfo { id, kind: Some(&self.rows), is_in_place: true, imports: true }]
    }

    fn context(&self, scope: &Scope<'_, Self>) -> Result<Option<Context>> {
        let block = match scope.option("block") {
            Some(Value::Int(block)) => block as usize,
            _ => 64,
        };
        Ok(Some(Context { block }))
    }

    fn model(&self, scope: &Scope<'_, Self>) -> Result<Option<Model>> {
        Ok(Some(Model { is_fusing: scope.option("fuse") != Some(Value::Bool(false)) }))
    }

    fn supports(
        &self, _scope: &Scope<'_, Self>, layer: &Layer<'_, '_, Self>,
        support: &mut Support<'_, Self>,
    ) -> Result<()> {
        check_operator(layer)?;
        for (index, input) in layer.inputs().enumerate() {
            let input = input.ok_or(Error::unsupported("an input is left out"))?;
            if input.data_type() != data_type::FLOAT32 {
                let text = "data type {} is not supported, only float32 (1)";
                return Err(Error::unsupported(text.replace("{}", &input.data_type().to_string())));
            }
            if input.dims() != layer.output(0).dims() {
                return Err(Error::unsupported(
                    "the inputs have different shapes, but broadcasting is not supported",
                ));
            }
            support.in_place(index, 0);
        }
        for slot in 0..=layer.inputs().len() {
            support.want(slot, &self.rows);
        }
        Ok(())
    }

    fn infer<'a>(&self, layer: &Layer<'a, '_, Self>) -> Result<Vec<OutputInfo<'a>>> {
        let input = layer.inputs().next().flatten().ok_or(Error::invalid("Leaky has one input"))?;
        Ok(vec![OutputInfo::Like(input)])
    }

    fn optimize(&self, scope: &Scope<'_, Self>, offer: &Offer<'_, Self>) -> Result<()> {
        let is_fusing = scope.model().is_some_and(|model| model.is_fusing);
        let Some(inputs) = is_fusing.then(|| Program::find_inputs(offer)).flatten() else {
            return offer.untouched(&offer.part());
        };
        let cached = offer.load_cached(FORMAT)?;
        let program = match cached.and_then(|content| Program::from_bytes(&content)) {
            Some(program) => program,
            None => {
                let program = Program::compile(offer, &inputs)?;
                if offer.has_cache() {
                    offer.store_cached(FORMAT, &program.to_bytes())?;
                }
                program
            }
        };
        offer.replace_all(c"fused", &inputs, program)
    }

    fn load(
        &self, _scope: &Scope<'_, Self>, content: &[u8], _progress: Progress<'_>,
    ) -> Result<Program> {
        Program::from_bytes(content).ok_or(Error::unsupported("it is no program of this version"))
    }

    fn check(&self, _scope: &Scope<'_, Self>, description: Option<&str>) -> Result<(Fit, &CStr)> {
        let fit = match description {
            None => Fit::Unasked,
            Some(description) if description.as_bytes() == FORMAT.to_bytes() => Fit::Fits,
            Some(_) => Fit::Never,
        };
        Ok((fit, FORMAT))
    }

    fn builder(&self, scope: &Scope<'_, Self>) -> Result<Maker> {
        let block = scope.context().map_or(64, |context| context.block);
        Ok(Maker { network: Network { block, num_values: 0 } })
    }
}

/// Says why a layer cannot run here.
fn check_operator(layer: &Layer<'_, '_, Example>) -> Result<()> {
    if let Some(activation) = layer.descriptor::<ActivationDescriptor>() {
        let function = activation.function;
        if function != activation_function::RELU {
            return Err(Error::unsupported(format!(
                "activation function {function} is not supported, only Relu (1)"
            )));
        }
    } else if let Some(binary) = layer.descriptor::<ElementwiseBinaryDescriptor>() {
        let operation = binary.operation;
        if operation != binary_operation::ADD {
            return Err(Error::unsupported(format!(
                "operation {operation} is not supported, only Add (1)"
            )));
        }
    } else if layer.custom().is_none() {
        return Err(Error::unsupported(format!(
            "layer type {} is not supported, only Activation (16), ElementwiseBinary (20) and \
             example/Leaky",
            layer.layer_type()
        )));
    }
    Ok(())
}

/// Makes the workloads of one network.
struct Maker {
    network: Network,
}

impl Builder<Example> for Maker {
    fn workload<'w>(
        &mut self, _scope: &Scope<'_, Example>, layer: &Layer<'_, 'w, Example>,
    ) -> Result<Step> {
        let program = match layer.compiled() {
            Some(program) => program,
            None => Arc::new(Program::of_layer(layer)),
        };
        self.network.num_values = self.network.num_values.max(program.num_values());
        Ok(Step { program, block: self.network.block })
    }
    fn load(&mut self, _scope: &Scope<'_, Example>) -> Result<Network> {
        Ok(self.network)
    }
}

/// A loaded network: what a run needs.
#[derive(Clone, Copy)]
struct Network {
    block: usize,
    num_values: usize, // of the largest program
}

impl Loaded<Example> for Network {
    fn state(&self, _scope: &Scope<'_, Example>) -> Result<Vec<f32>> {
        Ok(vec![0.0; self.num_values * self.block])
    }
    fn memory(&self) -> MemoryReport {
        let scratch = (self.num_values * self.block * 4) as u64;
        MemoryReport { scratch, ..MemoryReport::default() }
    }
}

/// One layer, or several that were compiled.
struct Step {
    program: Arc<Program>,
    block: usize,
}

impl Workload<Example> for Step {
    fn run(&self, run: &Run<'_, Example>, scratch: &mut Vec<f32>) -> Result<()> {
        self.program.run(run, scratch, self.block)
    }
}

impl Compiled<Example> for Program {
    /// A program knows no extents, and no content of constants.
    fn resize(&self, _scope: &Scope<'_, Example>, _args: &ResizeArgs<'_>) -> Result<Option<Self>> {
        Ok(Some(self.clone()))
    }
    /// All inputs of a block of elements are read before an output is written.
    fn in_place(&self) -> Vec<(u32, u32)> {
        let count = self.num_inputs().min(self.num_outputs()) as u32;
        (0..count).map(|index| (index, index)).collect()
    }
    fn save(&self, _scope: &Scope<'_, Example>, _progress: Progress<'_>) -> Result<Vec<u8>> {
        Ok(self.to_bytes())
    }
}

backplane_backend::backend! {
    type: Example,
    id: "ExampleRust",
    vendor: "Example",
    version: "1.0.0",
    license: "Apache-2.0",
    rank: 10,
    operators: "example/Leaky/1-2",
}
