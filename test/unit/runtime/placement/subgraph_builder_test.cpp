#include "placement/subgraph_builder.hpp"

#include "expect_diagnostic.hpp"
#include "graph/network.hpp"
#include "placement/subgraph_borders.hpp"
#include "test_networks.hpp"

#include <backplane/api/descriptors.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backplane {
namespace {

class SubgraphBuilderCompiled final : public IPreCompiledObject {};

// A chain of "one" and "two" with the ids 1 and 2, of which only "two" is in the sub-graph.
class SubgraphBuilderTest : public testing::Test {
 protected:
  SubgraphBuilderTest() {
    layer_.layer_type = LayerType::kActivation;
    layer_.name = "new";
    layer_.inputs = &input_;
    layer_.num_inputs = 1;
    layer_.output_infos = &outputs_;
    layer_.num_outputs = 1;
  }

  static std::shared_ptr<const PluginOrigin> MakeOrigin() {
    return std::make_shared<PluginOrigin>(
        PluginOrigin{"A", IBackendInternal::GetApiVersion(), nullptr, nullptr});
  }

  void ExpectRefused(Status status, const std::string& problem) const {
    EXPECT_EQ(status, Status::kInvalidArgument);
    EXPECT_EQ(id_, 1000U) << "the id must stay untouched";
    EXPECT_TRUE(builder_.GetLayers().empty());
    ASSERT_EQ(builder_.GetProblems().size(), 1U);
    ExpectContains(builder_.GetProblems()[0], problem);
  }

  const std::unique_ptr<INetwork> network_ = MakeChain({"one", "two"});
  const Graph& graph_ = static_cast<const Network&>(*network_).GetGraph();
  const SubgraphView subgraph_ = SubgraphBorders(graph_).Describe({2});
  const ShownConstants shown_{graph_};
  ConstantReleases releases_{graph_, shown_};
  SubgraphBuilder builder_{graph_, subgraph_, MakeOrigin(), releases_};
  OutputSlot input_{1, 0};
  const TensorInfo info_ = Float({4});
  const TensorInfo* outputs_ = &info_;
  ReplacementLayer layer_;
  LayerId id_ = 1000;
};

TEST_F(SubgraphBuilderTest, GivesIdsBehindThoseOfTheGraph) {
  EXPECT_EQ(builder_.AddLayer(layer_, &id_), Status::kSuccess);
  EXPECT_EQ(id_, graph_.layers.size());
  input_ = {id_, 0};
  EXPECT_EQ(builder_.AddLayer(layer_, &id_), Status::kSuccess);
  EXPECT_EQ(id_, graph_.layers.size() + 1);
  EXPECT_EQ(builder_.GetLayers()[1].name, "new");
  EXPECT_EQ(builder_.GetLayers()[1].outputs[0], info_);
}

TEST_F(SubgraphBuilderTest, ReadsBackADescriptorOfAnOlderPlugin) {
  ActivationDescriptor descriptor;
  descriptor.function = ActivationFunction::kSigmoid;
  descriptor.alpha = 77.0F;
  // An older plugin knows only the first field.
  descriptor.size_bytes = sizeof(BaseDescriptor) + sizeof(descriptor.function);
  layer_.descriptor = &descriptor;
  EXPECT_EQ(builder_.AddLayer(layer_, &id_), Status::kSuccess);
  const auto& read = static_cast<const ActivationDescriptor&>(*builder_.GetLayers()[0].descriptor);
  EXPECT_EQ(read.size_bytes, sizeof(ActivationDescriptor));
  EXPECT_EQ(read.function, ActivationFunction::kSigmoid);
  EXPECT_EQ(read.alpha, ActivationDescriptor().alpha);
}

TEST_F(SubgraphBuilderTest, QuantizedOutputsAreAsTheyAreStated) {
  TensorInfo stored({4}, DataType::kInt8);
  stored.quantization.scales = {0.5F};
  const std::int8_t data[4] = {};
  ASSERT_EQ(builder_.AddConstant({stored, data}, "constant", &id_), Status::kSuccess);
  input_ = {id_, 0};
  stored.quantization.scales = {0.25F};
  const TensorInfo* outputs = &stored;
  layer_.output_infos = &outputs;
  EXPECT_EQ(builder_.AddLayer(layer_, &id_), Status::kSuccess);
  EXPECT_EQ(builder_.GetLayers()[1].outputs[0], stored);
}

TEST_F(SubgraphBuilderTest, TakesDefaultsForANullDescriptor) {
  EXPECT_EQ(builder_.AddLayer(layer_, &id_), Status::kSuccess);
  const auto& read = static_cast<const ActivationDescriptor&>(*builder_.GetLayers()[0].descriptor);
  EXPECT_EQ(read.function, ActivationDescriptor().function);
}

TEST_F(SubgraphBuilderTest, RefusesADescriptorOfANewerPlugin) {
  ActivationDescriptor descriptor;
  descriptor.size_bytes += 8;
  layer_.descriptor = &descriptor;
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found " + std::to_string(descriptor.size_bytes));
}

TEST_F(SubgraphBuilderTest, RefusesATensorOutsideTheSubgraph) {
  input_ = {0, 0};
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found output 0 of layer \"x\" (Input)");
}

TEST_F(SubgraphBuilderTest, RefusesATensorThatDoesNotExist) {
  input_ = {2, 9};
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found output 9 of layer \"two\" (Activation)");
}

TEST_F(SubgraphBuilderTest, RefusesOutputsThatDoNotFollowFromTheInputs) {
  const TensorInfo wrong = Float({5});
  outputs_ = &wrong;
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found float32 [5]; expected float32 [4]");
}

TEST_F(SubgraphBuilderTest, RefusesOutputsThatAreNotDescribed) {
  outputs_ = nullptr;
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found null among 1 output_infos");
}

TEST_F(SubgraphBuilderTest, RefusesInputsThatAreNotGiven) {
  layer_.inputs = nullptr;
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found null; expected 1 slots");
}

TEST_F(SubgraphBuilderTest, RefusesLayersOfTheCore) {
  layer_.layer_type = LayerType::kOutput;
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found Output, which belongs to the core");
}

TEST_F(SubgraphBuilderTest, RefusesToPutTheIdNowhere) {
  EXPECT_EQ(builder_.AddLayer(layer_, nullptr), Status::kInvalidArgument);
  EXPECT_TRUE(builder_.GetLayers().empty());
}

TEST_F(SubgraphBuilderTest, AddsACompiledObjectThatLivesWithItsLayer) {
  layer_.layer_type = LayerType::kPreCompiled;
  auto object = std::make_shared<SubgraphBuilderCompiled>();
  const std::weak_ptr<SubgraphBuilderCompiled> observed = object;
  EXPECT_EQ(builder_.AddPreCompiledLayer(layer_, std::move(object), &id_), Status::kSuccess);
  Layer layer = builder_.GetLayers()[0];
  EXPECT_EQ(layer.type, LayerType::kPreCompiled);
  EXPECT_FALSE(observed.expired());
}

TEST_F(SubgraphBuilderTest, RefusesANullCompiledObject) {
  layer_.layer_type = LayerType::kPreCompiled;
  ExpectRefused(builder_.AddPreCompiledLayer(layer_, nullptr, &id_),
                "found null; expected an IPreCompiledObject");
}

TEST_F(SubgraphBuilderTest, CopiesConstants) {
  std::vector<float> values{1, 2, 3, 4};
  EXPECT_EQ(builder_.AddConstant({info_, values.data()}, "constant", &id_), Status::kSuccess);
  values.assign(4, 0.0F);
  const auto* copy = static_cast<const float*>(GetConstantData(builder_.GetLayers()[0]));
  EXPECT_EQ(copy[3], 4.0F);
}

TEST_F(SubgraphBuilderTest, RefusesAConstantWithoutData) {
  ExpectRefused(builder_.AddConstant({info_, nullptr}, "constant", &id_), "found null");
}

TEST_F(SubgraphBuilderTest, ReadsALayerStructOfAnOlderPlugin) {
  // Everything before num_outputs, as if the rest were newer; then the layer states no outputs.
  layer_.size_bytes = offsetof(ReplacementLayer, num_outputs);
  ExpectRefused(builder_.AddLayer(layer_, &id_), "found none; expected float32 [4]");
}

}  // namespace
}  // namespace backplane
