//! Programs that layers become: lists of instructions, run for a few elements at a time.
use crate::Example;
use backplane_backend::layers::layer_type;
use backplane_backend::{Error, Layer, Offer, OutputSlot, Result, Run, Value};

/// Operands are numbers of values: of inputs first, then of the results of instructions.
#[derive(Clone, Copy)]
enum Instruction {
    Add(usize, usize),
    Leaky(usize, f32), // ReLU has a slope of 0
}

#[derive(Clone)]
pub struct Program {
    num_inputs: usize,
    instructions: Vec<Instruction>,
    outputs: Vec<usize>, // the value that each is
}

impl Program {
    /// The program of one layer.
    pub fn of_layer(layer: &Layer<'_, '_, Example>) -> Self {
        let num_inputs = layer.inputs().len();
        let instructions = vec![translate(layer, 0, num_inputs - 1)];
        Program { num_inputs, instructions, outputs: vec![num_inputs] }
    }

    /// The program of a whole offer, and what it reads, constants among it. `None`: its layers are
    /// fewer than two, or have several shapes, as unconnected ones may.
    pub fn compile(offer: &Offer<'_, Example>) -> Option<(Vec<OutputSlot>, Self)> {
        let layers: Vec<_> = offer.layers().collect();
        let dims = layers.first()?.output(0).dims();
        if layers.len() < 2 || layers.iter().any(|layer| layer.output(0).dims() != dims) {
            return None;
        }
        let find_layer =
            |slot: &OutputSlot| layers.iter().position(|layer| layer.id() == slot.layer);
        let mut inputs: Vec<OutputSlot> = Vec::new();
        for slot in layers.iter().flat_map(|layer| layer.sources()) {
            if find_layer(slot).is_none() && !inputs.contains(slot) {
                inputs.push(*slot);
            }
        }
        let find = |slot: &OutputSlot| match find_layer(slot) {
            Some(index) => Some(inputs.len() + index),
            None => inputs.iter().position(|input| input == slot),
        };
        let mut instructions = Vec::with_capacity(layers.len());
        for layer in &layers {
            let sources = layer.sources();
            instructions.push(translate(layer, find(sources.first()?)?, find(sources.last()?)?));
        }
        let outputs = offer.part().outputs.iter().map(find).collect::<Option<_>>()?;
        let num_inputs = inputs.len();
        Some((inputs, Program { num_inputs, instructions, outputs }))
    }

    pub fn num_values(&self) -> usize {
        self.num_inputs + self.instructions.len()
    }

    /// Runs row by row, and in each row a block of elements at a time. All inputs of a block are
    /// read before an output is written, so that an output may lie where an input lies.
    pub fn run(&self, run: &Run<'_, Example>, scratch: &mut [f32], block: usize) -> Result<()> {
        let rows = run.output(0).rows::<f32>()?;
        for row in 0..rows.count() {
            for first in (0..rows.length()).step_by(block) {
                let count = block.min(rows.length() - first);
                self.run_block(run, scratch, row, first, count)?;
            }
        }
        Ok(())
    }

    fn run_block(
        &self, run: &Run<'_, Example>, scratch: &mut [f32], row: usize, first: usize, count: usize,
    ) -> Result<()> {
        for (index, values) in scratch.chunks_exact_mut(count).take(self.num_inputs).enumerate() {
            let elements = run.input(index).rows::<f32>()?.get(row).get(first..first + count);
            let elements = elements.ok_or(Error::invalid("an input is shorter than the output"))?;
            for (value, element) in values.iter_mut().zip(elements) {
                *value = element.get();
            }
        }
        for (index, instruction) in self.instructions.iter().enumerate() {
            let (before, after) = scratch.split_at_mut((self.num_inputs + index) * count);
            let operand = |value: usize| &before[value * count..][..count];
            compute(instruction, operand, &mut after[..count]);
        }
        for (index, value) in self.outputs.iter().enumerate() {
            let elements = run.output(index).rows::<f32>()?.get(row).get(first..first + count);
            let elements = elements.ok_or(Error::invalid("an output is shorter than the first"))?;
            for (element, value) in elements.iter().zip(&scratch[value * count..]) {
                element.set(*value);
            }
        }
        Ok(())
    }
}

/// The instruction of a layer that [`crate::check_operator`] takes.
fn translate(layer: &Layer<'_, '_, Example>, a: usize, b: usize) -> Instruction {
    if layer.layer_type() == layer_type::ELEMENTWISE_BINARY {
        return Instruction::Add(a, b);
    }
    let slope = layer.custom().map(|leaky| leaky.attribute("slope"));
    match slope {
        Some(Some(Value::Float(slope))) => Instruction::Leaky(a, slope as f32),
        Some(_) => Instruction::Leaky(a, 0.01),
        None => Instruction::Leaky(a, 0.0),
    }
}

fn compute<'a>(
    instruction: &Instruction, operand: impl Fn(usize) -> &'a [f32], result: &mut [f32],
) {
    match *instruction {
        Instruction::Add(a, b) => {
            for ((result, a), b) in result.iter_mut().zip(operand(a)).zip(operand(b)) {
                *result = a + b;
            }
        }
        Instruction::Leaky(x, slope) if slope != 0.0 => {
            for (result, &x) in result.iter_mut().zip(operand(x)) {
                *result = if x < 0.0 { slope * x } else { x };
            }
        }
        Instruction::Leaky(x, _) => {
            for (result, &x) in result.iter_mut().zip(operand(x)) {
                *result = if x < 0.0 { 0.0 } else { x };
            }
        }
    }
}
