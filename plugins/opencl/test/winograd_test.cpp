// Winograd's algorithm, which takes constant weights, beside the direct one, which takes any.

#include "kernels/kernels.hpp"
#include "test/opencl_case.hpp"
#include "test/planned_layer.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <cmath>
#include <random>

namespace backplane {
namespace opencl_test {
namespace {

struct WinogradShape {
  std::int64_t images = 1;
  std::int64_t channels = 32;
  std::int64_t filters = 32;
  std::int64_t height = 16;
  std::int64_t width = 16;
  std::uint32_t pads[4] = {1, 1, 1, 1};  // top, left, bottom, right
};

TensorShape GetInput(const WinogradShape& shape) {
  return {shape.images, shape.channels, shape.height, shape.width};
}
TensorShape GetOutput(const WinogradShape& shape) {
  return {shape.images, shape.filters, shape.height + shape.pads[0] + shape.pads[2] - 2,
          shape.width + shape.pads[1] + shape.pads[3] - 2};
}
TensorShape GetWeights(const WinogradShape& shape) {
  return {shape.filters, shape.channels, 3, 3};
}
ConvolutionDescriptor GetDescriptor(const WinogradShape& shape) {
  ConvolutionDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.pads_begin[axis] = shape.pads[axis];
    descriptor.pads_end[axis] = shape.pads[2 + axis];
  }
  return descriptor;
}

std::size_t CountLaunches(const WinogradShape& shape, bool is_constant) {
  const TensorShape weights = GetWeights(shape);
  OwnedLayer layer(LayerType::kConvolution, GetDescriptor(shape), {GetInput(shape), weights},
                   GetOutput(shape));
  if (is_constant) {
    layer.SetConstant(1, std::vector<float>(static_cast<std::size_t>(weights.GetNumElements())));
  }
  return Plan(layer.Get(), MakeCpuLimits()).launches.size();
}

TEST(WinogradPlan, IsMadeWhereItPays) {
  EXPECT_EQ(CountLaunches({}, true), 3U);
  EXPECT_EQ(CountLaunches({}, false), 2U) << "weights that change";
  EXPECT_EQ(CountLaunches({1, 16}, true), 2U) << "few channels";
  EXPECT_EQ(CountLaunches({1, 32, 32, 7, 7}, true), 2U) << "few tiles";
}

class Winograd : public OpenClDevice {
 protected:
  std::vector<float> MakeNumbers(const TensorShape& shape) {
    std::vector<float> numbers(static_cast<std::size_t>(shape.GetNumElements()));
    std::uniform_real_distribution<float> distribution(-1, 1);
    for (float& number : numbers) number = distribution(random_);
    return numbers;
  }

  std::vector<float> Run(const TestLayer& layer, const std::vector<std::vector<float>>& contents,
                         bool is_constant) {
    const ConstTensor weights{layer.inputs[1], contents[1].data()};
    std::vector<const ConstTensor*> constants(contents.size(), nullptr);
    if (is_constant) constants[1] = &weights;
    const auto factory = MakeFactory();
    const auto workload = MakeWorkload(*factory, layer, constants);
    const auto state = factory->CreateExecutionState();
    std::vector<StoredTensor> inputs;
    for (std::size_t i = 0; i < contents.size(); ++i) {
      inputs.push_back(MakeStored<float>(layer.inputs[i], contents[i]));
    }
    std::vector<StoredTensor> outputs = {StoredTensor(layer.outputs[0])};
    const StoredHandles from(inputs);
    const StoredHandles to(outputs);
    EXPECT_EQ(Execute(*workload, from.Get(), to.Get(), state.get()), Status::kSuccess);
    return GetStored<float>(outputs[0]);
  }

  void ExpectAsDirect(const WinogradShape& shape, bool has_bias) {
    SCOPED_TRACE(std::to_string(shape.height) + " x " + std::to_string(shape.width));
    ASSERT_EQ(CountLaunches(shape, true), 3U);
    std::vector<TensorInfo> infos = {{GetInput(shape), DataType::kFloat32},
                                     {GetWeights(shape), DataType::kFloat32}};
    if (has_bias) infos.push_back({{shape.filters}, DataType::kFloat32});
    const TestLayer layer(LayerType::kConvolution, GetDescriptor(shape), infos,
                          {GetOutput(shape), DataType::kFloat32});
    std::vector<std::vector<float>> contents;
    for (const TensorInfo& info : infos) contents.push_back(MakeNumbers(info.shape));
    const std::vector<float> expected = Run(layer, contents, false);
    const std::vector<float> found = Run(layer, contents, true);
    // Of sums of as many products, each less than 1.
    const float allowed = 1e-5F * std::sqrt(static_cast<float>(shape.channels * 9));
    float most = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      most = std::max(most, std::abs(found[i] - expected[i]));
    }
    EXPECT_LE(most, allowed);
  }

  std::mt19937 random_{1};
};

TEST_F(Winograd, IsTheSameForEveryPadding) {
  ExpectAsDirect({1, 32, 32, 18, 18, {0, 0, 0, 0}}, true);
  ExpectAsDirect({1, 32, 32, 16, 16, {1, 1, 1, 1}}, false);
  ExpectAsDirect({1, 32, 32, 16, 17, {2, 0, 1, 2}}, true);
}

TEST_F(Winograd, IsTheSameForEveryExtent) {
  for (const std::int64_t extent : {14, 29, 30, 31, 56}) {
    ExpectAsDirect({1, 32, 32, extent, extent}, true);
  }
  ExpectAsDirect({3, 40, 33, 15, 64}, true);
  ExpectAsDirect({1, 257, 64, 14, 16}, true);
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
