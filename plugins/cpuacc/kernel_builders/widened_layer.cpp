#include "kernel_builders/widened_layer.hpp"

#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/dequantize.hpp>

#include <cstring>

namespace backplane {
namespace cpuacc {
namespace {

template <typename Descriptor>
void WidenAs(std::vector<unsigned char>& bytes) {
  auto descriptor = CopyDescriptor<Descriptor>(*reinterpret_cast<BaseDescriptor*>(bytes.data()));
  if (!IsHalf(descriptor.to)) return;
  descriptor.to = DataType::kFloat32;
  std::memcpy(bytes.data(), &descriptor, descriptor.size_bytes);
}

/// The floats of a layer, by whether all are of one type.
class FloatTypes {
 public:
  void Add(const TensorInfo& info) {
    if (!IsHalf(info.data_type) && info.data_type != DataType::kFloat32) return;
    if (type_ != DataType::kUndefined && type_ != info.data_type) is_one_ = false;
    type_ = info.data_type;
  }

  bool AreAllOneHalf() const { return is_one_ && IsHalf(type_); }

 private:
  DataType type_ = DataType::kUndefined;
  bool is_one_ = true;
};

/// The means and deviations of a normalisation, whatever its values are.
bool IsAlwaysFloat32(LayerType type, std::uint32_t output) {
  return type == LayerType::kLayerNormalization && output > 0;
}

/// Not from integers that float32 would round before bfloat16 does.
bool CanCastThroughFloat32(DataType from, DataType to) {
  const bool has_many_bits = from == DataType::kInt32 || from == DataType::kInt64;
  return (IsHalf(from) || IsHalf(to)) && !(has_many_bits && to == DataType::kBFloat16);
}

}  // namespace

bool IsHalf(DataType type) {
  return type == DataType::kFloat16 || type == DataType::kBFloat16;
}

TensorInfo Widen(const TensorInfo& info) {
  TensorInfo wide = info;
  if (IsHalf(info.data_type)) wide.data_type = DataType::kFloat32;
  return wide;
}

bool CanBeWidened(const Layer& layer) {
  if (layer.type == LayerType::kCast) {
    const DataType to = layer.Output().data_type;
    return to == layer.GetDescriptor<CastDescriptor>().to &&
           CanCastThroughFloat32(layer.Input(0).data_type, to);
  }
  if (layer.type == LayerType::kDequantize &&
      layer.Output().data_type != layer.GetDescriptor<DequantizeDescriptor>().to) {
    return false;
  }
  FloatTypes types;
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) types.Add(layer.Input(index));
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    const TensorInfo& output = layer.Output(index);
    if (!IsAlwaysFloat32(layer.type, index)) types.Add(output);
    if (IsAlwaysFloat32(layer.type, index) && IsHalf(output.data_type)) return false;
  }
  return types.AreAllOneHalf();
}

void WidenDescriptor(LayerType type, std::vector<unsigned char>& descriptor) {
  if (type == LayerType::kCast) WidenAs<CastDescriptor>(descriptor);
  if (type == LayerType::kDequantize) WidenAs<DequantizeDescriptor>(descriptor);
}

WidenedLayer::WidenedLayer(const Layer& layer) : layer_(layer) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(layer.descriptor);
  descriptor_.assign(bytes, bytes + layer.descriptor->size_bytes);
  WidenDescriptor(layer.type, descriptor_);
  infos_.reserve(layer.num_inputs + layer.num_outputs);
  const auto add = [this](const TensorInfo& info) {
    infos_.push_back(Widen(info));
    return &infos_.back();
  };
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    inputs_.push_back(add(layer.Input(index)));
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    outputs_.push_back(add(layer.Output(index)));
  }
  layer_.descriptor = reinterpret_cast<const BaseDescriptor*>(descriptor_.data());
  layer_.inputs = inputs_.data();
  layer_.outputs = outputs_.data();
}

}  // namespace cpuacc
}  // namespace backplane
