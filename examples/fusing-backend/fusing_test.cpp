#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Example_Fusing);

namespace {

using namespace backplane;

const TensorInfo kInfo({2, 3}, DataType::kFloat32);

class Fusing : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Example_Fusing));
  }

  /// Two results of three layers: relu(x + y) + c, and relu(x + y).
  static std::unique_ptr<INetwork> BuildNetwork() {
    auto network = INetwork::Create("chain");
    const std::vector<float> content = {1, 2, 3, 4, 5, 6};
    const OutputSlot x = network->AddInputLayer(kInfo, "x");
    const OutputSlot y = network->AddInputLayer(kInfo, "y");
    const OutputSlot c = network->AddConstantLayer(
        kInfo, CopyConstantData(content.data(), content.size() * sizeof(float)), "c");
    const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(*network, {}, {x, y}, "sum");
    const LayerId relu = AddLayer<LayerType::kActivation>(*network, {}, {{sum, 0}}, "relu");
    const LayerId more =
        AddLayer<LayerType::kElementwiseBinary>(*network, {}, {{relu, 0}, c}, "more");
    network->AddOutputLayer({more, 0}, "first");
    network->AddOutputLayer({relu, 0}, "second");
    return network;
  }

  std::shared_ptr<const IOptimizedNetwork> OptimizeFor(const std::string& backend_id,
                                                       const ModelOptions& model_options = {}) {
    OptimizerOptions options;
    options.model_options = model_options;
    return Optimize(*BuildNetwork(), {backend_id}, runtime_->GetDeviceSpec(), options);
  }

  std::vector<float> Run(const std::shared_ptr<const IOptimizedNetwork>& network) {
    const NetworkId id = runtime_->LoadNetwork(network);
    const std::vector<float> x = {1, -2, 3, -4, 5, -6};
    const std::vector<float> y = {-3, 1, 0, 9, 0.5F, 6};
    std::vector<float> results(12, -1.0F);
    const std::size_t half = results.size() / 2 * sizeof(float);
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {{0, {kInfo, x.data()}}, {1, {kInfo, y.data()}}},
                                        {{0, results.data(), half}, {1, &results[6], half}}),
              Status::kSuccess);
    return results;
  }

  const std::unique_ptr<IRuntime> runtime_ = IRuntime::Create({});
};

TEST_F(Fusing, PutsOneLayerInThePlaceOfAll) {
  const auto network = OptimizeFor("Fusing");
  const std::vector<PlacedSubgraph>& subgraphs = network->GetPlacement().subgraphs;
  ASSERT_EQ(subgraphs.size(), 1U);
  EXPECT_EQ(subgraphs[0].outcome, SubgraphOutcome::kReplaced);
  EXPECT_EQ(subgraphs[0].layers.size(), 3U);
  EXPECT_EQ(subgraphs[0].replacements, std::vector<std::string>{"fused sum"});
  EXPECT_EQ(Run(network), Run(OptimizeFor("CpuRef")));
}

TEST_F(Fusing, LeavesTheLayersAloneWhenItsOptionSaysSo) {
  const auto network = OptimizeFor("Fusing", {{"Fusing", {{"Fuse", false}}}});
  const std::vector<PlacedSubgraph>& subgraphs = network->GetPlacement().subgraphs;
  ASSERT_EQ(subgraphs.size(), 1U);
  EXPECT_EQ(subgraphs[0].outcome, SubgraphOutcome::kUntouched);
  EXPECT_EQ(Run(network), Run(OptimizeFor("CpuRef")));
}

}  // namespace
