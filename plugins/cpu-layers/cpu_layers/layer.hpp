#pragma once

/// A layer as backends that run layers on the CPU look at it.

#include <backplane/api/descriptor.hpp>
#include <backplane/api/i_layer_support.hpp>
#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// A layer to ask about or to make something for: what a support query, a workload's arguments and
/// a view of a layer have in common. Everything is borrowed from them.
struct Layer {
  const TensorInfo& Input(std::uint32_t index) const { return *inputs[index]; }
  const TensorInfo& Output(std::uint32_t index = 0) const { return *outputs[index]; }

  template <typename Derived>
  Derived GetDescriptor() const {
    return CopyDescriptor<Derived>(*descriptor);
  }

  LayerType type = LayerType::kUndefined;
  const BaseDescriptor* descriptor = nullptr;
  const TensorInfo* const* inputs = nullptr;
  const TensorInfo* const* outputs = nullptr;
  std::uint32_t num_inputs = 0;
  std::uint32_t num_outputs = 0;
};

/// `source` is a LayerSupportQuery or WorkloadArgs.
template <typename Source>
Layer MakeLayer(const Source& source) {
  Layer layer;
  layer.type = source.layer_type;
  layer.descriptor = source.descriptor;
  layer.inputs = source.inputs;
  layer.outputs = source.outputs;
  layer.num_inputs = source.num_inputs;
  layer.num_outputs = source.num_outputs;
  return layer;
}

}  // namespace cpu_layers
}  // namespace backplane
