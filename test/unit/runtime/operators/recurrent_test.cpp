#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

constexpr std::int64_t kSteps = 5;
constexpr std::int64_t kBatch = 2;
constexpr std::int64_t kInputs = 3;
constexpr std::int64_t kHidden = 4;

/// The three inputs that all have.
std::vector<TensorInfo> MakeRecurrentInputs(std::int64_t num_gates, std::int64_t directions = 1) {
  return {Float({kSteps, kBatch, kInputs}), Float({directions, num_gates * kHidden, kInputs}),
          Float({directions, num_gates * kHidden, kHidden})};
}

void ExpectGruRefused(const GruDescriptor& descriptor, const std::vector<TensorInfo>& inputs,
                      DiagnosticCode code, const std::string& found, const std::string& expected) {
  ExpectRefused<LayerType::kGru>(descriptor, inputs, code, found, expected);
}

TEST(Recurrent, HasAllStatesAndTheLastOnes) {
  const TensorInfo all = Float({kSteps, 1, kBatch, kHidden});
  const TensorInfo last = Float({1, kBatch, kHidden});
  EXPECT_EQ(InferAll<LayerType::kLstm>({}, MakeRecurrentInputs(4), 3),
            (std::vector<TensorInfo>{all, last, last}));
  EXPECT_EQ(InferAll<LayerType::kGru>({}, MakeRecurrentInputs(3), 2),
            (std::vector<TensorInfo>{all, last}));
  EXPECT_EQ(InferAll<LayerType::kRnn>({}, MakeRecurrentInputs(1), 2),
            (std::vector<TensorInfo>{all, last}));
}

TEST(Recurrent, HasTwoDirectionsAndTheBatchInFrontOnDemand) {
  RnnDescriptor descriptor;
  descriptor.direction = RecurrentDirection::kBidirectional;
  descriptor.layout = RecurrentLayout::kBatchFirst;
  auto inputs = MakeRecurrentInputs(1, 2);
  inputs[0] = Float({kBatch, kSteps, kInputs});
  EXPECT_EQ(
      InferAll<LayerType::kRnn>(descriptor, inputs, 2),
      (std::vector<TensorInfo>{Float({kBatch, kSteps, 2, kHidden}), Float({kBatch, 2, kHidden})}));
}

TEST(Recurrent, TakesTheInputsThatTheFlagsName) {
  LstmDescriptor descriptor;
  descriptor.has_sequence_lengths = 1;
  descriptor.has_initial_cell = 1;
  descriptor.has_peepholes = 1;
  auto inputs = MakeRecurrentInputs(4);
  inputs.push_back(Typed(DataType::kInt32, {kBatch}));
  inputs.push_back(Float({1, kBatch, kHidden}));
  inputs.push_back(Float({1, 3 * kHidden}));
  EXPECT_NO_THROW(Infer<LayerType::kLstm>(descriptor, inputs));
  descriptor.has_bias = 1;
  ExpectRefused<LayerType::kLstm>(descriptor, inputs, DiagnosticCode::kWrongDataType,
                                  "float32 [1, 2, 4]", "int32, int64");
  descriptor.has_sequence_lengths = 0;
  inputs[3] = Float({1, 8 * kHidden + 1});
  ExpectRefused<LayerType::kLstm>(descriptor, inputs, DiagnosticCode::kWrongShape, "extent 33",
                                  "8 times H");
}

TEST(Recurrent, CountsItsInputs) {
  GruDescriptor descriptor;
  descriptor.has_bias = 1;
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3), DiagnosticCode::kInvalidDescriptor,
                   "found 3", "expected 4");
  descriptor.has_bias = 7;
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3), DiagnosticCode::kInvalidDescriptor,
                   "found 7", "0 or 1");
}

TEST(Recurrent, RejectsShapesThatDoNotFit) {
  auto inputs = MakeRecurrentInputs(3);
  inputs[0] = Float({kSteps, kInputs});
  ExpectGruRefused({}, inputs, DiagnosticCode::kWrongRank, "[5, 3]", "[S, N, I]");
  ExpectGruRefused({}, MakeRecurrentInputs(4), DiagnosticCode::kWrongShape, "extent 16",
                   "3 times H, the last extent of the recurrent weights");
  ExpectGruRefused({}, MakeRecurrentInputs(3, 2), DiagnosticCode::kWrongShape, "extent 2",
                   "the number of directions");
  inputs = MakeRecurrentInputs(3);
  inputs[1] = Float({1, 3 * kHidden, kInputs + 1});
  ExpectGruRefused({}, inputs, DiagnosticCode::kWrongShape, "extent 4", "I of the input");
}

TEST(Recurrent, RejectsMoreRowsThanCanBeCounted) {
  const auto half = [](const TensorShape& shape) { return Typed(DataType::kFloat16, shape); };
  ExpectRefused<LayerType::kLstm>(
      {}, {half({1, 1, 1}), half({1, 4, 1}), half({0, 1, std::int64_t{1} << 61})},
      DiagnosticCode::kTensorTooLarge, "2305843009213693952 hidden units", "63 bits");
}

TEST(Recurrent, RejectsStatesOfTheOtherLayout) {
  GruDescriptor descriptor;
  descriptor.has_initial_hidden = 1;
  auto inputs = MakeRecurrentInputs(3);
  inputs.push_back(Float({kBatch, 1, kHidden}));
  ExpectGruRefused(descriptor, inputs, DiagnosticCode::kWrongShape, "extent 2",
                   "the number of directions");
}

TEST(Recurrent, RejectsWrongDescriptors) {
  GruDescriptor descriptor;
  descriptor.direction = static_cast<RecurrentDirection>(4);
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3), DiagnosticCode::kInvalidDescriptor,
                   "number 4", "Forward, Reverse or Bidirectional");
  descriptor = {};
  descriptor.layout = static_cast<RecurrentLayout>(0);
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3), DiagnosticCode::kInvalidDescriptor,
                   "number 0", "StepsFirst or BatchFirst");
  descriptor = {};
  descriptor.clip = -1.0F;
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3), DiagnosticCode::kInvalidDescriptor, "-1",
                   "0 or more");
  descriptor = {};
  descriptor.linear_before_reset = 2;
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3), DiagnosticCode::kInvalidDescriptor,
                   "found 2", "0 or 1");
}

TEST(Recurrent, ReadsTheGatesOfItsDirectionsOnly) {
  GruDescriptor descriptor;
  descriptor.gates[1][0].function = static_cast<RecurrentActivation>(11);
  EXPECT_NO_THROW(Infer<LayerType::kGru>(descriptor, MakeRecurrentInputs(3)));
  descriptor.direction = RecurrentDirection::kBidirectional;
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3, 2), DiagnosticCode::kInvalidDescriptor,
                   "number 11", "Softsign or Softplus");
  descriptor.gates[1][0].function = RecurrentActivation::kElu;
  descriptor.gates[1][0].alpha = std::numeric_limits<float>::infinity();
  ExpectGruRefused(descriptor, MakeRecurrentInputs(3, 2), DiagnosticCode::kInvalidDescriptor,
                   "alpha inf", "finite numbers");
}

TEST(Recurrent, TakesEmptySequences) {
  auto inputs = MakeRecurrentInputs(1);
  inputs[0] = Float({0, kBatch, kInputs});
  EXPECT_EQ(InferAll<LayerType::kRnn>({}, inputs, 2),
            (std::vector<TensorInfo>{Float({0, 1, kBatch, kHidden}), Float({1, kBatch, kHidden})}));
}

}  // namespace
}  // namespace backplane
