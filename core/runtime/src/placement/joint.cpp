#include "placement/joint.hpp"

#include "graph/layer_aliasing.hpp"

namespace backplane {

namespace {

std::uint32_t GetAxis(const Layer& layer) {
  if (layer.type == LayerType::kConcat) {
    return static_cast<const ConcatDescriptor&>(*layer.descriptor).axis;
  }
  return static_cast<const SplitDescriptor&>(*layer.descriptor).axis;
}

}  // namespace

bool HasParts(const Layer& layer) {
  const LayerAliasing aliasing = GetAliasing(layer);
  return aliasing == LayerAliasing::kJoin || aliasing == LayerAliasing::kParts;
}

Joint MakeJoint(const Layer& layer) {
  Joint joint;
  joint.axis = GetAxis(layer);
  joint.is_concat = GetAliasing(layer) == LayerAliasing::kJoin;
  std::vector<OutputSlot> outputs;
  for (std::uint32_t i = 0; i < layer.outputs.size(); ++i) outputs.push_back({layer.id, i});
  joint.whole = joint.is_concat ? outputs[0] : layer.inputs[0];
  joint.parts = joint.is_concat ? layer.inputs : outputs;
  return joint;
}

PartGeometry FindGeometry(const TensorInfo& whole, const TensorInfo& part, std::uint32_t axis,
                          std::int64_t begin) {
  PartGeometry geometry;
  geometry.origin.resize(whole.shape.rank);
  geometry.origin[axis] = begin;
  std::uint64_t stride = GetDataTypeSizeBytes(whole.data_type);
  for (std::uint32_t i = axis + 1; i < whole.shape.rank; ++i) {
    stride *= static_cast<std::uint64_t>(whole.shape[i]);
  }
  geometry.offset_bytes = static_cast<std::uint64_t>(begin) * stride;
  geometry.is_contiguous = true;
  const bool is_whole = part.shape[axis] == whole.shape[axis];
  for (std::uint32_t i = 0; i < axis; ++i) {
    geometry.is_contiguous = geometry.is_contiguous && (whole.shape[i] == 1 || is_whole);
  }
  return geometry;
}

}  // namespace backplane
