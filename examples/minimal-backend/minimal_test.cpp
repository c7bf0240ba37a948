// Tests the backend as an application would use it, linked in, and against the reference.

#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Example_Minimal);

namespace {

using namespace backplane;

class Minimal : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Example_Minimal));
  }

  /// relu(x + y)
  static std::unique_ptr<INetwork> BuildNetwork(DataType data_type) {
    auto network = INetwork::Create("rectified sum");
    const TensorInfo info({2, 3}, data_type);
    const OutputSlot x = network->AddInputLayer(info, "x");
    const OutputSlot y = network->AddInputLayer(info, "y");
    const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(*network, {}, {x, y}, "sum");
    const LayerId relu = AddLayer<LayerType::kActivation>(*network, {}, {{sum, 0}}, "relu");
    network->AddOutputLayer({relu, 0}, "result");
    return network;
  }

  std::vector<float> RunOn(const std::string& backend_id) {
    const auto network = BuildNetwork(DataType::kFloat32);
    const NetworkId id =
        runtime_->LoadNetwork(Optimize(*network, {backend_id}, runtime_->GetDeviceSpec()));
    const std::vector<float> x = {1, -2, 3, -4, 5, -6};
    const std::vector<float> y = {-3, 1, 0, 9, 0.5F, 6};
    std::vector<float> result(6, -1.0F);
    const TensorInfo info({2, 3}, DataType::kFloat32);
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {{0, {info, x.data()}}, {1, {info, y.data()}}},
                                        {{0, result.data(), result.size() * sizeof(float)}}),
              Status::kSuccess);
    return result;
  }

  const std::unique_ptr<IRuntime> runtime_ = IRuntime::Create({});
};

TEST_F(Minimal, GivesTheResultsOfTheReference) {
  EXPECT_EQ(RunOn("Minimal"), RunOn("CpuRef"));
}

TEST_F(Minimal, RefusesOtherDataTypesWithTheReason) {
  const auto network = BuildNetwork(DataType::kFloat16);
  try {
    Optimize(*network, {"Minimal"}, runtime_->GetDeviceSpec());
    FAIL() << "float16 was taken";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kLayerNotSupported);
    EXPECT_NE(std::string(exception.what()).find("float16 is not supported, only float32"),
              std::string::npos)
        << exception.what();
  }
}

TEST_F(Minimal, TellsWhichLayersItDoesNotRun) {
  auto network = INetwork::Create("softmax");
  const OutputSlot x = network->AddInputLayer({{2, 3}, DataType::kFloat32}, "x");
  const LayerId softmax = AddLayer<LayerType::kSoftmax>(*network, {}, {x}, "softmax");
  network->AddOutputLayer({softmax, 0}, "result");
  const auto optimized = Optimize(*network, {"Minimal", "CpuRef"}, runtime_->GetDeviceSpec());
  const LayerPlacement& layer = optimized->GetPlacement().layers.at(0);
  EXPECT_EQ(layer.backend_id, "CpuRef");
  ASSERT_EQ(layer.refusals.size(), 1U);
  EXPECT_EQ(layer.refusals[0].reason,
            "layer type Softmax is not supported, only Activation and ElementwiseBinary");
}

}  // namespace
