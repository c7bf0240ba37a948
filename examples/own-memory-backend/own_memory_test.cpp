// Tests the backend as an application would use it, linked in, and beside the reference.

#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Example_OwnMemory);

namespace {

using namespace backplane;

class OwnMemory : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Example_OwnMemory));
  }

  /// Two layers: ReLU, which the backend takes, and a negation, which only the reference does.
  std::shared_ptr<const IOptimizedNetwork> Optimise(const TensorShape& shape) const {
    auto network = INetwork::Create("rows");
    const OutputSlot x = network->AddInputLayer({shape, DataType::kFloat32}, "x");
    const LayerId relu = AddLayer<LayerType::kActivation>(*network, {}, {x}, "relu");
    ElementwiseUnaryDescriptor negate;
    negate.operation = UnaryOperation::kNegate;
    const LayerId neg =
        AddLayer<LayerType::kElementwiseUnary>(*network, negate, {{relu, 0}}, "negated");
    network->AddOutputLayer({neg, 0}, "result");
    return Optimize(*network, {"OwnMemory", "CpuRef"}, runtime_->GetDeviceSpec());
  }

  std::vector<float> Run(const TensorShape& shape) const {
    const TensorInfo info(shape, DataType::kFloat32);
    std::vector<float> x(static_cast<std::size_t>(shape.GetNumElements()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 2.0F;
    std::vector<float> result(x.size(), -100.0F);
    const NetworkId id = runtime_->LoadNetwork(Optimise(shape));
    EXPECT_EQ(runtime_->EnqueueWorkload(id, {{0, {info, x.data()}}},
                                        {{0, result.data(), result.size() * sizeof(float)}}),
              Status::kSuccess);
    return result;
  }

  static std::vector<float> Expect(std::size_t count) {
    std::vector<float> expected(count);
    for (std::size_t i = 0; i < count; ++i) {
      expected[i] = -std::max(static_cast<float>(i) - 2.0F, 0.0F);
    }
    return expected;
  }

  const std::unique_ptr<IRuntime> runtime_ = IRuntime::Create({});
};

TEST_F(OwnMemory, HasItsTensorsInItsOwnKindOfMemory) {
  const auto optimized = Optimise({2, 3});
  const Placement& placement = optimized->GetPlacement();
  EXPECT_EQ(placement.layers.at(0).backend_id, "OwnMemory");
  EXPECT_TRUE(std::any_of(placement.transfers.begin(), placement.transfers.end(),
                          [](const PlacedTransfer& transfer) {
                            return transfer.factory == "Example/OwnMemory/AlignedRows";
                          }));
}

TEST_F(OwnMemory, GivesRowsOfAnyLengthToTheReference) {
  EXPECT_EQ(Run({2, 3}), Expect(6));
  EXPECT_EQ(Run({3, 17, 5}), Expect(255));
  EXPECT_EQ(Run({64}), Expect(64));
}

TEST_F(OwnMemory, TakesScalarsAndTensorsWithoutElements) {
  EXPECT_EQ(Run({}), Expect(1));
  EXPECT_EQ(Run({0, 4}), Expect(0));
}

}  // namespace
