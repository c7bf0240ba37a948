#include "nodes/node.hpp"
#include "operators/cast_layer.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"

namespace backplane::onnx {
namespace {

// Roots and logarithms of integers are calculated as reals and cut off.
bool NeedsFloats(ReduceOperation operation) {
  return operation == ReduceOperation::kL2 || operation == ReduceOperation::kLogSum ||
         operation == ReduceOperation::kLogSumExp;
}

// An attribute first, an input later.
std::vector<std::int64_t> ReadAxes(Node& node, bool are_input) {
  if (!are_input) {
    return node.GetAttributes().FindInts("axes").value_or(std::vector<std::int64_t>());
  }
  if (!node.HasInput(1)) return {};
  return node.ReadConstantInts(1, "axes");
}

void SetAxes(const Node& node, const std::vector<std::int64_t>& stated,
             ReduceDescriptor& descriptor) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  for (const std::uint32_t axis : node.ResolveAxes(stated, rank)) {
    descriptor.axes[descriptor.num_axes++] = axis;
  }
  if (!stated.empty()) return;
  for (std::uint32_t axis = 0; axis < rank; ++axis) descriptor.axes[axis] = axis;
  descriptor.num_axes = rank;
}

// `first_opset` is the operator set from which on the axes are an input. No axes are all axes,
// unless an attribute that came with that input says that they are none.
void Convert(Node& node, ReduceOperation operation, std::int64_t first_opset) {
  const bool are_input = node.GetOpset() >= first_opset;
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.keep_dims = node.GetAttributes().FindInt("keepdims").value_or(1) != 0 ? 1 : 0;
  const std::vector<std::int64_t> axes = ReadAxes(node, are_input);
  const bool may_be_none =
      are_input && node.GetAttributes().FindInt("noop_with_empty_axes").value_or(0) != 0;
  if (axes.empty() && may_be_none) return node.ForwardInput(0);
  SetAxes(node, axes, descriptor);

  const DataType type = node.GetInputInfo(0).data_type;
  OutputSlot input = node.GetInput(0);
  if (NeedsFloats(operation) && !IsFloat(type)) {
    input = AddCast(node, input, DataType::kFloat64, "/float64");
  }
  const OutputSlot result = node.AddLayer<LayerType::kReduce>(descriptor, {input});
  node.SetOutput(AddCast(node, result, type, "/result"));
}

constexpr std::int64_t kSumFirstOpset = 13;
constexpr std::int64_t kFirstOpset = 18;

}  // namespace

void ConvertReduceL1(Node& node) {
  Convert(node, ReduceOperation::kL1, kFirstOpset);
}

void ConvertReduceL2(Node& node) {
  Convert(node, ReduceOperation::kL2, kFirstOpset);
}

void ConvertReduceLogSum(Node& node) {
  Convert(node, ReduceOperation::kLogSum, kFirstOpset);
}

void ConvertReduceLogSumExp(Node& node) {
  Convert(node, ReduceOperation::kLogSumExp, kFirstOpset);
}

void ConvertReduceMax(Node& node) {
  Convert(node, ReduceOperation::kMaximum, kFirstOpset);
}

void ConvertReduceMean(Node& node) {
  Convert(node, ReduceOperation::kMean, kFirstOpset);
}

void ConvertReduceMin(Node& node) {
  Convert(node, ReduceOperation::kMinimum, kFirstOpset);
}

void ConvertReduceProd(Node& node) {
  Convert(node, ReduceOperation::kProduct, kFirstOpset);
}

void ConvertReduceSum(Node& node) {
  Convert(node, ReduceOperation::kSum, kSumFirstOpset);
}

void ConvertReduceSumSquare(Node& node) {
  Convert(node, ReduceOperation::kSumSquare, kFirstOpset);
}

}  // namespace backplane::onnx
