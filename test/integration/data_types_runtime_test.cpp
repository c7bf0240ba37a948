/// Networks of other types than float32, from the description to the results, on the reference
/// backend as a shared object.

#include "mock_network.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;

class DataTypesRuntime : public testing::Test {
 protected:
  static TensorInfo Quantized(const TensorShape& shape, DataType type, float scale,
                              std::int32_t zero_point) {
    TensorInfo info(shape, type);
    info.quantization.scales = {scale};
    info.quantization.zero_points = {zero_point};
    return info;
  }

  /// Runs twice, as the second run finds the working memory of the first.
  template <typename Input, typename Output>
  std::vector<Output> Run(const INetwork& network, const std::vector<std::vector<Input>>& inputs) {
    const NetworkId id = runtime_->LoadNetwork(
        Optimize(network, {"CpuRef"}, runtime_->GetDeviceSpec(), OptimizerOptions()));
    InputTensors given;
    for (const NetworkBinding& binding : network.GetInputs()) {
      given.push_back({binding.id, {binding.info, inputs[binding.id].data()}});
    }
    const NetworkBinding output = network.GetOutputs()[0];
    std::vector<Output> result(static_cast<std::size_t>(output.info.shape.GetNumElements()));
    const OutputTensors taken = {{0, result.data(), result.size() * sizeof(Output)}};
    for (int run = 0; run < 2; ++run) {
      EXPECT_EQ(runtime_->EnqueueWorkload(id, given, taken), Status::kSuccess);
    }
    runtime_->UnloadNetwork(id);
    return result;
  }

  const std::unique_ptr<IRuntime> runtime_ =
      CreateRuntime(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER));
  const std::unique_ptr<INetwork> network_ = INetwork::Create("typed");
};

TEST_F(DataTypesRuntime, RunsHalfPrecision) {
  const TensorInfo info({3}, DataType::kFloat16);
  const OutputSlot a = network_->AddInputLayer(info, "a");
  const OutputSlot b = network_->AddInputLayer(info, "b");
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(*network_, {}, {a, b}, "sum");
  const LayerId relu = AddLayer<LayerType::kActivation>(*network_, {}, {{sum, 0}}, "relu");
  network_->AddOutputLayer({relu, 0}, "y");
  // 1 + 2, 1 - 2, and 65504 twice.
  const auto result = Run<std::uint16_t, std::uint16_t>(
      *network_, {{0x3c00, 0x3c00, 0x7bff}, {0x4000, 0xc000, 0x7bff}});
  EXPECT_THAT(result, ElementsAre(0x4200, 0x0000, 0x7c00));
}

TEST_F(DataTypesRuntime, RunsQuantizedArithmeticAsItsOutputIsStated) {
  const TensorInfo info = Quantized({1, 4}, DataType::kUInt8, 0.5F, 128);
  const OutputSlot a = network_->AddInputLayer(info, "a");
  const OutputSlot b = network_->AddInputLayer(info, "b");
  const TensorInfo stated = Quantized({1, 4}, DataType::kInt8, 2.0F, -10);
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(
      *network_, {}, {a, b}, "sum", {{stated.data_type, stated.quantization}});
  ReshapeDescriptor column;
  column.rank = 2;
  column.dims[0] = 4;
  column.dims[1] = 1;
  const LayerId reshape = AddLayer<LayerType::kReshape>(*network_, column, {{sum, 0}}, "reshape");
  network_->AddOutputLayer({reshape, 0}, "y");
  EXPECT_EQ(network_->GetOutputs()[0].info, Quantized({4, 1}, DataType::kInt8, 2.0F, -10));
  // 4 + 1 is 5, two and a half steps; -64 - 64 and 63.5 twice; 1.5 + 1.5.
  const auto result =
      Run<std::uint8_t, std::int8_t>(*network_, {{136, 0, 255, 131}, {130, 0, 255, 131}});
  EXPECT_THAT(result, ElementsAre(-8, -74, 54, -8));
}

TEST_F(DataTypesRuntime, RunsIntegersThatWrap) {
  const TensorInfo info({2}, DataType::kInt8);
  const OutputSlot a = network_->AddInputLayer(info, "a");
  const OutputSlot b = network_->AddInputLayer(info, "b");
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(*network_, {}, {a, b}, "sum");
  network_->AddOutputLayer({sum, 0}, "y");
  const auto result = Run<std::int8_t, std::int8_t>(*network_, {{127, -3}, {1, 5}});
  EXPECT_THAT(result, ElementsAre(-128, 2));
}

TEST_F(DataTypesRuntime, RefusalsListWhatIsTaken) {
  const OutputSlot a = network_->AddInputLayer(TensorInfo({2}, DataType::kBool), "a");
  try {
    AddLayer<LayerType::kElementwiseBinary>(*network_, {}, {a, a}, "sum");
    FAIL() << "bool was added";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(std::string(exception.what()),
                testing::HasSubstr("float32, float16, bfloat16, float64, int8, uint8, int16, "
                                   "uint16, int32, uint32, int64, uint64, or quantized int8, "
                                   "uint8, int16, uint16, int32"));
  }
}

}  // namespace
}  // namespace backplane::test
