#include "cpu_layers/layer_checks.hpp"

#include <algorithm>

namespace backplane {
namespace cpu_layers {
namespace {

std::string DescribeCount(std::uint32_t least, std::uint32_t most) {
  if (least == most) return Text(least);
  return most == kAnyNumber ? Text(least, " or more") : Text(least, " to ", most);
}

void CheckCount(const char* what, std::uint32_t found, std::uint32_t least, std::uint32_t most,
                Refusal& refusal) {
  if (found >= least && found <= most) return;
  refusal.Add("the layer has ", found, " ", what, ", but must have ", DescribeCount(least, most));
}

void CheckDescriptor(const BaseDescriptor* descriptor, std::uint32_t known_bytes,
                     Refusal& refusal) {
  if (descriptor == nullptr) {
    refusal.Add("the layer has no descriptor");
    return;
  }
  // Longer is what a host of a later minor version sends. Shorter would mean an older host, and an
  // older host does not load this backend.
  if (descriptor->size_bytes < known_bytes) {
    refusal.Add("the descriptor has ", descriptor->size_bytes, " bytes, but must have ",
                known_bytes, " or more");
  }
}

/// With these bounds no product of extents overflows: as the core counts, extents of 0 are 1.
void CheckShape(const TensorInfo& info, const std::string& tensor, Refusal& refusal) {
  const TensorShape& shape = info.shape;
  if (shape.rank > kMaxRank) {
    refusal.Add(tensor, " has rank ", shape.rank, ", which is more than ", kMaxRank);
    return;
  }
  std::int64_t size_bytes = std::max<std::int64_t>(1, GetDataTypeSizeBytes(info.data_type));
  bool is_sound = true;
  for (std::uint32_t axis = 0; is_sound && axis < shape.rank; ++axis) {
    const std::int64_t extent = std::max<std::int64_t>(shape[axis], 1);
    is_sound = shape[axis] >= 0 && !__builtin_mul_overflow(size_bytes, extent, &size_bytes);
  }
  if (is_sound) return;
  refusal.Add(tensor, " has shape ", DescribeShape(shape),
              ", but extents must be 0 or more and the size must fit 63 bits");
}

void CheckShapes(const Layer& layer, Refusal& refusal) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    CheckShape(layer.Input(index), Text("input ", index), refusal);
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    CheckShape(layer.Output(index), NameOutput(layer, index), refusal);
  }
}

}  // namespace

void RequireSoundLayer(const Layer& layer, Refusal& refusal) {
  const LayerTypeInfo& info = *FindLayerTypeInfo(layer.type);
  CheckCount("inputs", layer.num_inputs, info.min_inputs, info.max_inputs, refusal);
  CheckCount("outputs", layer.num_outputs, info.min_outputs, info.max_outputs, refusal);
  CheckDescriptor(layer.descriptor, info.descriptor_size_bytes, refusal);
  CheckShapes(layer, refusal);
}

}  // namespace cpu_layers
}  // namespace backplane
