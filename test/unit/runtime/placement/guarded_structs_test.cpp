// What backends of older and newer headers give to the builder, placed at the end of memory:
// nothing behind the size that they state is read.

#include "placement/subgraph_builder.hpp"

#include "conformance/guarded_memory.hpp"
#include "graph/network.hpp"
#include "placement/subgraph_borders.hpp"
#include "test_networks.hpp"

#include <backplane/api/descriptors.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

namespace backplane {
namespace {

using conformance::GuardedMemory;

class GuardedStructsTest : public testing::Test {
 protected:
  /// Puts the first bytes of a struct at the end of memory. What is asked for beyond its own size
  /// is filled, as if it had fields that nobody here knows.
  template <typename Type>
  const Type& Place(Type content, std::size_t size_bytes) {
    std::vector<unsigned char> bytes(std::max(size_bytes, sizeof(Type)), 0x5a);
    content.size_bytes = static_cast<std::uint32_t>(size_bytes);
    std::memcpy(bytes.data(), &content, sizeof(Type));
    placed_.push_back(
        std::make_unique<GuardedMemory>(bytes.data(), size_bytes, GuardedMemory::Side::kBehind));
    return *reinterpret_cast<const Type*>(placed_.back()->GetBegin());
  }

  ReplacementLayer MakeReplacement() const {
    ReplacementLayer layer;
    layer.layer_type = LayerType::kActivation;
    layer.name = "new";
    layer.inputs = &input_;
    layer.num_inputs = 1;
    layer.output_infos = &outputs_;
    layer.num_outputs = 1;
    return layer;
  }

  std::vector<std::unique_ptr<GuardedMemory>> placed_;
  const std::unique_ptr<INetwork> network_ = MakeChain({"one", "two"});
  const Graph& graph_ = static_cast<const Network&>(*network_).GetGraph();
  const SubgraphView subgraph_ = SubgraphBorders(graph_).Describe({2});
  const ShownConstants shown_{graph_};
  ConstantReleases releases_{graph_, shown_};
  SubgraphBuilder builder_{graph_, subgraph_,
                           std::make_shared<PluginOrigin>(PluginOrigin{
                               "A", IBackendInternal::GetApiVersion(), nullptr, nullptr}),
                           releases_};
  const OutputSlot input_{1, 0};
  const TensorInfo info_ = Float({4});
  const TensorInfo* const outputs_ = &info_;
  LayerId id_ = 0;
};

TEST_F(GuardedStructsTest, AReplacementLayerIsReadUpToItsSize) {
  const ReplacementLayer whole = MakeReplacement();
  for (std::size_t size = 8; size < sizeof(ReplacementLayer); size += 8) {
    EXPECT_EQ(builder_.AddLayer(Place(whole, size), &id_), Status::kInvalidArgument) << size;
  }
  EXPECT_EQ(builder_.AddLayer(Place(whole, sizeof(ReplacementLayer)), &id_), Status::kSuccess);
}

TEST_F(GuardedStructsTest, AReplacementLayerOfANewerBackendIsReadAsFarAsItIsKnown) {
  for (std::size_t more = 8; more <= 64; more += 8) {
    const auto& layer = Place(MakeReplacement(), sizeof(ReplacementLayer) + more);
    EXPECT_EQ(builder_.AddLayer(layer, &id_), Status::kSuccess) << more;
  }
}

TEST_F(GuardedStructsTest, ADescriptorIsReadUpToItsSizeAndTheRestIsTheDefaults) {
  ActivationDescriptor whole;
  whole.function = ActivationFunction::kSigmoid;
  whole.alpha = 77.0F;
  const std::size_t alpha_end =
      sizeof(BaseDescriptor) + sizeof(whole.function) + sizeof(whole.alpha);
  ReplacementLayer layer = MakeReplacement();
  for (std::size_t size = 4; size <= sizeof(ActivationDescriptor); size += 4) {
    layer.descriptor = &Place(whole, size);
    ASSERT_EQ(builder_.AddLayer(layer, &id_), Status::kSuccess) << size;
    const auto& read =
        static_cast<const ActivationDescriptor&>(*builder_.GetLayers().back().descriptor);
    const bool has_function = size >= sizeof(BaseDescriptor) + sizeof(whole.function);
    const bool has_alpha = size >= alpha_end;
    EXPECT_EQ(read.size_bytes, sizeof(ActivationDescriptor));
    EXPECT_EQ(read.function, has_function ? whole.function : ActivationDescriptor().function);
    EXPECT_EQ(read.alpha, has_alpha ? whole.alpha : ActivationDescriptor().alpha);
  }
}

TEST_F(GuardedStructsTest, ADescriptorOfANewerBackendIsRefused) {
  ReplacementLayer layer = MakeReplacement();
  layer.descriptor = &Place(ActivationDescriptor(), sizeof(ActivationDescriptor) + 8);
  EXPECT_EQ(builder_.AddLayer(layer, &id_), Status::kInvalidArgument);
}

TEST_F(GuardedStructsTest, ADescriptorOfAnApplicationIsReadUpToItsSize) {
  const auto network = INetwork::Create("net");
  const OutputSlot x = network->AddInputLayer(Float({4}), "x");
  for (std::size_t size = 4; size <= sizeof(SoftmaxDescriptor); size += 4) {
    const auto& descriptor = Place(SoftmaxDescriptor(), size);
    EXPECT_NO_THROW(network->AddOperatorLayer(LayerType::kSoftmax, descriptor, {x}, "softmax"));
  }
}

}  // namespace
}  // namespace backplane
