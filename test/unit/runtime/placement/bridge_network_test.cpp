#include "placement/bridge_network.hpp"

#include "bridge_fixture.hpp"

#include <set>

namespace backplane {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class BridgeNetworkTest : public BridgeFixture {
 protected:
  /// x is read by "a" on the one, which is read by "b" on the other, which makes y. What crosses
  /// for the application stays on its side.
  void AddChain(std::uint32_t first, std::uint32_t second) {
    const OutputSlot x = layers_.AddInput({4});
    layers_.AddOutput(layers_.AddRelu(second, layers_.AddRelu(first, x, "a"), "b"));
  }
};

TEST_F(BridgeNetworkTest, ShareATensorInAKindThatBothCanUse) {
  AddChain(npu_, gpu_);
  const BridgedNetwork network = Bridge();
  EXPECT_THAT(ListWays(network), IsEmpty());
  EXPECT_EQ(GetKindId(network, GetInputOf(network, "b")), kHostTensorHandleFactoryId);
}

TEST_F(BridgeNetworkTest, TakesThePreferredOfTheKindsInCommon) {
  const KindIndex fast = kinds_.Add(npu_, "A/Npu/Fast", Mappable());
  kinds_.Prefer(npu_, {fast, kHostKind});
  kinds_.Prefer(gpu_, {fast, kHostKind});
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddInput({4}), "a"), "b");
  const BridgedNetwork network = Bridge();
  EXPECT_EQ(GetKindId(network, GetInputOf(network, "b")), "A/Npu/Fast");
}

TEST_F(BridgeNetworkTest, ImportsWhatTheOtherSideExports) {
  AddOnly(npu_, "A/Npu/Out", Exporting(MemorySource::kDmaBuf));
  FactoryProperties in = Importing(MemorySource::kDmaBuf);
  AddOnly(gpu_, "A/Gpu/In", in);
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  const BridgedNetwork network = Bridge();
  EXPECT_THAT(ListWays(network), ElementsAre("import A/Npu/Out to A/Gpu/In"));
}

TEST_F(BridgeNetworkTest, CopiesByMappingWhenNothingElseGoes) {
  AddOnly(npu_, "A/Npu/Own", Mappable());
  AddOnly(gpu_, "A/Gpu/Own", Mappable());
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("copy A/Npu/Own to A/Gpu/Own by core"));
}

TEST_F(BridgeNetworkTest, CopiesByADeviceBeforeMapping) {
  FactoryProperties own = Mappable();
  own.copy_from_sources = ToFlags(MemorySource::kMalloc);
  AddOnly(npu_, "A/Npu/Own", Mappable());
  AddOnly(gpu_, "A/Gpu/Own", own);
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("copy A/Npu/Own to A/Gpu/Own by Gpu"));
}

TEST_F(BridgeNetworkTest, TheMakerCopiesWhatTheReaderCannotReach) {
  FactoryProperties hidden;
  hidden.copy_to_sources = ToFlags(MemorySource::kMalloc);
  AddOnly(npu_, "A/Npu/Hidden", hidden);
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("copy A/Npu/Hidden to Backplane/Host/Memory by Npu"));
}

TEST_F(BridgeNetworkTest, TwoReadersOnOneBackendShareOneCopy) {
  AddOnly(npu_, "A/Npu/Own", Mappable());
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddRelu(gpu_, a, "b");
  layers_.AddRelu(gpu_, a, "c");
  const BridgedNetwork network = Bridge();
  EXPECT_EQ(ListWays(network).size(), 1U);
  EXPECT_TRUE(GetInputOf(network, "b") == GetInputOf(network, "c"));
}

TEST_F(BridgeNetworkTest, GoesByWayOfAStagingKind) {
  FactoryProperties fast = Opaque();
  fast.copies_within_backend = 1;
  FactoryProperties staging = Mappable();
  staging.copies_within_backend = 1;
  const KindIndex own = kinds_.Add(npu_, "A/Npu/Fast", fast);
  kinds_.Add(npu_, "A/Npu/Staging", staging);
  kinds_.Prefer(npu_, {own});
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  EXPECT_THAT(ListWays(Bridge()),
              ElementsAre("copy A/Npu/Fast to A/Npu/Staging by Npu",
                          "copy A/Npu/Staging to Backplane/Host/Memory by core"));
}

TEST_F(BridgeNetworkTest, ImportsFromAStagingKindInsteadOfCopyingTwice) {
  FactoryProperties fast = Opaque();
  fast.copies_within_backend = 1;
  FactoryProperties staging = Exporting(MemorySource::kFileDescriptor);
  staging.copies_within_backend = 1;
  const KindIndex own = kinds_.Add(npu_, "A/Npu/Fast", fast);
  kinds_.Add(npu_, "A/Npu/Staging", staging);
  kinds_.Prefer(npu_, {own});
  AddOnly(gpu_, "A/Gpu/In", Importing(MemorySource::kFileDescriptor));
  layers_.AddRelu(gpu_, layers_.AddRelu(npu_, layers_.AddConstant({4}), "a"), "b");
  EXPECT_THAT(ListWays(Bridge()), ElementsAre("copy A/Npu/Fast to A/Npu/Staging by Npu",
                                              "import A/Npu/Staging to A/Gpu/In"));
}

TEST_F(BridgeNetworkTest, ABackendKeepsTensorsInItsFastKindAndMakesThoseForOthersInAnother) {
  FactoryProperties fast = Opaque();
  fast.copies_within_backend = 1;
  FactoryProperties staging = Mappable();
  staging.copies_within_backend = 1;
  const KindIndex first = kinds_.Add(npu_, "A/Npu/Fast", fast);
  const KindIndex second = kinds_.Add(npu_, "A/Npu/Staging", staging);
  kinds_.Prefer(npu_, {first, second});
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  const OutputSlot b = layers_.AddRelu(npu_, a, "b");
  layers_.AddRelu(gpu_, b, "c");
  const BridgedNetwork network = Bridge();
  EXPECT_EQ(GetKindId(network, GetInputOf(network, "b")), "A/Npu/Fast");
  EXPECT_THAT(ListWays(network),
              ElementsAre("copy A/Npu/Staging to Backplane/Host/Memory by core"));
}

TEST_F(BridgeNetworkTest, AnInputReadByTwoBackendsIsImportedByBoth) {
  AddOnly(npu_, "A/Npu/In", Importing(MemorySource::kMalloc));
  FactoryProperties both = Importing(MemorySource::kMalloc);
  both.export_sources = ToFlags(MemorySource::kMalloc);
  AddOnly(gpu_, "A/Gpu/In", both);
  const OutputSlot x = layers_.AddInput({4});
  layers_.AddRelu(npu_, x, "a");
  layers_.AddRelu(gpu_, x, "b");
  const BridgedNetwork network = Bridge();
  EXPECT_EQ(GetKindId(network, {network.graph.inputs[0], 0}), "A/Gpu/In");
  EXPECT_THAT(ListWays(network), ElementsAre("import A/Gpu/In to A/Npu/In"));
}

TEST_F(BridgeNetworkTest, AnOutputThatIsReadTooIsMadeWhereTheApplicationCanTakeIt) {
  const KindIndex fast = kinds_.Add(npu_, "A/Npu/Fast", Mappable());
  const KindIndex importing = kinds_.Add(npu_, "A/Npu/In", Importing(MemorySource::kMalloc));
  kinds_.Prefer(npu_, {fast, importing});
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddOutput(a);
  layers_.AddRelu(npu_, a, "b");
  const BridgedNetwork network = Bridge();
  EXPECT_THAT(ListWays(network), IsEmpty());
  EXPECT_EQ(GetKindId(network, GetInputOf(network, "b")), "A/Npu/In");
}

TEST_F(BridgeNetworkTest, TheSecondOutputOfOneTensorIsCopiedByMapping) {
  AddOnly(npu_, "A/Npu/In", Importing(MemorySource::kMalloc));
  FactoryProperties both = Importing(MemorySource::kMalloc);
  both.supports_map_unmap = 1;
  const KindIndex mapped = kinds_.Add(npu_, "A/Npu/Both", both);
  kinds_.Prefer(npu_, {1, mapped});
  const OutputSlot a = layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  layers_.AddOutput(a);
  const BridgedNetwork one = Bridge();
  EXPECT_EQ(GetKindId(one, one.graph.layers[one.graph.outputs[0]].inputs[0]), "A/Npu/In");
  layers_.AddOutput(a);
  const BridgedNetwork two = Bridge();
  EXPECT_THAT(ListWays(two), IsEmpty());
  EXPECT_EQ(GetKindId(two, two.graph.layers[two.graph.outputs[0]].inputs[0]), "A/Npu/Both");
  EXPECT_EQ(GetKindId(two, two.graph.layers[two.graph.outputs[1]].inputs[0]), "A/Npu/Both");
}

TEST_F(BridgeNetworkTest, AnInputThatIsAnOutputNeedsNoBackend) {
  layers_.AddOutput(layers_.AddInput({4}));
  const BridgedNetwork network = Bridge();
  EXPECT_EQ(network.graph.layers.size(), 2U);
  EXPECT_EQ(GetKindId(network, {0, 0}), kHostTensorHandleFactoryId);
}

TEST_F(BridgeNetworkTest, TensorsThatNobodyReadsHaveAKindToo) {
  AddOnly(npu_, "A/Npu/Own", Opaque());
  layers_.AddInput({4});
  layers_.AddRelu(npu_, layers_.AddConstant({4}), "a");
  const BridgedNetwork network = Bridge();
  EXPECT_THAT(network.kind_of_tensor, ElementsAre(kHostKind, kNoKind, 1U));
}

TEST_F(BridgeNetworkTest, CopiesHaveDifferentNames) {
  AddOnly(npu_, "A/Npu/Own", Mappable());
  AddOnly(gpu_, "A/Gpu/Own", Mappable());
  const auto parts = layers_.AddSplit(npu_, layers_.AddConstant({4}), {2, 2}, 0, "split");
  layers_.AddSum(gpu_, parts[0], parts[1], "b");
  const BridgedNetwork network = Bridge();
  std::set<std::string> names;
  for (const Layer& layer : network.graph.layers) {
    if (layer.type == LayerType::kCopy) names.insert(layer.name);
  }
  EXPECT_THAT(names, ElementsAre("split to A/Gpu/Own", "split:1 to A/Gpu/Own"));
}

TEST_F(BridgeNetworkTest, ConstantsHaveNoKind) {
  AddOnly(npu_, "A/Npu/Own", Opaque());
  AddOnly(gpu_, "A/Gpu/Own", Opaque());
  const OutputSlot constant = layers_.AddConstant({4});
  const OutputSlot view = layers_.AddView(npu_, constant, {2, 2}, "view");
  layers_.AddRelu(npu_, constant, "a");
  layers_.AddRelu(gpu_, view, "b");
  layers_.AddOutput(view);
  const BridgedNetwork network = Bridge();
  EXPECT_THAT(ListWays(network), ElementsAre("view in none"));
  EXPECT_EQ(GetKindId(network, GetInputOf(network, "b")), "none");
}

}  // namespace
}  // namespace backplane
