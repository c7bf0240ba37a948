#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"

#include <cmath>
#include <limits>

namespace backplane::onnx {
namespace {

// Bounds are attributes until operator set 10, inputs from 11 on.
constexpr std::int64_t kFirstOpsetWithInputs = 11;

// One of the two bounds: where it is, and what stands for it when it is absent.
struct Bound {
  const char* attribute;
  std::size_t input;
  float when_absent;
};

// Float32 has ends of its own, which ONNX names.
float GetWidest(const Node& node) {
  using Limits = std::numeric_limits<float>;
  return node.GetInputInfo(0).data_type == DataType::kFloat32 ? Limits::max() : Limits::infinity();
}

// The bound as a float; nothing when it is not known, or when a float does not hold it: beyond
// 2^24, integers may have lost their neighbours already.
std::optional<float> FindFloat(Node& node, const Bound& bound) {
  if (node.GetOpset() < kFirstOpsetWithInputs) {
    return node.GetAttributes().FindFloat(bound.attribute).value_or(bound.when_absent);
  }
  if (!node.HasInput(bound.input)) return bound.when_absent;
  const auto elements = node.FindConstantReals(bound.input);
  if (!elements || elements->size() != 1) return {};
  const double exact = elements->front();
  const auto rounded = static_cast<float>(exact);
  const bool may_be_wide = node.GetInputInfo(0).data_type == DataType::kFloat32;
  const bool is_exact = static_cast<double>(rounded) == exact;
  return is_exact && (may_be_wide || std::fabs(exact) <= 0x1p24) ? std::optional<float>(rounded)
                                                                 : std::nullopt;
}

std::optional<OutputSlot> FindSlot(Node& node, const Bound& bound) {
  if (node.GetOpset() >= kFirstOpsetWithInputs) {
    if (!node.HasInput(bound.input)) return {};
    return node.GetInput(bound.input);
  }
  const auto value = node.GetAttributes().FindFloat(bound.attribute);
  if (!value) return {};
  return node.AddScalar(static_cast<double>(*value), node.GetInputInfo(0).data_type,
                        std::string("/") + bound.attribute + "_value");
}

OutputSlot AddBound(Node& node, BinaryOperation operation, OutputSlot input, const Bound& bound) {
  const auto slot = FindSlot(node, bound);
  if (!slot) return input;
  return AddBinary(node, operation, input, *slot, std::string("/") + bound.attribute);
}

}  // namespace

void ConvertClip(Node& node) {
  const Bound least = {"min", 1, -GetWidest(node)};
  const Bound greatest = {"max", 2, GetWidest(node)};
  const auto beta = FindFloat(node, least);
  const auto alpha = FindFloat(node, greatest);
  if (beta && alpha && *beta <= *alpha) {
    return node.SetOutput(
        AddActivation(node, ActivationFunction::kBoundedRelu, node.GetInput(0), "", *alpha, *beta));
  }
  // Bounds that are exchanged give the upper one everywhere.
  const OutputSlot raised = AddBound(node, BinaryOperation::kMaximum, node.GetInput(0), least);
  node.SetOutput(AddBound(node, BinaryOperation::kMinimum, raised, greatest));
}

}  // namespace backplane::onnx
