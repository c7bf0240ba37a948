#include "simd/simd.hpp"
#include "test/network_case.hpp"
#include "test/window_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

/// What makes each product another kernel, or another part of one.
struct ByteTypes {
  DataType input = DataType::kUInt8;
  DataType weights = DataType::kInt8;
  DataType output = DataType::kUInt8;
  bool has_zero_points = false;  // of the weights, one for each filter
  bool has_bias = true;
  bool is_constant = true;
};

const std::vector<ByteTypes> kByteTypes = {
    {},
    {DataType::kInt8, DataType::kInt8, DataType::kInt8},
    {DataType::kUInt8, DataType::kUInt8, DataType::kInt8, true},
    {DataType::kInt8, DataType::kUInt8, DataType::kUInt8, true, false},
    {DataType::kUInt8, DataType::kInt8, DataType::kUInt8, false, true, false},
    {DataType::kInt8, DataType::kUInt8, DataType::kInt8, true, true, false},
    {DataType::kInt8, DataType::kInt8, DataType::kInt8, false, false},
    {DataType::kUInt8, DataType::kInt8, DataType::kUInt8, false, false}};

std::int32_t GetMiddle(DataType type) {
  return type == DataType::kUInt8 ? 128 : 0;
}

TensorInfo MakeBytes(const TensorShape& shape, DataType type, float scale, std::int32_t off) {
  return Quantised(shape, type, scale, GetMiddle(type) + off);
}

TensorInfo MakeWeights(const TensorShape& shape, const ByteTypes& types) {
  TensorInfo info(shape, types.weights);
  const bool has_many = types.has_zero_points;
  info.quantization.axis = 0;
  for (std::int64_t filter = 0; filter < (has_many ? shape[0] : 1); ++filter) {
    info.quantization.scales.push_back(0.01F + 0.003F * static_cast<float>(filter % 7));
    info.quantization.zero_points.push_back(
        has_many ? GetMiddle(types.weights) + static_cast<std::int32_t>(filter % 11) - 5 : 0);
  }
  return info;
}

TensorInfo MakeBias(const TensorInfo& input, const TensorInfo& weights) {
  TensorInfo info({weights.shape[0]}, DataType::kInt32);
  info.quantization.axis = 0;
  for (const float scale : weights.quantization.scales) {
    info.quantization.scales.push_back(input.quantization.scales[0] * scale);
    info.quantization.zero_points.push_back(0);
  }
  return info;
}

TensorId AddContent(NetworkCase& network, const TensorInfo& info, bool is_constant) {
  if (!is_constant) return network.AddInput(info);
  return network.AddConstant(MakeRandomTensor(info, network.GetRandom()));
}

/// Small enough that outputs do not all saturate.
float ChooseOutputScale(std::int64_t num_products) {
  return 0.02F * static_cast<float>(num_products);
}

void ExpectConvolution(const WindowCase& sizes, const ByteTypes& types) {
  const WindowConvolution convolution(sizes);
  NetworkCase network;
  const TensorInfo input_info = MakeBytes(convolution.input, types.input, 0.05F, 3);
  const TensorInfo weight_info = MakeWeights(convolution.weights, types);
  std::vector<TensorId> inputs = {network.AddInput(input_info),
                                  AddContent(network, weight_info, types.is_constant)};
  if (types.has_bias) {
    inputs.push_back(AddContent(network, MakeBias(input_info, weight_info), types.is_constant));
  }
  const std::int64_t num_products = convolution.weights.GetNumElements() / convolution.weights[0];
  const TensorInfo output =
      MakeBytes(convolution.output, types.output, ChooseOutputScale(num_products), -7);
  network.AddOutput(
      network.AddLayer(LayerType::kConvolution, convolution.descriptor, inputs, {output})[0]);
  ExpectAsCpuRef(network, Precision::kExact);
}

void ExpectConvolutionOfAllTypes(const WindowCase& sizes) {
  for (std::size_t types = 0; types < kByteTypes.size(); ++types) {
    SCOPED_TRACE("types " + std::to_string(types));
    ExpectConvolution(sizes, kByteTypes[types]);
  }
}

/// Channels that are no pairs, filters that fill no panel, places that fill no block.
TEST(ByteProducts, DenseConvolutionsAreThoseOfCpuRef) {
  for (const std::int64_t channels : {1, 2, 3, 5, 16, 37}) {
    for (const std::int64_t filters : {1, 7, 16, 17, 40}) {
      SCOPED_TRACE(std::to_string(channels) + " to " + std::to_string(filters));
      ExpectConvolutionOfAllTypes({1, channels, filters, {5, 7}, {1, 1}});
      ExpectConvolutionOfAllTypes({1, channels, filters, {9, 7}, {3, 3}, 2, 1, 1});
    }
  }
}

TEST(ByteProducts, WindowsAreThoseOfCpuRef) {
  for (const std::uint32_t stride : {1U, 2U, 3U}) {
    for (const std::uint32_t dilation : {1U, 2U, 3U}) {
      for (const std::uint32_t pad : {0U, 1U, 2U, 5U}) {
        SCOPED_TRACE("stride " + std::to_string(stride) + ", dilation " + std::to_string(dilation) +
                     ", pad " + std::to_string(pad));
        ExpectConvolutionOfAllTypes({1, 3, 5, {17}, {4}, stride, dilation, pad, 2});
        ExpectConvolutionOfAllTypes({1, 3, 5, {13, 11}, {2, 3}, stride, dilation, pad, 2});
        ExpectConvolutionOfAllTypes({1, 3, 5, {8, 9, 7}, {2, 1, 3}, stride, dilation, pad});
        ExpectConvolutionOfAllTypes({5, 1, 1, {13, 11}, {3, 3}, stride, dilation, pad, 2});
      }
    }
  }
}

/// Windows that leave rows out, and planes of them.
TEST(ByteProducts, SparseWindowsOfVolumesAreThoseOfCpuRef) {
  const std::vector<std::int64_t> kKernels[] = {{1, 3, 3}, {3, 1, 3}, {3, 1, 1}, {1, 1, 3}};
  for (const std::vector<std::int64_t>& kernel : kKernels) {
    for (const std::int64_t channels : {64, 116}) {
      for (const std::uint32_t stride : {2U, 3U}) {
        SCOPED_TRACE("kernel " + std::to_string(kernel[0]) + std::to_string(kernel[1]) +
                     std::to_string(kernel[2]) + ", " + std::to_string(channels) +
                     " channels, stride " + std::to_string(stride));
        ExpectConvolutionOfAllTypes({1, channels, 64, {9, 9, 9}, kernel, stride});
      }
    }
  }
}

TEST(ByteProducts, SparseWindowsOfImagesAreThoseOfCpuRef) {
  const std::vector<std::int64_t> kKernels[] = {{1, 5}, {1, 2}, {5, 1}, {2, 1}, {2, 2}};
  for (const std::vector<std::int64_t>& kernel : kKernels) {
    for (const std::int64_t channels : {33, 64}) {
      for (const std::uint32_t stride : {2U, 3U}) {
        SCOPED_TRACE("kernel " + std::to_string(kernel[0]) + std::to_string(kernel[1]) + ", " +
                     std::to_string(channels) + " channels, stride " + std::to_string(stride));
        ExpectConvolutionOfAllTypes({1, channels, 17, {20, 21}, kernel, stride});
      }
    }
  }
}

/// What oneDNN has for them is wrong, or cannot be made.
TEST(ByteProducts, PaddedWindowsOfFewChannelsAreThoseOfCpuRef) {
  for (const std::uint32_t stride : {1U, 2U}) {
    for (const std::uint32_t pad : {1U, 2U}) {
      ExpectConvolutionOfAllTypes({1, 16, 58, {5, 9, 7}, {3, 1, 3}, stride, 1, pad});
      ExpectConvolutionOfAllTypes({1, 16, 58, {5, 9, 7}, {3, 3, 3}, stride, 1, pad});
      ExpectConvolutionOfAllTypes({2, 4, 32, {5, 9}, {3, 1}, stride, 1, pad, 2});
      ExpectConvolutionOfAllTypes({2, 4, 32, {5, 9}, {1, 1}, stride, 2, 0, 2});
    }
  }
}

/// Of columns too, or of rows alone.
TEST(ByteProducts, WindowsOfPaddedImagesAreThoseOfCpuRef) {
  for (const std::uint32_t stride : {1U, 2U}) {
    for (const std::uint32_t dilation : {1U, 2U, 3U}) {
      for (const std::int64_t channels : {7, 64}) {
        SCOPED_TRACE("stride " + std::to_string(stride) + ", dilation " + std::to_string(dilation) +
                     ", " + std::to_string(channels) + " channels");
        ExpectConvolutionOfAllTypes({1, channels, 32, {15, 40}, {5, 1}, stride, dilation, 3});
        ExpectConvolutionOfAllTypes({1, channels, 32, {15, 40}, {3, 3}, stride, dilation, 1});
        ExpectConvolutionOfAllTypes({1, channels, 32, {15, 17}, {7, 7}, stride, dilation, 7});
      }
    }
  }
}

TEST(ByteProducts, GroupsAreThoseOfCpuRef) {
  for (const std::int64_t groups : {2, 3, 19, 64}) {
    for (const std::int64_t channels : {1, 2, 3}) {
      for (const std::int64_t filters : {1, 2, 18}) {
        SCOPED_TRACE(std::to_string(groups) + " groups, " + std::to_string(channels) + " to " +
                     std::to_string(filters));
        ExpectConvolutionOfAllTypes({groups, channels, filters, {6, 5}, {3, 2}, 1, 1, 1, 2});
      }
    }
  }
}

/// More than one strip, and padding at both ends of them.
TEST(ByteProducts, LargeImagesAreThoseOfCpuRef) {
  ExpectConvolutionOfAllTypes({1, 24, 20, {70, 61}, {3, 3}, 1, 1, 1});
  ExpectConvolutionOfAllTypes({1, 24, 20, {70, 61}, {3, 3}, 2, 2, 2});
  ExpectConvolutionOfAllTypes({40, 1, 1, {70, 61}, {5, 3}, 2, 1, 2});
  ExpectConvolutionOfAllTypes({1, 64, 9, {3001}, {1}});
  ExpectConvolutionOfAllTypes({1, 4, 9, {6, 40, 50}, {3, 3, 3}, 1, 1, 1});
}

/// Sums that no float32 holds, and those that wrap around.
TEST(ByteProducts, LongSumsAreThoseOfCpuRef) {
  for (const std::int64_t inner : {1, 255, 3000, 70000}) {
    for (const bool is_transposed : {false, true}) {
      SCOPED_TRACE(std::to_string(inner) + (is_transposed ? ", transposed" : ""));
      for (const std::int64_t rows : {1, 3, 50}) {
        if (rows * inner > 200000) continue;
        FullyConnectedDescriptor descriptor;
        descriptor.transpose_weights = is_transposed ? 1 : 0;
        const TensorShape weights = is_transposed ? TensorShape{19, inner} : TensorShape{inner, 19};
        NetworkCase network;
        const TensorId input =
            network.AddInput(MakeBytes({rows, inner}, DataType::kUInt8, 0.05F, -128));
        const TensorId second =
            AddContent(network, MakeBytes(weights, DataType::kUInt8, 0.02F, -128), rows != 3);
        network.AddOutput(network.AddLayer(
            LayerType::kFullyConnected, descriptor, {input, second},
            {MakeBytes({rows, 19}, DataType::kUInt8, 0.1F * static_cast<float>(inner), -100)})[0]);
        ExpectAsCpuRef(network, Precision::kExact);
      }
    }
  }
}

template <typename Element>
TensorId AddIntegers(NetworkCase& network, const TensorInfo& info, std::int64_t least,
                     std::int64_t most) {
  std::vector<Element> elements;
  for (std::int64_t i = 0; i < info.shape.GetNumElements(); ++i) {
    elements.push_back(static_cast<Element>(network.GetRandom().Integer(least, most)));
  }
  return network.AddConstant(MakeStored(info, elements));
}

/// Sums that no float32 holds, to which a bias is added.
TEST(ByteProducts, LongSumsWithABiasAreThoseOfCpuRef) {
  for (const DataType output : {DataType::kUInt8, DataType::kInt8}) {
    for (const std::int64_t columns : {1, 19, 160}) {
      for (const auto& [rows, weight_zero_point] : {std::pair(1, -127), {40, 0}, {300, -127}}) {
        NetworkCase network;
        const TensorInfo input = MakeBytes({rows, 3000}, DataType::kUInt8, 0.05F, -128);
        TensorInfo weights({3000, columns}, DataType::kInt8);
        weights.quantization.scales = {0.02F};
        weights.quantization.zero_points = {weight_zero_point};
        TensorInfo bias({columns}, DataType::kInt32);
        bias.quantization.scales = {0.05F * 0.02F};
        const TensorId third = AddIntegers<std::int32_t>(network, bias, -9999999, 9999999);
        network.AddOutput(
            network.AddLayer(LayerType::kFullyConnected, FullyConnectedDescriptor(),
                             {network.AddInput(input), AddContent(network, weights, true), third},
                             {MakeBytes({rows, columns}, output, 320.0F, -30)})[0]);
        ExpectAsCpuRef(network, Precision::kExact);
      }
    }
  }
}

/// Sums of about 60 million, from which a bias takes as much: a float32 on the way would show.
/// Without padding, the zero point of the input becomes a part of the bias.
TEST(ByteProducts, ConvolutionsWithLongSumsAndABiasAreThoseOfCpuRef) {
  constexpr std::int64_t kFilters = 64;
  for (const std::uint32_t padding : {0U, 1U}) {
    for (const std::int32_t zero_point : {0, 7}) {
      ConvolutionDescriptor descriptor;
      descriptor.pads_begin[0] = descriptor.pads_end[1] = padding;
      NetworkCase network;
      const TensorInfo input =
          MakeBytes({8, 512, 7, 7}, DataType::kUInt8, 0.008F, zero_point - 128);
      TensorInfo weights({kFilters, 512, 3, 3}, DataType::kInt8);
      weights.quantization.scales = {0.02F};
      TensorInfo bias({kFilters}, DataType::kInt32);
      bias.quantization.scales = {0.008F * 0.02F};
      const std::int32_t middle = 108 * (128 - zero_point) * 512 * 9;
      network.AddOutput(network.AddLayer(
          LayerType::kConvolution, descriptor,
          {network.AddInput(input), AddIntegers<std::int8_t>(network, weights, 90, 127),
           AddIntegers<std::int32_t>(network, bias, -middle - 99, -middle + 99)},
          {MakeBytes({8, kFilters, 5 + padding, 5 + padding}, DataType::kUInt8, 0.008F, 0)})[0]);
      ExpectAsCpuRef(network, Precision::kExact);
    }
  }
}

/// Zero points of inputs that become a part of a bias, which may not fit 32 bits then.
TEST(ByteProducts, ConvolutionsOfInputsWithZeroPointsAreThoseOfCpuRef) {
  for (const DataType type : {DataType::kUInt8, DataType::kInt8}) {
    for (const std::int64_t channels : {116, 700}) {
      for (const std::int32_t bias_value : {0, -2147480000, 2147480000}) {
        NetworkCase network;
        const TensorInfo input = MakeBytes({1, channels, 14, 14}, type, 0.008F, 100);
        TensorInfo weights({58, channels, 1, 1}, DataType::kInt8);
        weights.quantization.scales = {0.02F};
        std::vector<TensorId> inputs = {network.AddInput(input),
                                        AddIntegers<std::int8_t>(network, weights, -128, 127)};
        if (bias_value != 0) {
          TensorInfo bias({58}, DataType::kInt32);
          bias.quantization.scales = {0.008F * 0.02F};
          inputs.push_back(
              AddIntegers<std::int32_t>(network, bias, bias_value - 99, bias_value + 99));
        }
        network.AddOutput(network.AddLayer(LayerType::kConvolution, ConvolutionDescriptor(), inputs,
                                           {MakeBytes({1, 58, 14, 14}, type, 1.5F, 3)})[0]);
        ExpectAsCpuRef(network, Precision::kExact);
      }
    }
  }
}

std::vector<std::int16_t> MakeElements(std::size_t count, Random& random) {
  std::vector<std::int16_t> elements(count);
  for (std::int16_t& element : elements) {
    element = static_cast<std::int16_t>(random.Integer(-255, 255));
  }
  return elements;
}

/// What the functions of one instruction set make of elements that are always the same.
struct FunctionResults {
  std::vector<unsigned char> bytes;
  std::vector<float> reals;
  std::vector<std::int32_t> sums;
};

FunctionResults RunFunctions(const cpuacc::ByteProductFunctions& functions,
                             std::int64_t num_filters) {
  constexpr std::int64_t kPairs = 7;
  constexpr std::int64_t kLines = 3;
  constexpr std::int64_t kPlaces = 11;
  constexpr std::int64_t kStep = 96;  // of a place: as many channels as there are at most
  Random random(3);
  const auto elements = MakeElements(kLines * kPlaces * kStep + kStep, random);
  const auto weights = MakeElements(4 * 96 * kPairs * 2, random);
  std::vector<std::int32_t> bias(96);
  std::vector<float> multipliers(96);
  for (std::int32_t& value : bias) value = static_cast<std::int32_t>(random.Integer(-5000, 5000));
  for (float& value : multipliers) value = 0.0005F * static_cast<float>(random.Integer(1, 9));
  const std::vector<std::int64_t> begins = {0, kPairs * 2};
  std::vector<unsigned char> bytes(2 * kLines * kPlaces * 96);
  std::vector<float> reals(kLines * kPlaces * 96);
  std::vector<std::int32_t> sums(kLines * kPlaces * 96);
  cpuacc::ByteProduct product;
  product.places = {elements.data(), kLines, kPlaces, kPlaces * kStep, kStep};
  product.runs = begins.data();
  product.num_runs = 2;
  product.num_pairs = kPairs;
  product.weights = weights.data();
  product.result = {bias.data(), multipliers.data(), -100.0F, 155.0F, 100, bytes.data(),
                    96,          num_filters,        nullptr};
  functions.multiply(product);
  product.result.reals = reals.data();
  functions.multiply(product);
  product.result.sums = sums.data();
  functions.multiply(product);
  product.result.reals = nullptr;
  product.result.sums = nullptr;
  cpuacc::ByteChannels channels;
  channels.places = product.places;
  channels.taps = begins.data();
  channels.num_taps = 2;
  channels.weights = weights.data();
  channels.weight_step = 96;
  channels.result = product.result;
  channels.result.bytes += kLines * kPlaces * 96;
  functions.multiply_channels(channels);
  cpuacc::ByteResult requantised = product.result;
  std::vector<unsigned char> of_sums(96);
  requantised.bytes = of_sums.data();
  functions.requantise(sums.data() + 96, requantised);
  bytes.insert(bytes.end(), of_sums.begin(), of_sums.end());
  functions.subtract(bias.data(), 12345678, sums.data(), -7, sums.data() + 96, num_filters);
  return {bytes, reals, sums};
}

std::vector<std::int16_t> WidenAll(const cpuacc::ByteProductFunctions& functions,
                                   std::int64_t num_channels, std::int64_t step) {
  constexpr std::int64_t kPlaces = 37;
  std::vector<unsigned char> bytes(static_cast<std::size_t>(kPlaces * num_channels));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37);
  std::vector<std::int16_t> elements(static_cast<std::size_t>(kPlaces * step + 1), 77);
  functions.widen({bytes.data(), 128, 5, kPlaces, num_channels, step}, elements.data());
  EXPECT_EQ(elements.back(), 77);
  for (std::int64_t i = 0; i < kPlaces * step; ++i) {
    const std::int64_t channel = i % step;
    const auto byte = static_cast<std::size_t>(i / step * num_channels + channel);
    const int expected = channel < num_channels ? (bytes[byte] ^ 128) - 5 : 0;
    EXPECT_EQ(elements[static_cast<std::size_t>(i)], expected) << i;
  }
  return elements;
}

TEST(ByteProducts, InstructionSetsAgree) {
  using cpuacc::InstructionSet;
  const auto& expected = cpuacc::FindSimdFunctions(InstructionSet::kBaseline)->byte_products;
  for (const InstructionSet set : {InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const cpuacc::SimdFunctions* functions = cpuacc::FindSimdFunctions(set);
    if (functions == nullptr) continue;
    for (std::int64_t num_filters = 1; num_filters <= 50; ++num_filters) {
      const FunctionResults found = RunFunctions(functions->byte_products, num_filters);
      const FunctionResults of_baseline = RunFunctions(expected, num_filters);
      EXPECT_EQ(found.bytes, of_baseline.bytes);
      EXPECT_EQ(found.reals, of_baseline.reals);
      EXPECT_EQ(found.sums, of_baseline.sums);
    }
    for (const auto& [channels, step] :
         {std::pair(1, 2), {3, 4}, {2, 2}, {16, 16}, {17, 18}, {33, 48}}) {
      EXPECT_EQ(WidenAll(functions->byte_products, channels, step),
                WidenAll(expected, channels, step));
    }
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
