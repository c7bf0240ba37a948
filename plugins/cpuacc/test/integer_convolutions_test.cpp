// Convolutions of bytes whose zero points are known only in the run, and what stands behind them.

#include "test/passes/pass_case.hpp"
#include "test/window_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/convolution.hpp>

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

enum class Source { kMissing, kConstant, kInput };

/// Of weights and their zero points.
struct WeightCase {
  DataType type = DataType::kInt8;
  Source weights = Source::kConstant;
  Source zero_points = Source::kMissing;
  bool has_many = false;  // one for each filter
  std::int32_t constant_zero_point = 0;
};

enum class Behind { kNothing, kCast, kScaleAndBias, kResidual };

class ConvolutionCase {
 public:
  ConvolutionCase(const WindowCase& sizes, DataType input) : convolution_(sizes), input_(input) {}

  TensorId Add(NetworkCase& network, Source zero_point, const WeightCase& weights) const {
    std::vector<TensorId> inputs = {
        network.AddInput(TensorInfo(convolution_.input, input_)),
        AddBytes(network, convolution_.weights, weights.type, weights.weights)};
    if (zero_point != Source::kMissing) {
      inputs.push_back(AddBytes(network, {}, input_, zero_point));
    }
    if (weights.zero_points != Source::kMissing) {
      const TensorShape shape =
          weights.has_many ? TensorShape{convolution_.weights[0]} : TensorShape{};
      inputs.push_back(weights.zero_points == Source::kConstant && !weights.has_many
                           ? network.AddConstant(MakeZeroPoint(weights))
                           : AddBytes(network, shape, weights.type, weights.zero_points));
    }
    return network.AddLayer(LayerType::kIntegerConvolution, convolution_.descriptor, inputs,
                            {TensorInfo(convolution_.output, DataType::kInt32)})[0];
  }

  const TensorShape& GetOutputShape() const { return convolution_.output; }

 private:
  static TensorId AddBytes(NetworkCase& network, const TensorShape& shape, DataType type,
                           Source source) {
    const TensorInfo info(shape, type);
    return source == Source::kInput
               ? network.AddInput(info)
               : network.AddConstant(MakeRandomTensor(info, network.GetRandom()));
  }

  static StoredTensor MakeZeroPoint(const WeightCase& weights) {
    StoredTensor zero_point(TensorInfo({}, weights.type));
    zero_point.bytes[0] = static_cast<unsigned char>(weights.constant_zero_point);
    return zero_point;
  }

  const WindowConvolution convolution_;
  const DataType input_;
};

TensorId AddBehind(NetworkCase& network, TensorId sums, const TensorShape& shape, Behind behind) {
  if (behind == Behind::kNothing) return sums;
  CastDescriptor cast;
  cast.to = DataType::kFloat32;
  TensorId x = network.Add(LayerType::kCast, cast, {sums}, shape);
  if (behind == Behind::kCast) return x;
  TensorShape of_channels(shape);
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    if (axis != 1) of_channels[axis] = 1;
  }
  const TensorId scale =
      AddBinary(network, BinaryOperation::kMul, network.AddInput(Float({})), 0.001F);
  x = AddBinary(network, BinaryOperation::kMul, x, scale);
  x = AddBinary(network, BinaryOperation::kAdd, x, network.AddConstant(of_channels));
  if (behind == Behind::kResidual) {
    x = AddBinary(network, BinaryOperation::kAdd, x, network.AddInput(Float(shape)));
  }
  return AddActivation(network, x, ActivationFunction::kRelu);
}

void ExpectIntegerConvolution(const WindowCase& sizes, DataType input, Source zero_point,
                              const WeightCase& weights, Behind behind) {
  NetworkCase network(static_cast<std::uint32_t>(sizes.filters + 1));
  const ConvolutionCase convolution(sizes, input);
  const TensorId sums = convolution.Add(network, zero_point, weights);
  network.AddOutput(AddBehind(network, sums, convolution.GetOutputShape(), behind));
  ExpectAsCpuRef(network, Precision::kExact);
}

/// Those of oneDNN, and those that it has not or that are not exact.
const WeightCase kWeightCases[] = {
    {DataType::kInt8, Source::kConstant},
    {DataType::kInt8, Source::kConstant, Source::kConstant},
    {DataType::kInt8, Source::kConstant, Source::kConstant, true},
    {DataType::kUInt8, Source::kConstant, Source::kConstant, false, 128},
    {DataType::kUInt8, Source::kConstant, Source::kInput},
    {DataType::kInt8, Source::kInput, Source::kInput, true},
    {DataType::kUInt8, Source::kInput, Source::kInput},
};

void ExpectAllTypes(const WindowCase& sizes) {
  for (const WeightCase& weights : kWeightCases) {
    const bool has_many_inputs = weights.zero_points != Source::kMissing;
    for (const DataType input : {DataType::kInt8, DataType::kUInt8}) {
      for (const Source zero_point : {Source::kMissing, Source::kConstant, Source::kInput}) {
        if (zero_point == Source::kMissing && has_many_inputs) continue;
        for (const Behind behind : {Behind::kNothing, Behind::kCast, Behind::kScaleAndBias}) {
          ExpectIntegerConvolution(sizes, input, zero_point, weights, behind);
        }
      }
    }
  }
}

TEST(IntegerConvolutions, OfAllRanksAreThoseOfCpuRef) {
  ExpectAllTypes({1, 3, 5, {17}, {4}, 2, 1, 1, 2});
  ExpectAllTypes({1, 16, 32, {9, 7}, {3, 3}, 1, 1, 1, 2});
  ExpectAllTypes({1, 17, 33, {9, 7}, {1, 1}});
  ExpectAllTypes({1, 3, 5, {8, 9, 7}, {2, 1, 3}, 1, 2, 1});
}

TEST(IntegerConvolutions, OfGroupsAreThoseOfCpuRef) {
  ExpectAllTypes({4, 16, 16, {9, 7}, {3, 3}, 1, 1, 1});
  ExpectAllTypes({3, 5, 2, {9, 7}, {3, 2}, 2, 1, 1, 2});
  ExpectAllTypes({32, 1, 1, {13, 11}, {3, 3}, 1, 1, 1});
  ExpectAllTypes({19, 1, 1, {13, 11}, {3, 3}, 2, 2, 2});
}

/// Whole rows for each thread, and padding at both ends.
TEST(IntegerConvolutions, OfLargeImagesAreThoseOfCpuRef) {
  ExpectIntegerConvolution({1, 32, 48, {40, 33}, {3, 3}, 1, 1, 1}, DataType::kUInt8, Source::kInput,
                           {DataType::kInt8, Source::kConstant}, Behind::kResidual);
  ExpectIntegerConvolution({1, 64, 48, {40, 33}, {1, 1}}, DataType::kInt8, Source::kInput,
                           {DataType::kInt8, Source::kConstant}, Behind::kResidual);
  ExpectIntegerConvolution({1, 24, 20, {70, 61}, {3, 3}, 2, 2, 2}, DataType::kUInt8, Source::kInput,
                           {DataType::kUInt8, Source::kConstant, Source::kConstant, true},
                           Behind::kScaleAndBias);
}

/// More than float32 holds, and more than int32 holds.
TEST(IntegerConvolutions, OfLongSumsAreThoseOfCpuRef) {
  for (const std::int64_t channels : {3000, 140000}) {
    for (const DataType type : {DataType::kInt8, DataType::kUInt8}) {
      for (const Behind behind : {Behind::kNothing, Behind::kCast}) {
        NetworkCase network;
        const TensorShape input_shape = {1, channels, 1, 3};
        const TensorId input = network.AddInput(TensorInfo(input_shape, DataType::kUInt8));
        StoredTensor weights(TensorInfo({16, channels, 1, 1}, type));
        weights.bytes.assign(weights.bytes.size(), 120);
        const TensorId zero_point = network.AddInput(TensorInfo({}, DataType::kUInt8));
        const TensorId sums =
            network.AddLayer(LayerType::kIntegerConvolution, ConvolutionDescriptor(),
                             {input, network.AddConstant(weights), zero_point},
                             {TensorInfo({1, 16, 1, 3}, DataType::kInt32)})[0];
        network.AddOutput(AddBehind(network, sums, {1, 16, 1, 3}, behind));
        StoredTensor content(TensorInfo(input_shape, DataType::kUInt8));
        for (std::size_t i = 0; i < content.bytes.size(); ++i) {
          content.bytes[i] = static_cast<unsigned char>(255 - i % 3);
        }
        const std::vector<StoredTensor> inputs = {content,
                                                  StoredTensor(TensorInfo({}, DataType::kUInt8))};
        ExpectSame(RunCompiled(network.GetGraph(), inputs, cpuacc::Options()),
                   RunOnCpuRef(network.GetGraph(), inputs), Precision::kExact);
      }
    }
  }
}

TEST(IntegerConvolutions, RunWithTheChainBehindThem) {
  NetworkCase network;
  const ConvolutionCase convolution({1, 16, 16, {9, 7}, {3, 3}, 1, 1, 1}, DataType::kUInt8);
  const TensorId sums =
      convolution.Add(network, Source::kInput, {DataType::kInt8, Source::kConstant});
  network.AddOutput(AddBehind(network, sums, convolution.GetOutputShape(), Behind::kScaleAndBias));
  EXPECT_EQ(ListNodes(network), (std::vector<std::string>{"Elements+", "IntegerConvolution+++"}));
}

/// Sums that somebody else reads, too, stay integers.
TEST(AbsorbCasts, LeavesSumsThatAreRead) {
  NetworkCase network;
  const ConvolutionCase convolution({1, 16, 16, {9, 7}, {3, 3}, 1, 1, 1}, DataType::kUInt8);
  const TensorId sums =
      convolution.Add(network, Source::kInput, {DataType::kInt8, Source::kConstant});
  network.AddOutput(AddBehind(network, sums, convolution.GetOutputShape(), Behind::kScaleAndBias));
  network.AddOutput(sums);
  EXPECT_EQ(ListNodes(network),
            (std::vector<std::string>{"IntegerConvolution", "Elements+", "Cast+++"}));
  ExpectAsCpuRef(network, Precision::kExact);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
