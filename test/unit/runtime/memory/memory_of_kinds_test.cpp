#include "execution/execution_plan.hpp"
#include "memory/alias_groups.hpp"
#include "memory/tensor_lifetimes.hpp"
#include "placement/bridge_fixture.hpp"

namespace backplane {
namespace {

/// What lies where when tensors are in several kinds of memory.
class MemoryOfKindsTest : public BridgeFixture {
 protected:
  void Run() {
    network_ = Bridge();
    const std::vector<InPlaceUse> in_place(network_.roles.size(), InPlaceUse::kAllowed);
    groups_ = FindAliasGroups(network_, in_place);
    plan_ = PlanExecution(network_, kinds_.GetTable(), in_place);
  }

  std::uint32_t Number(const std::string& maker) const {
    for (const Layer& layer : network_.graph.layers) {
      if (layer.name == maker) return TensorNumbers(network_.graph).Get({layer.id, 0});
    }
    ADD_FAILURE() << "no layer is named " << maker;
    return 0;
  }
  const AliasedTensor& Alias(const std::string& maker) const {
    return groups_.tensors[Number(maker)];
  }
  const PlannedTensor& Plan(const std::string& maker) const { return plan_.tensors[Number(maker)]; }

  BridgedNetwork network_;
  AliasGroups groups_;
  ExecutionPlan plan_;
};

class ImportedMemoryTest : public MemoryOfKindsTest {
 protected:
  ImportedMemoryTest() {
    AddOnly(npu_, "A/Npu/Own", Exporting(MemorySource::kDmaBuf), AskingFor(16));
    AddOnly(gpu_, "A/Gpu/In", Importing(MemorySource::kDmaBuf), AskingFor(4096));
  }
  OutputSlot AddMade() { return layers_.AddRelu(npu_, layers_.AddConstant({4}), "made"); }
};

TEST_F(ImportedMemoryTest, LiesWhereItsSourceLies) {
  layers_.AddRelu(gpu_, AddMade(), "reads");
  Run();
  const AliasedTensor& imported = Alias("made to A/Gpu/In");
  EXPECT_EQ(imported.kind, AliasKind::kImported);
  EXPECT_EQ(imported.source, Number("made"));
  EXPECT_EQ(imported.group, Alias("made").group);
  EXPECT_EQ(Plan("made to A/Gpu/In").place, TensorPlace::kImported);
}

TEST_F(ImportedMemoryTest, LivesAsLongAsItIsReadThere) {
  const OutputSlot made = AddMade();
  const OutputSlot read = layers_.AddRelu(gpu_, made, "reads");
  layers_.AddSum(gpu_, layers_.AddRelu(gpu_, read, "later"), made, "last");
  Run();
  const TensorLifetime lifetime = ComputeLifetimes(network_, groups_)[Alias("made").group];
  EXPECT_EQ(lifetime.first_step, 1U);
  EXPECT_EQ(lifetime.last_step, 5U);
  EXPECT_EQ(lifetime.size_bytes, 16U);
}

TEST_F(ImportedMemoryTest, ItsSourceIsAlignedForIt) {
  layers_.AddRelu(gpu_, AddMade(), "reads");
  Run();
  EXPECT_EQ(plan_.arenas[0].alignment_bytes, 4096U);
  EXPECT_EQ(Plan("made").offset_bytes % 4096, 0U);
}

TEST_F(ImportedMemoryTest, NeitherSideIsWrittenOver) {
  const OutputSlot made = AddMade();
  layers_.AddRelu(gpu_, made, "other_side");
  layers_.AddRelu(npu_, made, "own_side");
  Run();
  EXPECT_EQ(Alias("other_side").kind, AliasKind::kOwner);
  EXPECT_EQ(Alias("own_side").kind, AliasKind::kOwner);
}

TEST_F(ImportedMemoryTest, TheStepImportsForViewsToo) {
  const OutputSlot made = AddMade();
  layers_.AddRelu(gpu_, made, "reads");
  layers_.AddRelu(gpu_, layers_.AddView(gpu_, made, {2, 2}, "view"), "reads_view");
  Run();
  EXPECT_EQ(Plan("view").place, TensorPlace::kImported);
  for (const PlannedStep& step : plan_.steps) {
    if (network_.graph.layers[step.layer].type != LayerType::kImport) continue;
    ASSERT_EQ(step.num_outputs, 2U);
    EXPECT_EQ(plan_.operands[step.first_operand + 1].tensor, Number("made to A/Gpu/In"));
    EXPECT_EQ(plan_.operands[step.first_operand + 2].tensor, Number("view"));
  }
}

TEST_F(MemoryOfKindsTest, EachArenaIsPlannedByItself) {
  const KindIndex fast = kinds_.Add(npu_, "A/Npu/Fast", Mappable(), AskingFor(256), 1);
  const KindIndex other = kinds_.Add(gpu_, "A/Gpu/Own", Mappable(), AskingFor(4), 2);
  kinds_.Prefer(npu_, {fast});
  kinds_.Prefer(gpu_, {other});
  layers_.AddOutput(
      layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddInput({100}), "a"), "b"));
  Run();
  ASSERT_EQ(plan_.arenas.size(), 3U);
  EXPECT_EQ(Plan("a").arena, 1U);
  EXPECT_EQ(Plan("b").arena, 2U);
  EXPECT_EQ(plan_.arenas[0].size_bytes, 0U);
  EXPECT_EQ(plan_.arenas[1].alignment_bytes, 256U);
  EXPECT_EQ(plan_.arenas[2].alignment_bytes, 4U);
  EXPECT_GE(plan_.arenas[1].size_bytes, 512U);
  EXPECT_EQ(plan_.memory.arena_bytes, plan_.arenas[1].size_bytes + plan_.arenas[2].size_bytes);
}

TEST_F(MemoryOfKindsTest, HandlesThatAllocateTakeNoRoomInAnArena) {
  FactoryProperties own = Mappable();
  own.owns_memory = 1;
  AddOnly(npu_, "A/Npu/Own", own, AskingFor(4096));
  layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  Run();
  EXPECT_EQ(Plan("a").place, TensorPlace::kOwnMemory);
  EXPECT_EQ(plan_.memory.arena_bytes, 0U);
  EXPECT_EQ(plan_.arenas[0].alignment_bytes, kTensorAlignmentBytes);
}

TEST_F(MemoryOfKindsTest, NothingIsWrittenOverATensorOfAnotherKind) {
  const KindIndex fast = kinds_.Add(npu_, "A/Npu/Fast", Mappable());
  const KindIndex slow = kinds_.Add(npu_, "A/Npu/Slow", Mappable());
  kinds_.Prefer(npu_, {fast, slow});
  kinds_.Prefer(gpu_, {slow});
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, a, "b"), "c");
  Run();
  EXPECT_EQ(Alias("b").kind, AliasKind::kOwner);
  EXPECT_EQ(Alias("c").kind, AliasKind::kInPlace);
}

TEST_F(MemoryOfKindsTest, PaddingCountsInTheArena) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(4, 100));
  layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  Run();
  EXPECT_EQ(plan_.memory.arena_bytes, 128U);
}

}  // namespace
}  // namespace backplane
