#include "memory/aligned_memory.hpp"
#include "recurrent/gate_functions.hpp"
#include "recurrent/packed_weights.hpp"
#include "recurrent/recurrent_memory.hpp"
#include "simd/simd.hpp"
#include "test/run_layer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using namespace cpuacc;
using Floats = std::vector<float>;

constexpr std::int64_t kBatch = 7;
constexpr std::int64_t kInputs = 5;

/// The tensors of a layer of one step: sequences, weights, recurrent weights, bias and, of LSTM,
/// peepholes.
struct LayerContent {
  LayerContent(std::int64_t hidden, std::int64_t gates) {
    conformance::Random random(7);
    tensors = {random.Tensor({1, kBatch, kInputs}).data,
               random.Tensor({1, gates * hidden, kInputs}).data,
               random.Tensor({1, gates * hidden, hidden}).data,
               random.Tensor({1, 2 * gates * hidden}).data, random.Tensor({1, 3 * hidden}).data};
    state = random.Tensor({kBatch, hidden}).data;
  }

  std::vector<Floats> tensors;
  Floats state;
};

RecurrentShape MakeRecurrentCellsShape(std::int64_t hidden, std::int64_t gates) {
  const TensorInfo infos[] = {TensorInfo({1, kBatch, kInputs}, DataType::kFloat32),
                              TensorInfo({1, gates * hidden, kInputs}, DataType::kFloat32),
                              TensorInfo({1, gates * hidden, hidden}, DataType::kFloat32)};
  const TensorInfo* inputs[] = {&infos[0], &infos[1], &infos[2]};
  cpu_layers::Layer layer;
  layer.inputs = inputs;
  layer.num_inputs = 3;
  struct Descriptor {
    RecurrentDirection direction = RecurrentDirection::kForward;
    RecurrentLayout layout = RecurrentLayout::kStepsFirst;
    std::uint32_t has_bias = 1;
    std::uint32_t has_sequence_lengths = 0;
    std::uint32_t has_initial_hidden = 0;
    float clip = 0.0F;
  };
  cpu_layers::RecurrentOptions options(Descriptor(), static_cast<std::uint32_t>(gates));
  options.has_peepholes = gates == 4 ? 1 : 0;
  return RecurrentShape(layer, options);
}

/// The hidden states after one step.
Floats Advance(const RecurrentFunctions& functions, RecurrentCellKind kind, std::int64_t hidden) {
  const std::int64_t gates = kind == RecurrentCellKind::kLstm  ? 4
                             : kind == RecurrentCellKind::kRnn ? 1
                                                               : 3;
  LayerContent content(hidden, gates);
  const RecurrentShape shape = MakeRecurrentCellsShape(hidden, gates);
  const WeightPacking packing(shape, kind, functions.lanes);
  const RecurrentMemory memory(shape, packing.GetNumBlocks() * functions.lanes, packing.GetSize());
  const std::shared_ptr<void> scratch = AllocateAligned(memory.GetSizeBytes());
  const RecurrentBuffers buffers = memory.Place(scratch.get());
  const void* inputs[] = {content.tensors[0].data(), content.tensors[1].data(),
                          content.tensors[2].data(), content.tensors[3].data(),
                          content.tensors[4].data()};
  packing.Pack(inputs, buffers.weights);
  RecurrentCell cell;
  cell.weights = packing.Find(buffers.weights, 0);
  cell.num_inputs = kInputs;
  cell.num_hidden = hidden;
  cell.has_input_forget = false;
  const RecurrentGate tanh{RecurrentActivation::kTanH, 1.0F, 1.0F};
  const RecurrentGate usual[] = {kind == RecurrentCellKind::kRnn ? tanh : RecurrentGate(), tanh,
                                 tanh};
  SetGateFunctions(usual, 0.0F, kind, cell);
  const UnitBlocks blocks{0, packing.GetNumBlocks()};
  functions.project[static_cast<int>(kind)](cell, content.tensors[0].data(), kBatch, blocks,
                                            blocks.last, buffers.gates);
  Floats outputs(static_cast<std::size_t>(kBatch * hidden), 77.0F);
  for (std::int64_t n = 0; n < kBatch; ++n) {
    RecurrentRow& row = buffers.items[n];
    row.gates = buffers.gates + n * blocks.last * functions.lanes * gates;
    row.output = outputs.data() + n * hidden;
    std::copy_n(content.state.data() + n * hidden, hidden, row.before);
    std::copy_n(content.state.data() + n * hidden, hidden, row.cell);
  }
  if (kind == RecurrentCellKind::kGru) functions.reset(cell, buffers.items, kBatch, blocks);
  functions.advance[static_cast<int>(kind)](cell, buffers.items, kBatch, blocks);
  return outputs;
}

TEST(RecurrentCells, AreTheSameForEveryInstructionSet) {
  const SimdFunctions* baseline = FindSimdFunctions(InstructionSet::kBaseline);
  ASSERT_NE(baseline, nullptr);
  for (const auto set : {InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const SimdFunctions* functions = FindSimdFunctions(set);
    if (functions == nullptr) continue;
    for (int kind = 0; kind < kNumRecurrentCellKinds; ++kind) {
      for (const std::int64_t hidden : {1, 3, 8, 16, 21}) {
        SCOPED_TRACE("kind " + std::to_string(kind) + ", hidden " + std::to_string(hidden));
        const Floats expected =
            Advance(baseline->recurrent, static_cast<RecurrentCellKind>(kind), hidden);
        const Floats found =
            Advance(functions->recurrent, static_cast<RecurrentCellKind>(kind), hidden);
        for (std::size_t i = 0; i < expected.size(); ++i) {
          ASSERT_NEAR(found[i], expected[i], 1e-5F) << "element " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
