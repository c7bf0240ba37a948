#pragma once

/// Small models with every operator, and how they are run on mock backends.

#include "mock_network.hpp"
#include "mock_rows.hpp"

#include <cstdint>
#include <optional>
#include <random>

namespace backplane::test {

/// Numbers between -1 and 1, the same at every call.
inline std::vector<float> MakeNumbers(std::int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) {
    number = static_cast<float>(generator() % 2001) / 1000.0F - 1.0F;
  }
  return numbers;
}

/// Builds a network whose constants are MakeNumbers.
class ModelBuilder {
 public:
  explicit ModelBuilder(const std::string& name) : network_(INetwork::Create(name)) {}

  OutputSlot AddInput(const TensorShape& shape, DataType type = DataType::kFloat32) {
    return network_->AddInputLayer(TensorInfo(shape, type), "x");
  }

  OutputSlot AddConstant(const TensorShape& shape) {
    const TensorInfo info(shape, DataType::kFloat32);
    const auto numbers = MakeNumbers(shape.GetNumElements(), ++num_constants_);
    return network_->AddConstantLayer(
        info, CopyConstantData(numbers.data(), numbers.size() * sizeof(float)),
        "constant " + std::to_string(num_constants_));
  }

  template <LayerType kType>
  OutputSlot Add(const typename DescriptorOf<kType>::Type& descriptor,
                 const std::vector<OutputSlot>& inputs) {
    const std::string name = "layer " + std::to_string(network_->GetNumOperators());
    return {AddLayer<kType>(*network_, descriptor, inputs, name), 0};
  }

  std::unique_ptr<INetwork> Finish(OutputSlot output) {
    network_->AddOutputLayer(output, "y");
    return std::move(network_);
  }

 private:
  std::unique_ptr<INetwork> network_;
  unsigned num_constants_ = 0;
};

inline OutputSlot AddConvolution(ModelBuilder& model, OutputSlot input, std::int64_t channels,
                                 std::int64_t kernel) {
  ConvolutionDescriptor convolution;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    convolution.pads_begin[axis] = convolution.pads_end[axis] =
        static_cast<std::uint32_t>(kernel / 2);
  }
  return model.Add<LayerType::kConvolution>(
      convolution,
      {input, model.AddConstant({channels, 4, kernel, kernel}), model.AddConstant({channels})});
}

inline OutputSlot AddPooling(ModelBuilder& model, OutputSlot input, PoolingMethod method) {
  PoolingDescriptor pooling;
  pooling.method = method;
  pooling.kernel[0] = pooling.kernel[1] = 2;
  pooling.strides[0] = pooling.strides[1] = 2;
  return model.Add<LayerType::kPooling>(pooling, {input});
}

/// Two branches of a convolution and a pooling, joined and taken apart again, with a fully
/// connected layer and a softmax behind them: float32 [2, 4, 8, 8] to [8, 3].
inline std::unique_ptr<INetwork> MakeConvolutionalModel() {
  ModelBuilder model("convolutional");
  const OutputSlot x = model.AddInput({2, 4, 8, 8});
  const OutputSlot wide = AddConvolution(model, x, 4, 3);
  const OutputSlot narrow = AddConvolution(model, x, 2, 1);
  const OutputSlot relu = model.Add<LayerType::kActivation>({}, {wide});
  ActivationDescriptor sigmoid;
  sigmoid.function = ActivationFunction::kSigmoid;
  const OutputSlot soft = model.Add<LayerType::kActivation>(sigmoid, {narrow});
  const OutputSlot largest = AddPooling(model, relu, PoolingMethod::kMax);
  const OutputSlot average = AddPooling(model, soft, PoolingMethod::kAverage);
  ConcatDescriptor join;
  join.axis = 1;
  const OutputSlot both = model.Add<LayerType::kConcat>(join, {largest, average});
  SplitDescriptor halves;
  halves.axis = 1;
  halves.num_parts = 2;
  halves.extents[0] = halves.extents[1] = 3;
  const OutputSlot first = model.Add<LayerType::kSplit>(halves, {both});
  const OutputSlot sum =
      model.Add<LayerType::kElementwiseBinary>({}, {first, OutputSlot{first.layer, 1}});
  ReshapeDescriptor fold;
  fold.rank = 2;
  fold.dims[0] = 8;
  fold.dims[1] = 12;
  const OutputSlot rows = model.Add<LayerType::kReshape>(fold, {sum});
  const OutputSlot scores = model.Add<LayerType::kFullyConnected>(
      {}, {rows, model.AddConstant({12, 3}), model.AddConstant({3})});
  const OutputSlot scaled =
      model.Add<LayerType::kElementwiseBinary>({}, {scores, model.AddConstant({1, 3})});
  SoftmaxDescriptor softmax;
  softmax.axis = 1;
  return model.Finish(model.Add<LayerType::kSoftmax>(softmax, {scaled}));
}

/// What the reference backend takes besides float32: float16 [2, 4] to [4, 4].
inline std::unique_ptr<INetwork> MakeHalfPrecisionModel() {
  ModelBuilder model("half precision");
  const OutputSlot x = model.AddInput({2, 4}, DataType::kFloat16);
  const OutputSlot sum = model.Add<LayerType::kElementwiseBinary>({}, {x, x});
  const OutputSlot relu = model.Add<LayerType::kActivation>({}, {sum});
  return model.Finish(model.Add<LayerType::kConcat>({}, {relu, x}));
}

/// Three activations, one after the other: float32 [4] to [4].
inline std::unique_ptr<INetwork> MakeChainModel() {
  ModelBuilder model("chain");
  OutputSlot tensor = model.AddInput({4});
  for (int i = 0; i < 3; ++i) tensor = model.Add<LayerType::kActivation>({}, {tensor});
  return model.Finish(tensor);
}

using Bytes = std::vector<unsigned char>;

/// Of the only output; or why there is none.
struct RunResult {
  Bytes bytes;
  std::optional<Diagnostic> failure;
};

/// A loaded network with one input, filled with some numbers, and one output.
class LoadedModel {
 public:
  /// Errors: DiagnosticException as Optimize and IRuntime::LoadNetwork.
  LoadedModel(IRuntime& runtime, const INetwork& network,
              const std::vector<std::string>& preferences, const OptimizerOptions& options = {})
      : runtime_(runtime),
        input_(network.GetInputs()[0].info),
        output_(network.GetOutputs()[0].info),
        numbers_(CopyNumbers(input_)),
        optimized_(Optimize(network, preferences, runtime.GetDeviceSpec(), options)),
        id_(runtime.LoadNetwork(optimized_)) {}

  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;
  ~LoadedModel() { runtime_.UnloadNetwork(id_); }

  const Placement& GetPlacement() const { return optimized_->GetPlacement(); }
  TransferReport GetTransfers() const { return runtime_.GetTransferReport(id_); }

  RunResult Run() const {
    RunResult result;
    result.bytes.assign(output_.GetSizeBytes(), 0xAA);
    const Status status =
        runtime_.EnqueueWorkload(id_, {{0, {input_, numbers_.get()}}},
                                 {{0, result.bytes.data(), result.bytes.size()}}, &result.failure);
    if (status != Status::kSuccess) result.bytes.clear();
    return result;
  }

 private:
  /// Half-precision numbers are bits between those of 0.125 and of 0.25, with a sign.
  static std::shared_ptr<const void> CopyNumbers(const TensorInfo& info) {
    const std::vector<float> numbers = MakeNumbers(info.shape.GetNumElements(), 0);
    if (info.data_type == DataType::kFloat32) {
      return CopyConstantData(numbers.data(), info.GetSizeBytes());
    }
    std::vector<std::uint16_t> halves;
    for (const float number : numbers) {
      const int bits =
          (number < 0 ? 0x8000 : 0) + 0x3000 + static_cast<int>(number * number * 1000);
      halves.push_back(static_cast<std::uint16_t>(bits));
    }
    return CopyConstantData(halves.data(), info.GetSizeBytes());
  }

  IRuntime& runtime_;
  const TensorInfo input_;
  const TensorInfo output_;
  const std::shared_ptr<const void> numbers_;
  const std::shared_ptr<const IOptimizedNetwork> optimized_;
  const NetworkId id_;
};

}  // namespace backplane::test
