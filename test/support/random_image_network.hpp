#pragma once

#include <backplane/runtime/i_network.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace backplane::test {

/// Makes networks of float32 layers on images that read one another at random; equal seeds give
/// equal ones. Numbers stay near 1, so that results of different orders of addition can be
/// compared.
class RandomImageNetwork {
 public:
  explicit RandomImageNetwork(std::uint32_t seed) : random_(seed) {}

  /// The input "x" of [2, 3, 9, 7], the layers "0", "1", ..., and the last ones as outputs.
  std::unique_ptr<INetwork> Make(std::uint32_t num_layers) {
    network_ = INetwork::Create("random images");
    images_ = {network_->AddInputLayer(Float({2, 3, 9, 7}), "x")};
    for (std::uint32_t i = 0; i < num_layers; ++i) Add(std::to_string(i));
    network_->AddOutputLayer(images_.back(), "y0");
    network_->AddOutputLayer(images_[images_.size() / 2], "y1");
    return std::move(network_);
  }

 private:
  static constexpr std::int64_t kChannels[] = {3, 8, 16, 20, 33};

  static TensorInfo Float(const TensorShape& shape) { return {shape, DataType::kFloat32}; }

  std::uint32_t Below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

  const TensorShape& GetShape(OutputSlot image) const {
    return network_->GetTensorInfo(image).shape;
  }

  // Often one of the last, sometimes any.
  OutputSlot Pick() {
    const std::size_t reach =
        Below(4) == 0 ? images_.size() : std::min<std::size_t>(images_.size(), 3);
    return images_[images_.size() - 1 - Below(reach)];
  }

  OutputSlot AddConstant(const TensorShape& shape, const std::string& name, float most,
                         float least) {
    std::vector<float> values(static_cast<std::size_t>(shape.GetNumElements()));
    for (float& value : values) {
      value = least + (most - least) * static_cast<float>(Below(201)) / 200.0F;
    }
    return network_->AddConstantLayer(
        Float(shape), CopyConstantData(values.data(), values.size() * sizeof(float)), name);
  }

  void Add(const std::string& name) {
    switch (Below(9)) {
      case 0:
        return AddActivation(name);
      case 1:
        return AddPooling(name);
      case 2:
        return AddConcat(name);
      case 3:
        return AddNormalization(name);
      case 4:
        return AddSum(name);
      case 5:
        return AddDepthwise(name);
      case 6:
        return AddSoftmax(name);
      default:
        return AddConvolution(name, 1 + 2 * Below(2));
    }
  }

  void AddActivation(const std::string& name) {
    constexpr ActivationFunction kFunctions[] = {
        ActivationFunction::kRelu, ActivationFunction::kSigmoid, ActivationFunction::kTanH};
    ActivationDescriptor descriptor;
    descriptor.function = kFunctions[Below(3)];
    Keep(AddLayer<LayerType::kActivation>(*network_, descriptor, {Pick()}, name));
  }

  void AddPooling(const std::string& name) {
    PoolingDescriptor descriptor;
    descriptor.method = Below(2) == 0 ? PoolingMethod::kMax : PoolingMethod::kAverage;
    PadSame(descriptor, 3);
    Keep(AddLayer<LayerType::kPooling>(*network_, descriptor, {Pick()}, name));
  }

  void AddConcat(const std::string& name) {
    const OutputSlot a = Pick();
    const OutputSlot b = Pick();
    if (GetShape(a)[1] + GetShape(b)[1] > 80) return AddConvolution(name, 1);
    ConcatDescriptor descriptor;
    descriptor.axis = 1;
    Keep(AddLayer<LayerType::kConcat>(*network_, descriptor, {a, b}, name));
  }

  void AddNormalization(const std::string& name) {
    const OutputSlot x = Pick();
    const TensorShape channels{GetShape(x)[1]};
    Keep(AddLayer<LayerType::kBatchNormalization>(
        *network_, BatchNormalizationDescriptor(),
        {x, AddConstant(channels, name + " scale", 1.0F, 0.25F),
         AddConstant(channels, name + " bias", 0.5F, -0.5F),
         AddConstant(channels, name + " mean", 0.5F, -0.5F),
         AddConstant(channels, name + " variance", 2.0F, 0.5F)},
        name));
  }

  void AddSum(const std::string& name) {
    const OutputSlot a = Pick();
    OutputSlot b = Pick();
    if (GetShape(a) != GetShape(b)) b = AddConstant({GetShape(a)[1], 1, 1}, name + " by", 1, -1);
    ElementwiseBinaryDescriptor descriptor;
    descriptor.operation = Below(3) == 0 ? BinaryOperation::kMaximum : BinaryOperation::kAdd;
    Keep(AddLayer<LayerType::kElementwiseBinary>(*network_, descriptor, {a, b}, name));
  }

  void AddDepthwise(const std::string& name) {
    const OutputSlot x = Pick();
    const std::int64_t channels = GetShape(x)[1];
    ConvolutionDescriptor descriptor;
    descriptor.groups = static_cast<std::uint32_t>(channels);
    PadSame(descriptor, 3);
    Keep(AddLayer<LayerType::kConvolution>(
        *network_, descriptor, {x, AddConstant({channels, 1, 3, 3}, name + " w", 0.4F, -0.4F)},
        name));
  }

  void AddSoftmax(const std::string& name) {
    SoftmaxDescriptor descriptor;
    descriptor.axis = 1 + Below(3);
    Keep(AddLayer<LayerType::kSoftmax>(*network_, descriptor, {Pick()}, name));
  }

  void AddConvolution(const std::string& name, std::uint32_t kernel) {
    const OutputSlot x = Pick();
    const std::int64_t from = GetShape(x)[1];
    const std::int64_t to = kChannels[Below(5)];
    const float most = 2.0F / static_cast<float>(from * kernel);
    ConvolutionDescriptor descriptor;
    PadSame(descriptor, kernel);
    Keep(AddLayer<LayerType::kConvolution>(
        *network_, descriptor,
        {x, AddConstant({to, from, kernel, kernel}, name + " w", most, -most),
         AddConstant({to}, name + " b", 0.5F, -0.5F)},
        name));
  }

  template <typename Descriptor>
  static void PadSame(Descriptor& descriptor, std::uint32_t kernel) {
    descriptor.spatial_rank = 2;
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      descriptor.pads_begin[axis] = descriptor.pads_end[axis] = kernel / 2;
    }
    SetKernel(descriptor, kernel);
  }
  static void SetKernel(ConvolutionDescriptor& /*descriptor*/, std::uint32_t /*kernel*/) {}
  static void SetKernel(PoolingDescriptor& descriptor, std::uint32_t kernel) {
    descriptor.kernel[0] = descriptor.kernel[1] = kernel;
  }

  void Keep(LayerId layer) { images_.push_back({layer, 0}); }

  std::mt19937 random_;
  std::unique_ptr<INetwork> network_;
  std::vector<OutputSlot> images_;
};

}  // namespace backplane::test
