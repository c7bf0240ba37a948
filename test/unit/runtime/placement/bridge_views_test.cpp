#include "bridge_fixture.hpp"

namespace backplane {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using BridgeViewsTest = BridgeFixture;

TEST_F(BridgeViewsTest, AReshapeOfAnotherBackendCostsNothing) {
  AddOnly(npu_, "A/Npu/Own", Mappable());
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(npu_, layers_.AddView(gpu_, a, {2, 2}), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("view in A/Npu/Own"));
}

TEST_F(BridgeViewsTest, OneCopyServesTheTensorAndItsView) {
  AddOnly(npu_, "A/Npu/Own", Mappable());
  AddOnly(gpu_, "A/Gpu/Own", Mappable());
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(gpu_, layers_.AddView(npu_, a, {2, 2}), "b");
  layers_.AddRelu(gpu_, a, "c");
  const auto ways = ListWays(Bridge());
  EXPECT_EQ(std::count(ways.begin(), ways.end(), "copy A/Npu/Own to A/Gpu/Own by core"), 1);
}

TEST_F(BridgeViewsTest, AViewThatNobodyReadsGoes) {
  layers_.AddView(npu_, layers_.AddInput({4}), {2, 2});
  EXPECT_THAT(ListWays(Bridge()), IsEmpty());
}

TEST_F(BridgeViewsTest, TheBackendRunsTheReshapeOfAnOpaqueTensor) {
  AddOnly(npu_, "A/Npu/Own", Opaque());
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(npu_, layers_.AddView(npu_, a, {2, 2}), "b");
  const BridgedNetwork network = Bridge();
  EXPECT_THAT(ListWays(network), ElementsAre("run A/Npu/Own to A/Npu/Own by Npu"));
}

TEST_F(BridgeViewsTest, TheBackendRunsTheReshapeOfATensorWithPadding) {
  AddOnly(npu_, "A/Npu/Own", Mappable(), AskingFor(64, 16));
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(npu_, layers_.AddView(npu_, a, {2, 2}), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("run A/Npu/Own to A/Npu/Own by Npu"));
}

TEST_F(BridgeViewsTest, TheBackendRunsTheReshapeOfATensorWhoseHandleAllocates) {
  FactoryProperties own = Mappable();
  own.owns_memory = 1;
  AddOnly(npu_, "A/Npu/Own", own);
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(npu_, layers_.AddView(npu_, a, {2, 2}), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("run A/Npu/Own to A/Npu/Own by Npu"));
}

TEST_F(BridgeViewsTest, WhatWasImportedHasViewsAlthoughItsHandleAllocates) {
  FactoryProperties in = Importing(MemorySource::kDmaBuf);
  in.owns_memory = 1;
  AddOnly(npu_, "A/Npu/Own", Exporting(MemorySource::kDmaBuf));
  AddOnly(gpu_, "A/Gpu/In", in);
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddSum(gpu_, layers_.AddView(gpu_, a, {4, 1}), a, "b");
  const auto ways = ListWays(Bridge());
  EXPECT_THAT(ways, testing::Contains("import A/Npu/Own to A/Gpu/In").Times(1));
  EXPECT_THAT(ways, testing::Contains("view in A/Gpu/In").Times(1));
}

// When such memory is copied after all, because of its address, only the input gets it.
TEST_F(BridgeViewsTest, AnInputWhoseHandleAllocatesHasNoViews) {
  FactoryProperties in = Importing(MemorySource::kMalloc);
  in.supports_map_unmap = 1;
  in.owns_memory = 1;
  AddOnly(npu_, "A/Npu/In", in);
  layers_.AddRelu(npu_, layers_.AddView(npu_, layers_.AddInput({4}), {2, 2}), "b");
  const BridgedNetwork network = Bridge();
  for (const std::string& way : ListWays(network)) EXPECT_NE(way, "view in A/Npu/In");
}

TEST_F(BridgeViewsTest, PaddingExcludesImports) {
  FactoryProperties out = Exporting(MemorySource::kMalloc);
  out.supports_map_unmap = 1;
  FactoryProperties in = Importing(MemorySource::kMalloc);
  in.supports_map_unmap = 1;
  AddOnly(npu_, "A/Npu/Out", out, AskingFor(4, 8));
  AddOnly(gpu_, "A/Gpu/In", in);
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("copy A/Npu/Out to A/Gpu/In by core"));
}

TEST_F(BridgeViewsTest, PaddingBesideOneKindOfLayerExcludesImportsThere) {
  FactoryProperties in = Importing(MemorySource::kMalloc);
  in.supports_map_unmap = 1;
  FactoryAnswers answers;
  answers.get_requirements = [](const TensorRequirementsArgs& args) {
    const std::uint64_t padding = args.layer_type == LayerType::kElementwiseBinary ? 8 : 0;
    MemoryRequirements requirements;
    requirements.size_bytes = args.info->GetSizeBytes() + padding;
    return requirements;
  };
  AddOnly(gpu_, "A/Gpu/In", in, answers);
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  const OutputSlot b = layers_.AddRelu(npu_, layers_.AddConstant({4}), "b");
  layers_.AddRelu(gpu_, a, "c");
  layers_.AddSum(gpu_, b, b, "d");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("import Backplane/Host/Memory to A/Gpu/In",
                                              "copy Backplane/Host/Memory to A/Gpu/In by core"));
}

class BridgeAlignmentTest : public BridgeFixture {
 protected:
  FactoryProperties owning_ = Exporting(MemorySource::kMalloc);
  FactoryProperties importing_ = Importing(MemorySource::kMalloc);

  BridgeAlignmentTest() {
    owning_.supports_map_unmap = 1;
    importing_.supports_map_unmap = 1;
  }
  std::vector<std::string> ListWaysOfChain() {
    layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
    return ListWays(Bridge());
  }
};

TEST_F(BridgeAlignmentTest, TheCoreAlignsForWhoImports) {
  AddOnly(npu_, "A/Npu/Out", owning_, AskingFor(16));
  AddOnly(gpu_, "A/Gpu/In", importing_, AskingFor(4096));
  EXPECT_THAT(ListWaysOfChain(), ElementsAre("import A/Npu/Out to A/Gpu/In"));
}

TEST_F(BridgeAlignmentTest, AHandleThatAllocatesAlignsForItselfAlone) {
  owning_.owns_memory = 1;
  AddOnly(npu_, "A/Npu/Out", owning_, AskingFor(16));
  AddOnly(gpu_, "A/Gpu/In", importing_, AskingFor(4096));
  EXPECT_THAT(ListWaysOfChain(), ElementsAre("copy A/Npu/Out to A/Gpu/In by core"));
}

TEST_F(BridgeAlignmentTest, AHandleThatAllocatesWithTheSameAlignmentIsImported) {
  owning_.owns_memory = 1;
  AddOnly(npu_, "A/Npu/Out", owning_, AskingFor(4096));
  AddOnly(gpu_, "A/Gpu/In", importing_, AskingFor(4096));
  EXPECT_THAT(ListWaysOfChain(), ElementsAre("import A/Npu/Out to A/Gpu/In"));
}

TEST_F(BridgeAlignmentTest, AnImportInBetweenAlignsNothing) {
  owning_.owns_memory = 1;
  owning_.export_sources = ToFlags(MemorySource::kDmaBuf);
  AddOnly(npu_, "A/Npu/Out", owning_, AskingFor(16));
  FactoryProperties between = Importing(MemorySource::kDmaBuf);
  between.export_sources = ToFlags(MemorySource::kMalloc);
  kinds_.Add(gpu_, "A/Gpu/Between", between, AskingFor(16));
  AddOnly(gpu_, "A/Gpu/In", importing_, AskingFor(4096));
  EXPECT_THAT(ListWaysOfChain(), ElementsAre("copy A/Npu/Out to A/Gpu/In by core"));
}

TEST_F(BridgeAlignmentTest, AViewOfWhatWasImportedIsAlignedAsItsKindWants) {
  owning_.owns_memory = 1;
  AddOnly(npu_, "A/Npu/Out", owning_, AskingFor(16));
  FactoryAnswers answers;
  answers.get_requirements = [](const TensorRequirementsArgs& args) {
    MemoryRequirements requirements;
    requirements.alignment_bytes = args.layer_type == LayerType::kElementwiseBinary ? 4096 : 16;
    return requirements;
  };
  AddOnly(gpu_, "A/Gpu/In", importing_, answers);
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  const OutputSlot view = layers_.AddView(gpu_, a, {2, 2});
  layers_.AddRelu(gpu_, a, "b");
  layers_.AddSum(gpu_, view, view, "c");
  EXPECT_THAT(ListWays(Bridge()), testing::Contains("copy A/Npu/Out to A/Gpu/In by core").Times(1));
}

}  // namespace
}  // namespace backplane
