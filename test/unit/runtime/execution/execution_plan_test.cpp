#include "execution/execution_plan.hpp"

#include "execution/fence_plan.hpp"
#include "graph/network.hpp"
#include "plain_bridge.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace backplane {
namespace {

/// Two activations "a" and "b" of [2, 6], and what joins them.
class ExecutionPlanTest : public testing::Test {
 protected:
  ExecutionPlanTest() {
    const OutputSlot x = network_->AddInputLayer(Float({2, 6}), "x");
    a_ = {AddRelu(*network_, x, "a"), 0};
    b_ = {AddRelu(*network_, x, "b"), 0};
  }

  void Join(std::uint32_t axis) {
    ConcatDescriptor descriptor;
    descriptor.axis = axis;
    joined_ = {AddLayer<LayerType::kConcat>(*network_, descriptor, {a_, b_}, "joined"), 0};
    network_->AddOutputLayer(joined_, "y");
    bridged_ = MakePlainBridge(static_cast<const Network&>(*network_).GetGraph());
  }

  void MakePart(OutputSlot slot, std::uint64_t offset_bytes, bool is_sub_tensor) {
    const TensorNumbers numbers(bridged_.graph);
    bridged_.roles[joined_.layer] = LayerRole::kParts;
    bridged_.part_of_tensor[numbers.Get(slot)] = static_cast<std::uint32_t>(bridged_.parts.size());
    bridged_.parts.push_back(
        {numbers.Get(slot), numbers.Get(joined_), {}, offset_bytes, is_sub_tensor});
  }

  PlannedRange GetRange(OutputSlot slot) const {
    const std::vector<InPlaceUse> uses(bridged_.roles.size(), InPlaceUse::kForbidden);
    const ExecutionPlan plan = PlanExecution(bridged_, MakePlainTable(), uses);
    return plan.tensors[TensorNumbers(bridged_.graph).Get(slot)].range;
  }

  void ExpectRange(OutputSlot slot, std::uint64_t offset_bytes, std::uint64_t size_bytes) const {
    const PlannedRange whole = GetRange(joined_);
    const PlannedRange range = GetRange(slot);
    EXPECT_EQ(range.space, whole.space);
    EXPECT_EQ(range.begin_bytes, whole.begin_bytes + offset_bytes);
    EXPECT_EQ(range.end_bytes, range.begin_bytes + size_bytes);
  }

  const std::unique_ptr<INetwork> network_ = INetwork::Create("net");
  OutputSlot a_;
  OutputSlot b_;
  OutputSlot joined_;
  BridgedNetwork bridged_;
};

TEST_F(ExecutionPlanTest, TensorsHaveBytesOfTheirOwn) {
  Join(0);
  const PlannedRange a = GetRange(a_);
  const PlannedRange b = GetRange(b_);
  EXPECT_EQ(a.end_bytes - a.begin_bytes, 48U);
  EXPECT_TRUE(a.end_bytes <= b.begin_bytes || b.end_bytes <= a.begin_bytes);
}

TEST_F(ExecutionPlanTest, PartsHaveTheirBytesOfTheWhole) {
  Join(0);
  MakePart(a_, 0, false);
  MakePart(b_, 48, false);
  ExpectRange(a_, 0, 48);
  ExpectRange(b_, 48, 48);
}

TEST_F(ExecutionPlanTest, SubTensorsAreSpreadOverTheWhole) {
  Join(1);
  MakePart(a_, 0, true);
  MakePart(b_, 24, true);
  ExpectRange(a_, 0, 96);
  ExpectRange(b_, 0, 96);
}

TEST_F(ExecutionPlanTest, ConstantsHaveNoBytesThatAnyoneWrites) {
  const std::vector<float> values(12);
  const OutputSlot constant =
      network_->AddConstantLayer(Float({2, 6}), CopyConstantData(values.data(), 48), "c");
  Join(0);
  EXPECT_EQ(GetRange(constant).begin_bytes, GetRange(constant).end_bytes);
}

TEST(StepCompletions, AreByFenceForWorkThatABackendHandsOver) {
  KindTable table = MakePlainTable();
  for (const std::uint32_t owner : {0U, 1U}) {
    table.kinds.push_back(table.kinds[kHostKind]);
    table.kinds.back().owner = owner;
  }
  ExecutionPlan plan;
  for (const KindIndex kind : {kHostKind, KindIndex{1}, KindIndex{2}, kNoKind}) {
    PlannedTensor tensor;
    tensor.kind = kind;
    plan.tensors.push_back(tensor);
  }
  using Row = std::tuple<LayerType, std::uint32_t, std::uint32_t, std::uint32_t, StepCompletion>;
  const Row rows[] = {
      {LayerType::kActivation, 0, 1, 1, StepCompletion::kByFence},
      {LayerType::kActivation, 0, 0, 2, StepCompletion::kByFence},
      {LayerType::kActivation, 1, 1, 1, StepCompletion::kAtReturn},
      {LayerType::kCopy, 0, 1, 1, StepCompletion::kByFence},
      {LayerType::kCopy, 0, 0, 1, StepCompletion::kAtReturn},
      {LayerType::kCopy, 0, 1, 2, StepCompletion::kAtReturn},
      {LayerType::kCopy, 0, 3, 1, StepCompletion::kAtReturn},
      {LayerType::kCopy, kCoreBackend, 1, 0, StepCompletion::kAtReturn},
      {LayerType::kImport, kCoreBackend, 1, 2, StepCompletion::kNoWork},
  };
  BridgedNetwork network;
  for (const auto& [type, backend, input, output, completion] : rows) {
    Layer layer;
    layer.type = type;
    PlannedStep step;
    step.layer = static_cast<LayerId>(network.graph.layers.size());
    step.backend = backend;
    step.first_operand = static_cast<std::uint32_t>(plan.operands.size());
    step.num_inputs = step.num_outputs = 1;
    network.graph.layers.push_back(layer);
    plan.steps.push_back(step);
    plan.operands.push_back({input, true});
    plan.operands.push_back({output, true});
  }
  const auto completions = FindStepCompletions(plan, network, table, {1, 0});
  ASSERT_EQ(completions.size(), std::size(rows));
  for (std::size_t i = 0; i < completions.size(); ++i) {
    EXPECT_EQ(completions[i], std::get<StepCompletion>(rows[i])) << "row " << i;
  }
}

}  // namespace
}  // namespace backplane
