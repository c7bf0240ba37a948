// Convolutions of any windows, as tables of cases do not have them: of bytes with zero points, of
// integers, of float32, and where that may be rounded to bfloat16. Processors differ in what they
// make of them.

#include "test/passes/pass_case.hpp"
#include "test/window_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

class RandomWindow {
 public:
  explicit RandomWindow(std::uint32_t seed) : random_(seed) {}

  WindowConvolution Make() {
    WindowCase sizes;
    sizes.images = Pick({1, 1, 2});
    sizes.groups = Pick({1, 1, 1, 2, 8});
    sizes.channels = Pick({1, 3, 4, 7, 16, 33, 64});
    sizes.filters = Pick({1, 8, 16, 17, 32, 64});
    if (sizes.groups > 1) sizes.channels = std::min<std::int64_t>(sizes.channels, 16);
    const auto num_axes = static_cast<std::size_t>(Pick({1, 2, 2, 2, 3}));
    ConvolutionDescriptor windows;
    for (std::size_t axis = 0; axis < num_axes; ++axis) AddAxis(num_axes, axis, sizes, windows);
    return {sizes, windows};
  }

 private:
  std::int64_t Pick(const std::vector<std::int64_t>& values) {
    return values[static_cast<std::size_t>(
        random_.Integer(0, static_cast<std::int64_t>(values.size()) - 1))];
  }

  void AddAxis(std::size_t num_axes, std::size_t axis, WindowCase& sizes,
               ConvolutionDescriptor& windows) {
    const std::int64_t kernel = Pick({1, 1, 2, 3, 3, 5, 7});
    const std::int64_t dilation = Pick({1, 1, 1, 2, 3});
    const std::int64_t reach = (kernel - 1) * dilation + 1;
    const std::int64_t begin = Pick({0, kernel / 2, kernel / 2, reach - 1});
    const std::int64_t end = Pick({begin, begin, 0, kernel - 1});
    const std::int64_t extent = num_axes == 3 ? Pick({5, 9, 12}) : Pick({7, 15, 17, 33, 41});
    sizes.kernel.push_back(kernel);
    sizes.extents.push_back(std::max(extent, reach - begin - end));
    windows.strides[axis] = static_cast<std::uint32_t>(Pick({1, 1, 2, 3}));
    windows.dilations[axis] = static_cast<std::uint32_t>(dilation);
    windows.pads_begin[axis] = static_cast<std::uint32_t>(begin);
    windows.pads_end[axis] = static_cast<std::uint32_t>(end);
  }

  Random random_;
};

std::string Describe(const WindowConvolution& window) {
  std::string text = std::to_string(window.descriptor.groups) + " groups";
  const auto add = [&](const char* name, const auto* values, std::uint32_t count) {
    text += std::string(", ") + name;
    for (std::uint32_t i = 0; i < count; ++i) text += " " + std::to_string(values[i]);
  };
  const ConvolutionDescriptor& windows = window.descriptor;
  add("input", window.input.dims, window.input.rank);
  add("weights", window.weights.dims, window.weights.rank);
  add("strides", windows.strides, windows.spatial_rank);
  add("dilations", windows.dilations, windows.spatial_rank);
  add("padding before", windows.pads_begin, windows.spatial_rank);
  add("and behind", windows.pads_end, windows.spatial_rank);
  return text;
}

/// Small whole numbers, which bfloat16 has, and the sums of which float32 has.
StoredTensor MakeWholeNumbers(const TensorShape& shape, Random& random) {
  StoredTensor tensor(Float(shape));
  auto* const numbers = reinterpret_cast<float*>(tensor.bytes.data());
  std::generate_n(numbers, shape.GetNumElements(),
                  [&] { return static_cast<float>(random.Integer(-8, 8)); });
  return tensor;
}

class RandomWindows : public testing::TestWithParam<std::uint32_t> {
 protected:
  template <typename Function>
  void ForAll(const Function& function) {
    constexpr std::uint32_t kCount = 32;
    RandomWindow windows(GetParam());
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const WindowConvolution window = windows.Make();
      SCOPED_TRACE(Describe(window));
      NetworkCase network(GetParam() * kCount + i);
      function(window, network);
    }
  }
};

TEST_P(RandomWindows, OfBytesAreThoseOfCpuRef) {
  ForAll([](const WindowConvolution& window, NetworkCase& network) {
    const bool is_signed = network.GetRandom().Integer(0, 1) == 0;
    const DataType type = is_signed ? DataType::kInt8 : DataType::kUInt8;
    const auto zero_point = static_cast<std::int32_t>(network.GetRandom().Integer(0, 255));
    const TensorId input =
        network.AddInput(Quantised(window.input, type, 0.05F, zero_point - (is_signed ? 128 : 0)));
    const StoredTensor weights =
        MakeRandomTensor(Quantised(window.weights, DataType::kInt8, 0.01F, 0), network.GetRandom());
    const std::int64_t num_products = window.weights.GetNumElements() / window.weights[0];
    const TensorInfo output =
        Quantised(window.output, type, 0.02F * static_cast<float>(num_products), 9);
    network.AddOutput(network.AddLayer(LayerType::kConvolution, window.descriptor,
                                       {input, network.AddConstant(weights)}, {output})[0]);
    ExpectAsCpuRef(network, Precision::kExact);
  });
}

/// Of integers, without scales: sums of bytes less a zero point.
TEST_P(RandomWindows, OfIntegersAreThoseOfCpuRef) {
  ForAll([](const WindowConvolution& window, NetworkCase& network) {
    const TensorId input = network.AddInput(TensorInfo(window.input, DataType::kUInt8));
    const auto add_constant = [&](const TensorShape& shape, DataType type) {
      return network.AddConstant(MakeRandomTensor(TensorInfo(shape, type), network.GetRandom()));
    };
    const TensorId weights = add_constant(window.weights, DataType::kInt8);
    const TensorId zero_point = add_constant({}, DataType::kUInt8);
    network.AddOutput(network.AddLayer(LayerType::kIntegerConvolution, window.descriptor,
                                       {input, weights, zero_point},
                                       {TensorInfo(window.output, DataType::kInt32)})[0]);
    ExpectAsCpuRef(network, Precision::kExact);
  });
}

TEST_P(RandomWindows, OfNumbersAreThoseOfCpuRef) {
  ForAll([](const WindowConvolution& window, NetworkCase& network) {
    const TensorId input = network.AddInput(window.input);
    const StoredTensor weights = MakeWholeNumbers(window.weights, network.GetRandom());
    network.AddOutput(network.Add(LayerType::kConvolution, window.descriptor,
                                  {input, network.AddConstant(weights)}, window.output));
    const std::vector<StoredTensor> inputs = {MakeWholeNumbers(window.input, network.GetRandom())};
    const auto expected = RunOnCpuRef(network.GetGraph(), inputs);
    for (const bool is_fast : {false, true}) {
      for (const int num_threads : {1, 2}) {
        cpuacc::Options options;
        options.fast_math = is_fast;
        options.num_threads = num_threads;
        ExpectSame(RunCompiled(network.GetGraph(), inputs, options), expected, Precision::kFast);
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWindows, testing::Range(0U, 8U));

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
