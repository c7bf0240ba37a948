#include "bridge_fixture.hpp"
#include "execution/execution_plan.hpp"
#include "memory/tensor_lifetimes.hpp"
#include "placement/join_parts.hpp"

namespace backplane {
namespace {

/// Where parts come to lie. Everything runs on "Npu".
class PartPlacesTest : public BridgeFixture {
 protected:
  FactoryProperties WithSubTensors() {
    FactoryProperties properties = Mappable();
    properties.supports_sub_tensors = 1;
    return properties;
  }

  OutputSlot AddPart(const TensorShape& shape, const std::string& name) {
    return layers_.AddRelu(npu_, layers_.AddConstant(shape), name);
  }

  void Run() {
    network_ = Bridge();
    moves_ = JoinParts(network_, kinds_.Get(), kinds_.GetBackendIds());
    const std::vector<InPlaceUse> in_place(network_.roles.size(), InPlaceUse::kAllowed);
    groups_ = FindAliasGroups(network_, in_place);
    plan_ = PlanExecution(network_, kinds_.GetTable(), in_place);
    ExpectPlaced();
  }

  /// Bound parts lie in their wholes, and everything where it is aligned.
  void ExpectPlaced() const {
    for (const TensorPart& part : network_.parts) {
      if (part.is_sub_tensor) continue;
      EXPECT_EQ(plan_.tensors[part.tensor].offset_bytes,
                plan_.tensors[part.parent].offset_bytes + part.offset_bytes);
      EXPECT_EQ(groups_.tensors[part.tensor].group, groups_.tensors[part.parent].group);
    }
    for (std::uint32_t tensor = 0; tensor < plan_.tensors.size(); ++tensor) {
      if (plan_.tensors[tensor].place != TensorPlace::kArena) continue;
      const std::uint64_t alignment = network_.requirements[tensor].alignment_bytes;
      EXPECT_EQ(plan_.tensors[tensor].offset_bytes % alignment, 0U) << "tensor " << tensor;
    }
  }

  std::uint32_t Number(const std::string& maker, std::uint32_t index = 0) const {
    for (const Layer& layer : network_.graph.layers) {
      if (layer.name == maker) return TensorNumbers(network_.graph).Get({layer.id, index});
    }
    ADD_FAILURE() << "no layer is named " << maker;
    return 0;
  }
  std::uint64_t GetOffsetIn(std::uint32_t whole, std::uint32_t tensor) const {
    return plan_.tensors[tensor].offset_bytes - plan_.tensors[whole].offset_bytes;
  }
  std::string GetReason(const std::string& layer) const {
    for (const PlacedMove& move : moves_) {
      if (move.layer == layer) return move.reason;
    }
    return "";
  }

  BridgedNetwork network_;
  std::vector<PlacedMove> moves_;
  AliasGroups groups_;
  ExecutionPlan plan_;
};

TEST_F(PartPlacesTest, PartsLieOneBehindTheOther) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4));
  layers_.AddOutput(
      layers_.AddConcat(npu_, {AddPart({4}, "a"), AddPart({3}, "b"), AddPart({4}, "c")}, 0, "w"));
  Run();
  EXPECT_EQ(moves_.size(), 0U);
  EXPECT_EQ(GetOffsetIn(Number("w"), Number("b")), 16U);
  EXPECT_EQ(GetOffsetIn(Number("w"), Number("c")), 28U);
}

TEST_F(PartPlacesTest, NestedPartsLieInTheOutermost) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4));
  const OutputSlot inner =
      layers_.AddConcat(npu_, {AddPart({2}, "a"), AddPart({2}, "b")}, 0, "inner");
  layers_.AddOutput(layers_.AddConcat(npu_, {AddPart({3}, "c"), inner}, 0, "outer"));
  Run();
  EXPECT_EQ(moves_.size(), 0U);
  EXPECT_EQ(GetOffsetIn(Number("outer"), Number("inner")), 12U);
  EXPECT_EQ(GetOffsetIn(Number("outer"), Number("b")), 20U);
}

TEST_F(PartPlacesTest, PartsOfASplitOfAPartLieInTheOutermost) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4));
  const OutputSlot part = AddPart({4}, "a");
  layers_.AddSplit(npu_, part, {1, 3}, 0, "split");
  layers_.AddOutput(layers_.AddConcat(npu_, {AddPart({3}, "b"), part}, 0, "w"));
  Run();
  EXPECT_EQ(moves_.size(), 0U);
  EXPECT_EQ(GetOffsetIn(Number("w"), Number("split", 1)), 16U);
}

TEST_F(PartPlacesTest, APlaceThatIsNotAlignedIsNoPlace) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(32));
  layers_.AddConcat(npu_, {AddPart({4}, "a"), AddPart({4}, "b")}, 0, "w");
  Run();
  EXPECT_EQ(GetReason("w"), "the place of b is not aligned, and A/Npu/Own has no sub-tensors");
}

// Beside layers of this type 64 bytes, else 4.
FactoryAnswers AskingForMoreBeside(LayerType type) {
  FactoryAnswers answers;
  answers.get_requirements = [type](const TensorRequirementsArgs& args) {
    MemoryRequirements requirements;
    requirements.alignment_bytes = args.layer_type == type ? 64 : 4;
    return requirements;
  };
  return answers;
}

TEST_F(PartPlacesTest, APlaceIsAlignedForViewsToo) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingForMoreBeside(LayerType::kElementwiseBinary));
  const OutputSlot b = AddPart({4}, "b");
  const OutputSlot view = layers_.AddView(npu_, b, {2, 2});
  layers_.AddSum(npu_, view, view);
  layers_.AddConcat(npu_, {AddPart({4}, "a"), b}, 0, "w");
  Run();
  EXPECT_EQ(GetReason("w"), "the place of b is not aligned, and A/Npu/Own has no sub-tensors");
}

TEST_F(PartPlacesTest, APlaceIsAlignedForNestedPartsToo) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingForMoreBeside(LayerType::kElementwiseBinary));
  const OutputSlot b = AddPart({16}, "b");
  layers_.AddSum(npu_, b, b);
  const OutputSlot inner = layers_.AddConcat(npu_, {b}, 0, "inner");
  layers_.AddConcat(npu_, {AddPart({4}, "a"), inner}, 0, "outer");
  Run();
  EXPECT_EQ(GetReason("inner"), "");
  EXPECT_EQ(GetReason("outer"),
            "the place of inner is not aligned, and A/Npu/Own has no sub-tensors");
}

TEST_F(PartPlacesTest, APlaceInAPartIsAlignedWhereTheWholeBegins) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingForMoreBeside(LayerType::kElementwiseBinary));
  const OutputSlot b = AddPart({4}, "b");
  layers_.AddConcat(npu_, {AddPart({4}, "a"), b}, 0, "w");
  const auto parts = layers_.AddSplit(npu_, b, {4}, 0, "split");
  layers_.AddSum(npu_, parts[0], parts[0]);
  Run();
  EXPECT_EQ(GetReason("w"), "");
  EXPECT_EQ(GetReason("split"),
            "the place of split is not aligned, and A/Npu/Own has no sub-tensors");
}

TEST_F(PartPlacesTest, MemoryOfTheApplicationIsAlignedForParts) {
  AddOnly(npu_, "A/Npu/Own", Importing(MemorySource::kMalloc),
          AskingForMoreBeside(LayerType::kElementwiseBinary));
  const auto parts = layers_.AddSplit(npu_, layers_.AddInput({4}), {2, 2}, 0, "split");
  layers_.AddSum(npu_, parts[0], parts[0]);
  Run();
  EXPECT_EQ(GetReason("split"), "");
  EXPECT_EQ(plan_.inputs[0].requirements.alignment_bytes, 64U);
  EXPECT_EQ(plan_.inputs[0].members.size(), 3U);
}

TEST_F(PartPlacesTest, PartsThatAreNotContiguousAreSubTensors) {
  AddOnly(npu_, "A/Npu/Own", WithSubTensors(), AskingFor(64));
  layers_.AddConcat(npu_, {AddPart({2, 2}, "a"), AddPart({2, 2}, "b")}, 1, "w");
  Run();
  EXPECT_EQ(moves_.size(), 0U);
  const PlannedTensor& b = plan_.tensors[Number("b")];
  EXPECT_EQ(b.place, TensorPlace::kSubTensor);
  ASSERT_NE(b.part, nullptr);
  EXPECT_EQ(b.part->parent, Number("w"));
  EXPECT_THAT(b.part->origin, testing::ElementsAre(0, 2));
}

TEST_F(PartPlacesTest, NestedSubTensorsAreSubTensorsOfSubTensors) {
  AddOnly(npu_, "A/Npu/Own", WithSubTensors(), AskingFor(4));
  const OutputSlot inner =
      layers_.AddConcat(npu_, {AddPart({2, 2}, "a"), AddPart({2, 2}, "b")}, 1, "inner");
  layers_.AddConcat(npu_, {AddPart({2, 1}, "c"), inner}, 1, "outer");
  Run();
  EXPECT_EQ(moves_.size(), 0U);
  EXPECT_EQ(plan_.tensors[Number("b")].part->parent, Number("inner"));
  EXPECT_EQ(plan_.tensors[Number("inner")].part->parent, Number("outer"));
}

TEST_F(PartPlacesTest, WhatIsNotContiguousNeedsSubTensors) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4));
  layers_.AddConcat(npu_, {AddPart({2, 2}, "a"), AddPart({2, 2}, "b")}, 1, "w");
  Run();
  EXPECT_EQ(GetReason("w"), "the place of a is not contiguous, and A/Npu/Own has no sub-tensors");
}

TEST_F(PartPlacesTest, HandlesThatAllocateHaveSubTensorsAlone) {
  FactoryProperties own = WithSubTensors();
  own.owns_memory = 1;
  AddOnly(npu_, "A/Npu/Own", own, AskingFor(4));
  layers_.AddConcat(npu_, {AddPart({4}, "a"), AddPart({4}, "b")}, 0, "w");
  Run();
  EXPECT_EQ(GetReason("w"), "");
  EXPECT_EQ(plan_.tensors[Number("a")].place, TensorPlace::kSubTensor);
  EXPECT_EQ(plan_.tensors[Number("w")].place, TensorPlace::kOwnMemory);
}

TEST_F(PartPlacesTest, NoOtherBackendMeetsASubTensor) {
  const KindIndex own = AddOnly(npu_, "A/Npu/Own", WithSubTensors(), AskingFor(4));
  kinds_.Prefer(gpu_, {own});
  const OutputSlot a = AddPart({2, 2}, "a");
  layers_.AddRelu(gpu_, a);
  layers_.AddConcat(npu_, {a, AddPart({2, 2}, "b")}, 1, "w");
  Run();
  EXPECT_EQ(GetReason("w"), "another backend meets a, which would not be dense");
}

TEST_F(PartPlacesTest, NoSubTensorHasViews) {
  AddOnly(npu_, "A/Npu/Own", WithSubTensors(), AskingFor(4));
  const OutputSlot a = AddPart({2, 2}, "a");
  layers_.AddRelu(npu_, layers_.AddView(npu_, a, {4}));
  layers_.AddConcat(npu_, {a, AddPart({2, 2}, "b")}, 1, "w");
  Run();
  EXPECT_EQ(GetReason("w"), "what lies in a is bound to a place");
}

TEST_F(PartPlacesTest, TheFactoryMustMakeTheSubTensor) {
  FactoryAnswers answers = AskingFor(4);
  answers.makes_sub_tensor = [](const SubTensorHandleArgs& args) { return args.origin[1] == 0; };
  AddOnly(npu_, "A/Npu/Own", WithSubTensors(), answers);
  layers_.AddConcat(npu_, {AddPart({2, 2}, "a"), AddPart({2, 2}, "b")}, 1, "w");
  Run();
  EXPECT_EQ(GetReason("w"), "A/Npu/Own makes no sub-tensor for b");
  EXPECT_EQ(network_.parts.size(), 0U);
}

TEST_F(PartPlacesTest, TheWholeIsThereFromTheFirstPartOn) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4));
  const OutputSlot a = AddPart({4}, "a");
  const OutputSlot b = layers_.AddRelu(npu_, AddPart({4}, "before"), "b");
  const OutputSlot whole = layers_.AddConcat(npu_, {a, b}, 0, "w");
  layers_.AddRelu(npu_, layers_.AddRelu(npu_, whole, "c"), "d");
  Run();
  const auto lifetimes = ComputeLifetimes(network_, groups_);
  const TensorLifetime& of_whole = lifetimes[groups_.tensors[Number("w")].group];
  EXPECT_EQ(of_whole.first_step, 1U);
  EXPECT_GE(of_whole.last_step, 4U);
  EXPECT_EQ(of_whole.size_bytes, 32U);
}

TEST_F(PartPlacesTest, NothingIsWrittenOverAPart) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4));
  const OutputSlot a = AddPart({2}, "a");
  layers_.AddConcat(npu_, {a, AddPart({2}, "b")}, 0, "w");
  layers_.AddRelu(npu_, a, "over_part");
  const auto parts = layers_.AddSplit(npu_, AddPart({4}, "c"), {2, 2}, 0, "split");
  layers_.AddRelu(npu_, parts[0], "over_first");
  layers_.AddRelu(npu_, layers_.AddView(npu_, parts[1], {1, 2}), "over_view");
  Run();
  for (const char* const name : {"over_part", "over_first", "over_view"}) {
    EXPECT_EQ(groups_.tensors[Number(name)].kind, AliasKind::kOwner) << name;
  }
}

TEST_F(PartPlacesTest, TheWholeIsWrittenOverWhenNobodyReadsItsPartsAfterwards) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4));
  const OutputSlot a = AddPart({2}, "a");
  const OutputSlot b = AddPart({2}, "b");
  const OutputSlot whole = layers_.AddConcat(npu_, {a, b}, 0, "w");
  layers_.AddRelu(npu_, whole, "early");
  layers_.AddRelu(npu_, a, "reads_a");
  layers_.AddRelu(npu_, whole, "late");
  Run();
  EXPECT_EQ(groups_.tensors[Number("early")].kind, AliasKind::kOwner);
  EXPECT_EQ(groups_.tensors[Number("late")].kind, AliasKind::kInPlace);
}

}  // namespace
}  // namespace backplane
