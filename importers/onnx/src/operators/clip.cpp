#include "graph/node.hpp"
#include "graph/operator_table.hpp"

#include <limits>

namespace backplane::onnx {
namespace {

struct Bounds {
  float least = std::numeric_limits<float>::lowest();
  float greatest = std::numeric_limits<float>::max();
};

// Attributes until operator set 10, inputs from 11 on. Nothing when an input is no constant float.
std::optional<Bounds> FindBounds(Node& node) {
  Bounds bounds;
  if (node.GetOpset() < 11) {
    bounds.least = node.GetAttributes().FindFloat("min").value_or(bounds.least);
    bounds.greatest = node.GetAttributes().FindFloat("max").value_or(bounds.greatest);
    return bounds;
  }
  if (node.GetInputInfo(0).data_type != DataType::kFloat32) return {};
  if (node.HasInput(1)) {
    const auto least = node.FindConstantFloat(1);
    if (!least) return {};
    bounds.least = *least;
  }
  if (node.HasInput(2)) {
    const auto greatest = node.FindConstantFloat(2);
    if (!greatest) return {};
    bounds.greatest = *greatest;
  }
  return bounds;
}

OutputSlot AddBound(Node& node, BinaryOperation operation, OutputSlot input, std::size_t index,
                    const std::string& suffix) {
  if (!node.HasInput(index)) return input;
  ElementwiseBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return node.AddLayer<LayerType::kElementwiseBinary>(descriptor, {input, node.GetInput(index)},
                                                      suffix);
}

}  // namespace

void ConvertClip(Node& node) {
  if (const auto bounds = FindBounds(node)) {
    ActivationDescriptor descriptor;
    descriptor.function = ActivationFunction::kBoundedRelu;
    descriptor.alpha = bounds->greatest;
    descriptor.beta = bounds->least;
    return node.SetOutput(node.AddLayer<LayerType::kActivation>(descriptor, {node.GetInput(0)}));
  }
  const OutputSlot raised = AddBound(node, BinaryOperation::kMaximum, node.GetInput(0), 1, "/min");
  node.SetOutput(AddBound(node, BinaryOperation::kMinimum, raised, 2, "/max"));
}

}  // namespace backplane::onnx
