#include "graph/operators.hpp"

#include <backplane/api/custom_layer.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace backplane {

namespace {

OperatorTypes GetTypes(const Layer& layer) {
  switch (layer.type) {
#define BACKPLANE_TYPES(name, accepted, ...) \
  case LayerType::k##name:                   \
    return {accepted, QuantizedTensors::__VA_ARGS__};
#define BACKPLANE_TYPES_BY_DESCRIPTOR(name) \
  case LayerType::k##name:                  \
    return GetTypesOf##name(                \
        static_cast<const DescriptorOf<LayerType::k##name>::Type&>(*layer.descriptor));
#include "graph/accepted_types.def"
#undef BACKPLANE_TYPES
#undef BACKPLANE_TYPES_BY_DESCRIPTOR
#define BACKPLANE_CORE_LAYER(name, ...) case LayerType::k##name:
#define BACKPLANE_OPERATOR(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
    case LayerType::kUndefined:
      break;
  }
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> Infer(const Layer& layer, const OperatorInputs& inputs) {
  switch (layer.type) {
#define BACKPLANE_OPERATOR(name, number, major, minor, min_in, max_in, min_out, max_out, \
                           descriptor_type, aliasing, documentation)                     \
  case LayerType::k##name:                                                               \
    return Infer##name(inputs, static_cast<const descriptor_type&>(*layer.descriptor));
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
    default:
      return {};
  }
}

/// Errors: std::invalid_argument when there is nothing where something is counted.
void CheckPointers(const CustomDescriptor& custom) {
  if (custom.num_outputs != 0 && custom.outputs == nullptr) {
    throw std::invalid_argument("outputs is null and num_outputs is " +
                                std::to_string(custom.num_outputs));
  }
  if (custom.num_subgraphs != 0) {
    throw std::invalid_argument("num_subgraphs is " + std::to_string(custom.num_subgraphs) +
                                "; expected 0");
  }
}

}  // namespace

std::vector<TensorInfo> InferOutputs(const Layer& layer, const OperatorInputs& inputs,
                                     const std::vector<OutputType>& stated) {
  const OperatorTypes types = GetTypes(layer);
  CheckInputTypes(inputs, types);
  std::vector<TensorInfo> outputs = Infer(layer, inputs);
  SetOutputTypes(inputs, types, stated, outputs);
  return outputs;
}

std::shared_ptr<const BaseDescriptor> CopyOperatorDescriptor(LayerType type,
                                                             const BaseDescriptor& source) {
  if (type == LayerType::kCustom) {
    const auto custom = CopyDescriptor<CustomDescriptor>(source);
    CheckPointers(custom);
    auto copy = std::make_shared<CustomLayer>(custom);
    const BaseDescriptor* const descriptor = &copy->Get();
    return {std::move(copy), descriptor};
  }
  switch (type) {
#define BACKPLANE_OPERATOR(name, number, major, minor, min_in, max_in, min_out, max_out, \
                           descriptor_type, aliasing, documentation)                     \
  case LayerType::k##name:                                                               \
    return std::make_shared<descriptor_type>(CopyDescriptor<descriptor_type>(source));
#define BACKPLANE_CORE_LAYER(...)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
    default:
      return nullptr;
  }
}

}  // namespace backplane
