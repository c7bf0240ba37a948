#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
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

// What it makes of one element is that element.
bool KeepsSingleElements(ReduceOperation operation) {
  return operation != ReduceOperation::kL1 && operation != ReduceOperation::kL2 &&
         operation != ReduceOperation::kLogSum && operation != ReduceOperation::kSumSquare;
}

// Of bool, for which the least and the greatest are defined since operator set 20, numbers.
DataType GetComputeType(ReduceOperation operation, DataType type) {
  const bool is_extreme =
      operation == ReduceOperation::kMaximum || operation == ReduceOperation::kMinimum;
  if (type == DataType::kBool && is_extreme) return DataType::kUInt8;
  return NeedsFloats(operation) && !IsFloat(type) ? DataType::kFloat64 : type;
}

// No axes are all axes.
void SetAxes(const Node& node, const std::vector<std::int64_t>& stated,
             ReduceDescriptor& descriptor) {
  const std::uint32_t rank = node.GetInputShape(0).rank;
  for (const std::uint32_t axis :
       stated.empty() ? node.ResolveAxesInOrder({}, rank) : node.ResolveAxes(stated, rank)) {
    descriptor.axes[descriptor.num_axes++] = axis;
  }
}

OutputSlot AddReduce(Node& node, const ReduceDescriptor& descriptor) {
  const DataType type = node.GetInputInfo(0).data_type;
  const DataType computed = GetComputeType(descriptor.operation, type);
  const OutputSlot input =
      AddCast(node, node.GetInput(0), computed, std::string("/") + GetDataTypeName(computed));
  const OutputSlot result = node.AddLayer<LayerType::kReduce>(descriptor, {input});
  return AddCast(node, result, type, "/result");
}

// `first_opset` is the operator set from which on the axes are an input. No axes are all axes,
// unless an attribute that came with that input says that they are none: then each element is
// reduced by itself.
void Convert(Node& node, ReduceOperation operation, std::int64_t first_opset) {
  const bool are_input = node.GetOpset() >= first_opset;
  ReduceDescriptor descriptor;
  descriptor.operation = operation;
  descriptor.keep_dims = node.GetAttributes().GetFlag("keepdims", true) ? 1 : 0;
  const std::vector<std::int64_t> axes = ReadAxes(node, are_input);
  const bool may_be_none = are_input && node.GetAttributes().GetFlag("noop_with_empty_axes");
  const bool is_none = axes.empty() && may_be_none;
  if (is_none && KeepsSingleElements(operation)) return node.ForwardInput(0);
  if (!is_none) SetAxes(node, axes, descriptor);
  node.SetOutput(AddReduce(node, descriptor));
}

}  // namespace

#define BACKPLANE_CONVERT(op, operation, first_opset)       \
  void ConvertReduce##op(Node& node) {                      \
    Convert(node, ReduceOperation::operation, first_opset); \
  }
BACKPLANE_CONVERT(L1, kL1, 18)
BACKPLANE_CONVERT(L2, kL2, 18)
BACKPLANE_CONVERT(LogSum, kLogSum, 18)
BACKPLANE_CONVERT(LogSumExp, kLogSumExp, 18)
BACKPLANE_CONVERT(Max, kMaximum, 18)
BACKPLANE_CONVERT(Mean, kMean, 18)
BACKPLANE_CONVERT(Min, kMinimum, 18)
BACKPLANE_CONVERT(Prod, kProduct, 18)
BACKPLANE_CONVERT(Sum, kSum, 13)
BACKPLANE_CONVERT(SumSquare, kSumSquare, 18)
#undef BACKPLANE_CONVERT

}  // namespace backplane::onnx
