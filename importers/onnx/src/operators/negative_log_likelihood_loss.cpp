#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

LossReduction ReadLossReduction(Node& node) {
  const std::string stated = node.GetAttributes().FindString("reduction").value_or("mean");
  if (stated == "none") return LossReduction::kNone;
  if (stated == "mean") return LossReduction::kMean;
  if (stated == "sum") return LossReduction::kSum;
  node.GetAttributes().Refuse("reduction", stated, "only none, mean and sum are supported");
}

// The loss of logarithms of probabilities; further inputs are those of the node.
OutputSlot AddLoss(Node& node, OutputSlot logarithms) {
  NegativeLogLikelihoodLossDescriptor descriptor;
  descriptor.reduction = ReadLossReduction(node);
  if (const auto ignored = node.GetAttributes().FindInt("ignore_index")) {
    descriptor.has_ignored_target = 1;
    descriptor.ignored_target = *ignored;
  }
  std::vector<OutputSlot> inputs = {logarithms, node.GetInput(1)};
  if (node.HasInput(2)) inputs.push_back(node.GetInput(2));
  return node.AddLayer<LayerType::kNegativeLogLikelihoodLoss>(descriptor, inputs);
}

}  // namespace

void ConvertNegativeLogLikelihoodLoss(Node& node) {
  node.SetOutput(AddLoss(node, node.GetInput(0)));
}

// The second output has the logarithms of the probabilities.
void ConvertSoftmaxCrossEntropyLoss(Node& node) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = node.ResolveAxis(1, node.GetInputShape(0).rank);
  const OutputSlot logarithms =
      node.AddLayer<LayerType::kLogSoftmax>(descriptor, {node.GetInput(0)}, "/log_prob");
  node.SetOutput(AddLoss(node, logarithms));
  node.SetOutput(1, logarithms);
}

}  // namespace backplane::onnx
