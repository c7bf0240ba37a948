#include "bridging/joint.hpp"

#include "network/layer_aliasing.hpp"

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

}  // namespace backplane
