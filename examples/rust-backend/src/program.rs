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

    /// The tensors that the program of a whole offer reads, constants among them. `None`: its
    /// layers are fewer than two, or have several shapes, as unconnected ones may.
    pub fn find_inputs(offer: &Offer<'_, Example>) -> Option<Vec<OutputSlot>> {
        let layers: Vec<_> = offer.layers().collect();
        let dims = layers.first()?.output(0).dims();
        if layers.len() < 2 || layers.iter().any(|layer| layer.output(0).dims() != dims) {
            return None;
        }
        let mut inputs: Vec<OutputSlot> = Vec::new();
        for slot in layers.iter().flat_map(|layer| layer.sources()) {
            let is_inside = layers.iter().any(|layer| layer.id() == slot.layer);
            if !is_inside && !inputs.contains(slot) {
                inputs.push(*slot);
            }
        }
        Some(inputs)
    }

    /// The program of a whole offer, which reads these tensors.
    pub fn compile(offer: &Offer<'_, Example>, inputs: &[OutputSlot]) -> Result<Self> {
        let layers: Vec<_> = offer.layers().collect();
        let find = |slot: &OutputSlot| {
            let of_layer = layers.iter().position(|layer| layer.id() == slot.layer);
            let of_input = || inputs.iter().position(|input| input == slot);
            let value = of_layer.map(|index| inputs.len() + index).or_else(of_input);
            value.ok_or(Error::invalid("a layer reads what no layer makes"))
        };
        let mut instructions = Vec::with_capacity(layers.len());
        for layer in &layers {
            let sources = layer.sources();
            let (a, b) = (find(&sources[0])?, find(&sources[sources.len() - 1])?);
            instructions.push(translate(layer, a, b));
        }
        let outputs = offer.part().outputs.iter().map(find).collect::<Result<_>>()?;
        Ok(Program { num_inputs: inputs.len(), instructions, outputs })
    }

    /// The program as words of 4 bytes: how many inputs, instructions and outputs it has, each
    /// instruction as three, and each output.
    pub fn to_bytes(&self) -> Vec<u8> {
        let counts = [self.num_inputs, self.instructions.len(), self.outputs.len()];
        let mut words = counts.map(|count| count as u32).to_vec();
        for instruction in &self.instructions {
            words.extend(match *instruction {
                Instruction::Add(a, b) => [0, a as u32, b as u32],
                Instruction::Leaky(x, slope) => [1, x as u32, slope.to_bits()],
            });
        }
        words.extend(self.outputs.iter().map(|&value| value as u32));
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// The program of these bytes; `None`: they are of none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let to_word = |word: &[u8]| Some(u32::from_le_bytes(word.try_into().ok()?));
        let words: Vec<u32> = bytes.chunks(4).map(to_word).collect::<Option<_>>()?;
        let [num_inputs, num_instructions, num_outputs] = *words.first_chunk::<3>()?;
        let (num_inputs, split) = (num_inputs as usize, 3 * num_instructions as usize + 3);
        if words.len() != split + num_outputs as usize {
            return None;
        }
        let mut instructions = Vec::new();
        for (index, word) in words[3..split].chunks_exact(3).enumerate() {
            let (a, num_before) = (word[1] as usize, num_inputs + index);
            instructions.push(match word[0] {
                0 if a < num_before && (word[2] as usize) < num_before => {
                    Instruction::Add(a, word[2] as usize)
                }
                1 if a < num_before => Instruction::Leaky(a, f32::from_bits(word[2])),
                _ => return None,
            });
        }
        let outputs: Vec<_> = words[split..].iter().map(|&value| value as usize).collect();
        let program = Program { num_inputs, instructions, outputs };
        let is_right = program.outputs.iter().all(|&value| value < program.num_values());
        is_right.then_some(program)
    }

    pub fn num_inputs(&self) -> usize {
        self.num_inputs
    }

    pub fn num_outputs(&self) -> usize {
        self.outputs.len()
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
