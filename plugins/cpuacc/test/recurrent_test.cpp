#include "test/expect_close.hpp"
#include "test/run_on_cpuacc.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/gru.hpp>
#include <backplane/api/descriptors/lstm.hpp>
#include <backplane/api/descriptors/rnn.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

struct Sizes {
  std::int64_t steps;
  std::int64_t batch;
  std::int64_t inputs;
  std::int64_t hidden;
};

/// Blocks of units that are full, partly full or alone; rows that go together and single ones;
/// enough work for threads; nothing at all.
constexpr Sizes kSizes[] = {{1, 33, 8, 8},   {33, 1, 8, 4},  {1, 1, 128, 128}, {3, 5, 7, 1},
                            {4, 3, 5, 17},   {2, 9, 16, 33}, {20, 2, 40, 100}, {12, 6, 20, 64},
                            {5, 1, 64, 256}, {0, 2, 3, 4},   {2, 0, 3, 4},     {2, 2, 0, 4}};

std::string ToTextRecurrent(const Sizes& sizes) {
  return "steps " + std::to_string(sizes.steps) + ", batch " + std::to_string(sizes.batch) +
         ", inputs " + std::to_string(sizes.inputs) + ", hidden " + std::to_string(sizes.hidden);
}

/// Numbers so small that states do not depend on the last bits of what was long before.
StoredTensor MakeFloats(const TensorShape& shape, Random& random, float scale = 0.5F) {
  FloatTensor tensor = random.Tensor(shape);
  for (float& element : tensor.data) element *= scale / 2;
  return MakeStored(TensorInfo(shape, DataType::kFloat32), tensor.data);
}

/// A layer with all that it may have, as inputs and the infos of outputs.
struct RecurrentCase {
  std::vector<StoredTensor> inputs;
  std::vector<TensorInfo> outputs;
};

template <typename Descriptor>
RecurrentCase MakeRecurrent(const Descriptor& descriptor, const Sizes& sizes, std::int64_t gates,
                            bool is_lstm, Random& random) {
  const auto [steps, batch, inputs, hidden] = sizes;
  const bool is_batch_first = descriptor.layout == RecurrentLayout::kBatchFirst;
  const std::int64_t directions =
      descriptor.direction == RecurrentDirection::kBidirectional ? 2 : 1;
  const TensorShape state = is_batch_first ? TensorShape{batch, directions, hidden}
                                           : TensorShape{directions, batch, hidden};
  const TensorShape all = is_batch_first ? TensorShape{batch, steps, directions, hidden}
                                         : TensorShape{steps, directions, batch, hidden};
  const float scale = 2.0F / std::sqrt(static_cast<float>(hidden));
  RecurrentCase layer;
  layer.inputs = {MakeFloats(is_batch_first ? TensorShape{batch, steps, inputs}
                                            : TensorShape{steps, batch, inputs},
                             random),
                  MakeFloats({directions, gates * hidden, inputs}, random),
                  MakeFloats({directions, gates * hidden, hidden}, random, scale),
                  MakeFloats({directions, 2 * gates * hidden}, random)};
  if (descriptor.has_sequence_lengths == 1) {
    std::vector<std::int32_t> lengths;
    for (std::int64_t n = 0; n < batch; ++n) {
      lengths.push_back(static_cast<std::int32_t>(random.Integer(-1, steps + 1)));
    }
    layer.inputs.push_back(MakeStored(DataType::kInt32, lengths));
  }
  layer.inputs.push_back(MakeFloats(state, random));
  if (is_lstm) {
    layer.inputs.push_back(MakeFloats(state, random));
    layer.inputs.push_back(MakeFloats({directions, 3 * hidden}, random));
  }
  layer.outputs.assign(is_lstm ? 3 : 2, TensorInfo(state, DataType::kFloat32));
  layer.outputs[0] = TensorInfo(all, DataType::kFloat32);
  return layer;
}

template <typename Descriptor>
void ExpectAsCpuRef(LayerType type, const Descriptor& descriptor, const RecurrentCase& layer,
                    int num_threads) {
  const std::vector<StoredTensor> expected =
      RunStoredForAll(type, descriptor, layer.inputs, layer.outputs);
  TestLayer made(type, descriptor, {}, {});
  for (const StoredTensor& input : layer.inputs) made.inputs.push_back(input.info);
  made.outputs = layer.outputs;
  ASSERT_EQ(GetCpuAccRefusal(made), "");
  for (const ConstantInputs constants : {ConstantInputs::kNone, ConstantInputs::kAllButFirst}) {
    const std::vector<StoredTensor> found =
        RunOnCpuAcc(made, layer.inputs, {num_threads, constants});
    for (std::size_t output = 0; output < expected.size(); ++output) {
      SCOPED_TRACE("output " + std::to_string(output));
      ExpectClose(found[output], GetStored<float>(expected[output]), Precision::kFast);
    }
  }
}

/// All sizes, directions, layouts, with lengths and without; some on two threads.
template <typename Descriptor>
void ExpectAllAsCpuRef(LayerType type, Descriptor descriptor, std::int64_t gates) {
  Random random(static_cast<std::uint32_t>(type));
  descriptor.has_bias = 1;
  descriptor.has_initial_hidden = 1;
  for (const Sizes& sizes : kSizes) {
    for (std::uint32_t variant = 0; variant < 12; ++variant) {
      descriptor.direction = static_cast<RecurrentDirection>(variant % 3 + 1);
      descriptor.layout = static_cast<RecurrentLayout>(variant / 3 % 2 + 1);
      descriptor.has_sequence_lengths = variant / 6;
      SCOPED_TRACE(ToTextRecurrent(sizes) + ", variant " + std::to_string(variant));
      ExpectAsCpuRef(type, descriptor,
                     MakeRecurrent(descriptor, sizes, gates, type == LayerType::kLstm, random),
                     variant % 8 == 0 ? 2 : 1);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(Recurrent, AdvancesLstmOfAnySizeAsCpuRef) {
  LstmDescriptor descriptor;
  descriptor.has_initial_cell = 1;
  descriptor.has_peepholes = 1;
  ExpectAllAsCpuRef(LayerType::kLstm, descriptor, 4);
  descriptor.input_forget = 1;
  descriptor.clip = 0.5F;
  ExpectAllAsCpuRef(LayerType::kLstm, descriptor, 4);
}

TEST(Recurrent, AdvancesGruOfAnySizeAsCpuRef) {
  GruDescriptor descriptor;
  ExpectAllAsCpuRef(LayerType::kGru, descriptor, 3);
  descriptor.linear_before_reset = 1;
  ExpectAllAsCpuRef(LayerType::kGru, descriptor, 3);
  descriptor.gates[0][1] = {RecurrentActivation::kSoftsign, 1.0F, 1.0F};
  ExpectAllAsCpuRef(LayerType::kGru, descriptor, 3);
}

TEST(Recurrent, AdvancesRnnOfAnySizeAsCpuRef) {
  RnnDescriptor descriptor;
  ExpectAllAsCpuRef(LayerType::kRnn, descriptor, 1);
  descriptor.gates[0] = {RecurrentActivation::kElu, 0.5F, 1.0F};
  ExpectAllAsCpuRef(LayerType::kRnn, descriptor, 1);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
