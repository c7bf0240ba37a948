#include "memory/alias_groups.hpp"

#include "graph/network.hpp"
#include "graph/tensor_numbers.hpp"
#include "plain_bridge.hpp"
#include "test_networks.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace {

/// A network with an input "x" of [2, 6]; every backend may work in place unless said otherwise.
class AliasGroupsTest : public testing::Test {
 protected:
  OutputSlot AddView(OutputSlot input, const TensorShape& shape) {
    return {backplane::AddView(*network_, input, shape, ""), 0};
  }
  OutputSlot AddActivation(OutputSlot input) { return {AddRelu(*network_, input, ""), 0}; }
  OutputSlot AddElementwise(OutputSlot a, OutputSlot b) { return {AddSum(*network_, a, b, ""), 0}; }
  OutputSlot AddJoin(const std::vector<OutputSlot>& inputs) {
    return {AddLayer<LayerType::kConcat>(*network_, ConcatDescriptor(), inputs, ""), 0};
  }
  OutputSlot AddConstant(const TensorShape& shape) {
    const std::vector<float> zeros(static_cast<std::size_t>(shape.GetNumElements()));
    return network_->AddConstantLayer(
        Float(shape), CopyConstantData(zeros.data(), zeros.size() * sizeof(float)), "");
  }
  void AddOutput(OutputSlot tensor) {
    network_->AddOutputLayer(tensor, "y" + std::to_string(network_->GetOutputs().size()));
  }

  AliasedTensor Find(OutputSlot tensor, InPlaceUse use = InPlaceUse::kAllowed) const {
    const Graph& graph = static_cast<const Network&>(*network_).GetGraph();
    const AliasGroups groups =
        FindAliasGroups(MakePlainBridge(graph), std::vector<InPlaceUse>(graph.layers.size(), use));
    return groups.tensors[TensorNumbers(graph).Get(tensor)];
  }

  void ExpectOwner(OutputSlot tensor) const { EXPECT_EQ(Find(tensor).kind, AliasKind::kOwner); }

  void ExpectLiesAt(OutputSlot tensor, OutputSlot source, AliasKind kind) const {
    const Graph& graph = static_cast<const Network&>(*network_).GetGraph();
    EXPECT_EQ(Find(tensor).kind, kind);
    EXPECT_EQ(Find(tensor).source, TensorNumbers(graph).Get(source));
    EXPECT_EQ(Find(tensor).group, Find(source).group);
  }

  const std::unique_ptr<INetwork> network_ = INetwork::Create("net");
  const OutputSlot x_ = network_->AddInputLayer(Float({2, 6}), "x");
};

TEST_F(AliasGroupsTest, ViewsLieWhereTheirInputLies) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot view = AddView(a, {3, 4});
  const OutputSlot view_of_view = AddView(view, {12});
  const OutputSlot sibling = AddView(a, {12, 1});
  AddOutput(view_of_view);
  AddOutput(sibling);
  ExpectOwner(a);
  ExpectLiesAt(view, a, AliasKind::kView);
  ExpectLiesAt(view_of_view, view, AliasKind::kView);
  ExpectLiesAt(sibling, a, AliasKind::kView);
}

TEST_F(AliasGroupsTest, InputsAndConstantsHaveViews) {
  const OutputSlot constant = AddConstant({2, 6});
  ExpectLiesAt(AddView(x_, {12}), x_, AliasKind::kView);
  ExpectLiesAt(AddView(constant, {12}), constant, AliasKind::kView);
}

TEST_F(AliasGroupsTest, ViewsNeedNoBackendThatWorksInPlace) {
  const OutputSlot view = AddView(x_, {12});
  EXPECT_EQ(Find(view, InPlaceUse::kForbidden).kind, AliasKind::kView);
}

TEST_F(AliasGroupsTest, OverwritesWhatNobodyReadsAfterwards) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot b = AddActivation(a);
  const OutputSlot c = AddActivation(b);
  AddOutput(c);
  ExpectLiesAt(b, a, AliasKind::kInPlace);
  ExpectLiesAt(c, b, AliasKind::kInPlace);
  EXPECT_EQ(Find(b, InPlaceUse::kForbidden).kind, AliasKind::kOwner);
}

TEST_F(AliasGroupsTest, KeepsWhatIsReadAfterwards) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot early = AddActivation(a);
  const OutputSlot late = AddElementwise(early, a);
  AddOutput(late);
  ExpectOwner(early);
  ExpectLiesAt(late, early, AliasKind::kInPlace);
}

TEST_F(AliasGroupsTest, KeepsWhatIsReadThroughAViewAfterwards) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot early = AddActivation(a);
  const OutputSlot late = AddActivation(AddView(a, {12}));
  AddOutput(early);
  AddOutput(late);
  ExpectOwner(early);
  EXPECT_EQ(Find(late).kind, AliasKind::kInPlace);
}

TEST_F(AliasGroupsTest, KeepsWhatIsReadUnderTheViewAfterwards) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot view = AddView(a, {12});
  const OutputSlot early = AddActivation(view);
  AddOutput(early);
  AddOutput(AddActivation(a));
  ExpectOwner(early);
}

TEST_F(AliasGroupsTest, KeepsOutputsOfTheNetwork) {
  const OutputSlot a = AddActivation(x_);
  AddOutput(a);
  const OutputSlot viewed = AddActivation(x_);
  AddOutput(AddView(viewed, {12}));
  ExpectOwner(AddActivation(a));
  ExpectOwner(AddActivation(viewed));
}

TEST_F(AliasGroupsTest, KeepsInputsAndConstants) {
  const OutputSlot constant = AddConstant({2, 6});
  ExpectOwner(AddActivation(x_));
  ExpectOwner(AddElementwise(constant, constant));
  const OutputSlot y = network_->AddInputLayer(Float({2, 6}), "y");
  ExpectOwner(AddActivation(AddView(y, {12})));
  ExpectOwner(AddActivation(AddView(constant, {12})));
}

TEST_F(AliasGroupsTest, TakesTheFirstInputThatIsSuitable) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot b = AddActivation(x_);
  const OutputSlot both = AddElementwise(a, b);
  ExpectLiesAt(both, a, AliasKind::kInPlace);
  const OutputSlot second = AddElementwise(x_, both);
  ExpectLiesAt(second, both, AliasKind::kInPlace);
}

TEST_F(AliasGroupsTest, NeverOverwritesAnInputThatIsBroadcast) {
  const OutputSlot row = AddActivation(network_->AddInputLayer(Float({6}), "row"));
  const OutputSlot column = AddActivation(network_->AddInputLayer(Float({2, 1}), "column"));
  const OutputSlot a = AddActivation(x_);
  ExpectOwner(AddElementwise(row, column));
  const OutputSlot small = AddActivation(network_->AddInputLayer(Float({6}), "small"));
  ExpectLiesAt(AddElementwise(small, a), a, AliasKind::kInPlace);
}

TEST_F(AliasGroupsTest, OverwritesATensorThatIsBothInputs) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot doubled = AddElementwise(a, a);
  ExpectLiesAt(doubled, a, AliasKind::kInPlace);
}

TEST_F(AliasGroupsTest, KeepsATensorThatIsReadUnderTwoShapesAtOnce) {
  const OutputSlot a = AddActivation(network_->AddInputLayer(Float({6}), "row"));
  const OutputSlot sum = AddElementwise(a, AddView(a, {1, 6}));
  ExpectOwner(sum);
}

TEST_F(AliasGroupsTest, OperatorsThatMixElementsNeverWorkInPlace) {
  const OutputSlot a = AddActivation(x_);
  ExpectOwner(AddJoin({a}));
}

TEST_F(AliasGroupsTest, WorksInPlaceOfAView) {
  const OutputSlot a = AddActivation(x_);
  const OutputSlot view = AddView(a, {12});
  const OutputSlot b = AddActivation(view);
  const OutputSlot back = AddView(b, {2, 6});
  AddOutput(back);
  ExpectLiesAt(b, view, AliasKind::kInPlace);
  EXPECT_EQ(Find(back).group, Find(a).group);
}

TEST_F(AliasGroupsTest, GroupsAreNumberedByTheirOwners) {
  const OutputSlot a = AddActivation(x_);
  AddView(a, {12});
  const OutputSlot b = AddActivation(x_);
  EXPECT_EQ(Find(x_).group, 0U);
  EXPECT_EQ(Find(a).group, 1U);
  EXPECT_EQ(Find(b).group, 2U);
}

}  // namespace
}  // namespace backplane
