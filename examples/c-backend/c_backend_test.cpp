// Tests the backend as an application would use it, linked in, and against the reference.

#include <backplane/api/custom_layer.hpp>
#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Example_C);

namespace {

using namespace backplane;

const TensorInfo kInfo({2, 50}, DataType::kFloat32);  // more than a block

std::vector<float> MakeValues(int first) {
  std::vector<float> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>((first + 7 * static_cast<int>(i)) % 13) - 6.0F;
  }
  return values;
}

class C : public testing::Test {
 protected:
  static void SetUpTestSuite() { RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Example_C)); }

  /// Two results of three layers: relu(x + y) + c, and relu(x + y).
  static std::unique_ptr<INetwork> BuildNetwork() {
    auto network = INetwork::Create("sums");
    const std::vector<float> content = MakeValues(3);
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
    const std::vector<float> x = MakeValues(0);
    const std::vector<float> y = MakeValues(5);
    std::vector<float> results(200, -1.0F);
    const std::size_t half = results.size() / 2 * sizeof(float);
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {{0, {kInfo, x.data()}}, {1, {kInfo, y.data()}}},
                                        {{0, results.data(), half}, {1, &results[100], half}}),
              Status::kSuccess);
    return results;
  }

  const std::unique_ptr<IRuntime> runtime_ = IRuntime::Create({});
};

TEST_F(C, PutsOneLayerInThePlaceOfAll) {
  const auto network = OptimizeFor("ExampleC");
  const std::vector<PlacedSubgraph>& subgraphs = network->GetPlacement().subgraphs;
  ASSERT_EQ(subgraphs.size(), 1U);
  EXPECT_EQ(subgraphs[0].outcome, SubgraphOutcome::kReplaced);
  EXPECT_EQ(subgraphs[0].layers.size(), 3U);
  EXPECT_EQ(subgraphs[0].replacements, std::vector<std::string>{"fused"});
  EXPECT_EQ(Run(network), Run(OptimizeFor("CpuRef")));
}

TEST_F(C, LeavesTheLayersAloneWhenItsOptionSaysSo) {
  const auto network = OptimizeFor("ExampleC", {{"ExampleC", {{"fuse", false}}}});
  const std::vector<PlacedSubgraph>& subgraphs = network->GetPlacement().subgraphs;
  ASSERT_EQ(subgraphs.size(), 1U);
  EXPECT_EQ(subgraphs[0].outcome, SubgraphOutcome::kUntouched);
  EXPECT_EQ(Run(network), Run(OptimizeFor("CpuRef")));
}

TEST_F(C, RunsAnOperatorOfItsOwnInACompiledPart) {
  auto network = INetwork::Create("leaky");
  const TensorInfo info({4}, DataType::kFloat32);
  const OutputSlot x = network->AddInputLayer(info, "x");
  const CustomLayer leaky("example", "Leaky", 1, {{"slope", 0.5}}, {info});
  const LayerId first = AddLayer<LayerType::kCustom>(*network, leaky.Get(), {x}, "leaky");
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(*network, {}, {{first, 0}, x}, "sum");
  network->AddOutputLayer({sum, 0}, "y");
  const NetworkId id =
      runtime_->LoadNetwork(Optimize(*network, {"ExampleC"}, runtime_->GetDeviceSpec()));
  const std::vector<float> input = {-4, 3, -2, 0};
  std::vector<float> output(4);
  ASSERT_EQ(runtime_->EnqueueWorkload(id, {{0, {info, input.data()}}},
                                      {{0, output.data(), output.size() * sizeof(float)}}),
            Status::kSuccess);
  EXPECT_EQ(output, (std::vector<float>{-6, 6, -3, 0}));
}

TEST_F(C, RefusesOtherDataTypesWithTheReason) {
  auto network = INetwork::Create("half");
  const OutputSlot x = network->AddInputLayer({{2, 3}, DataType::kFloat16}, "x");
  const LayerId relu = AddLayer<LayerType::kActivation>(*network, {}, {x}, "relu");
  network->AddOutputLayer({relu, 0}, "y");
  try {
    Optimize(*network, {"ExampleC"}, runtime_->GetDeviceSpec());
    FAIL() << "float16 was taken";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kLayerNotSupported);
    EXPECT_NE(std::string(exception.what()).find("data type 2 is not supported, only float32 (1)"),
              std::string::npos)
        << exception.what();
  }
}

}  // namespace
