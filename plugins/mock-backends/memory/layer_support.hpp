#pragma once

#include <backplane/api/i_layer_support.hpp>

namespace memory_mock {

/// Float32 only: Activation as Relu, ElementwiseBinary as Add and Mul of equal shapes, Reshape,
/// Concat and Split.
class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    std::string refusal = FindRefusal(query);
    if (refusal.empty()) refusal = FindRefusalOfTypes(query);
    if (refusal.empty()) return true;
    reason = refusal;
    return false;
  }

 private:
  static std::string FindRefusal(const backplane::LayerSupportQuery& query) {
    using backplane::CopyDescriptor;
    switch (query.layer_type) {
      case backplane::LayerType::kActivation: {
        const auto layer = CopyDescriptor<backplane::ActivationDescriptor>(*query.descriptor);
        const bool is_relu = layer.function == backplane::ActivationFunction::kRelu;
        return is_relu ? "" : "the activation function is not supported, only Relu";
      }
      case backplane::LayerType::kElementwiseBinary: {
        const auto layer =
            CopyDescriptor<backplane::ElementwiseBinaryDescriptor>(*query.descriptor);
        const bool is_known = layer.operation == backplane::BinaryOperation::kAdd ||
                              layer.operation == backplane::BinaryOperation::kMul;
        if (!is_known) return "the operation is not supported, only Add and Mul";
        const bool is_equal = query.inputs[0]->shape == query.inputs[1]->shape;
        return is_equal ? "" : "broadcasting is not supported, only equal shapes";
      }
      case backplane::LayerType::kReshape:
      case backplane::LayerType::kConcat:
      case backplane::LayerType::kSplit:
        return "";
      default:
        return std::string("layer type ") + backplane::GetLayerTypeName(query.layer_type) +
               " is not supported, only Activation, ElementwiseBinary, Reshape, Concat and Split";
    }
  }

  static std::string FindRefusalOfTypes(const backplane::LayerSupportQuery& query) {
    for (std::uint32_t i = 0; i < query.num_inputs; ++i) {
      if (query.inputs[i]->data_type == backplane::DataType::kFloat32) continue;
      return std::string("data type ") + backplane::GetDataTypeName(query.inputs[i]->data_type) +
             " is not supported, only float32";
    }
    return "";
  }
};

}  // namespace memory_mock
