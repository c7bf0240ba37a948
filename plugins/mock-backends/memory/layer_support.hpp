#pragma once

#include <backplane/api/i_layer_support.hpp>
#include <cpuref/layer_support.hpp>

#include <algorithm>

namespace memory_mock {

/// Whether the layer is one that the backend does not leave to a kernel: Relu, Add and Mul of equal
/// shapes, Reshape, Copy, Concat and Split, all of float32. With those it honours strides.
inline bool ComputesItself(const backplane::LayerSupportQuery& layer) {
  using backplane::CopyDescriptor;
  const auto is_float = [](const backplane::TensorInfo* info) {
    return info->data_type == backplane::DataType::kFloat32;
  };
  if (!std::all_of(layer.inputs, layer.inputs + layer.num_inputs, is_float)) return false;
  switch (layer.layer_type) {
    case backplane::LayerType::kActivation:
      return CopyDescriptor<backplane::ActivationDescriptor>(*layer.descriptor).function ==
             backplane::ActivationFunction::kRelu;
    case backplane::LayerType::kElementwiseBinary: {
      const auto binary = CopyDescriptor<backplane::ElementwiseBinaryDescriptor>(*layer.descriptor);
      const bool is_known = binary.operation == backplane::BinaryOperation::kAdd ||
                            binary.operation == backplane::BinaryOperation::kMul;
      return is_known && layer.inputs[0]->shape == layer.inputs[1]->shape;
    }
    case backplane::LayerType::kReshape:
    case backplane::LayerType::kCopy:
    case backplane::LayerType::kConcat:
    case backplane::LayerType::kSplit:
      return true;
    default:
      return false;
  }
}

/// What the backend computes itself, and what the kernels of the reference backend take.
class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    return ComputesItself(query) || kernels_.IsLayerSupported(query, reason);
  }

 private:
  const backplane::cpuref::LayerSupport kernels_{};
};

}  // namespace memory_mock
