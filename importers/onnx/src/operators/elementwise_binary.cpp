#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/data_types.hpp"
#include "tensors/shape.hpp"

#include <string>

namespace backplane::onnx {
namespace {

constexpr std::int64_t kFirstOpsetWithRules = 7;

// Extents of 1 behind the second input move it to the left, where its first axis is to be.
TensorShape AlignAt(const Node& node, std::uint32_t axis) {
  const TensorShape& a = node.GetInputShape(0);
  TensorShape aligned = node.GetInputShape(1);
  if (aligned.rank > a.rank - axis) {
    node.RefuseAsInvalid("its inputs are " + ToText(a) + " and " + ToText(aligned) +
                         "; the second does not fit at axis " + std::to_string(axis));
  }
  while (aligned.rank < a.rank - axis) aligned.Append(1);
  return aligned;
}

// The second input of an elementwise operator of two, as a tensor that broadcasts to the first by
// the rules of operator set 7 and later. Before those, shapes broadcast only where the attribute
// `broadcast` says so, and `axis` says at which axis of the first input the second one begins;
// then the second input is given another shape here. Reads both attributes. Errors: kInvalidModel
// for an axis where the second input does not fit.
OutputSlot GetBroadcastInput(Node& node) {
  if (node.GetOpset() >= kFirstOpsetWithRules) return node.GetInput(1);
  const bool is_broadcast = node.GetAttributes().GetFlag("broadcast");
  const auto axis = node.GetAttributes().FindInt("axis");
  const TensorShape& a = node.GetInputShape(0);
  if (!is_broadcast || !axis || a.rank == 0) return node.GetInput(1);
  const TensorShape aligned = AlignAt(node, node.ResolveAxis(*axis, a.rank));
  if (aligned.rank == node.GetInputShape(1).rank) return node.GetInput(1);
  return node.AddReshape(node.GetInput(1), aligned, "/broadcast");
}

template <LayerType kType, typename Operation>
void Convert(Node& node, Operation operation) {
  typename DescriptorOf<kType>::Type descriptor;
  descriptor.operation = operation;
  const OutputSlot first = node.GetInput(0);
  node.SetOutput(node.AddLayer<kType>(descriptor, {first, GetBroadcastInput(node)}));
}

BitwiseOperation ReadShift(Node& node) {
  const auto direction = node.GetAttributes().FindString("direction");
  if (!direction) node.RefuseAsInvalid("direction is absent, but is needed");
  if (*direction == "LEFT") return BitwiseOperation::kShiftLeft;
  if (*direction == "RIGHT") return BitwiseOperation::kShiftRight;
  node.RefuseAsInvalid("direction is \"" + *direction + "\"; LEFT or RIGHT is expected");
}

bool IsUnsigned(DataType type) {
  return type == DataType::kUInt8 || type == DataType::kUInt16 || type == DataType::kUInt32 ||
         type == DataType::kUInt64;
}

// In which type a base and an exponent of another type are combined. The result has the type of
// the base again: integers wrap around alike in every width, so that the exponent alone decides.
DataType ChoosePowerType(DataType base, DataType exponent) {
  if (base == exponent) return base;
  if (IsFloat(base) && !IsFloat(exponent)) return base;
  if (IsFloat(base) || IsFloat(exponent)) return DataType::kFloat64;
  return IsUnsigned(exponent) ? DataType::kUInt64 : DataType::kInt64;
}

// One slope for each channel belongs to axis 1. So it always is before operator set 7; later the
// slope must broadcast as it is, and where it does not, exporters mean the same.
bool IsSlopeOfChannels(const Node& node) {
  const TensorShape& shape = node.GetInputShape(0);
  const TensorShape& slope = node.GetInputShape(1);
  if (shape.rank < 2 || slope.rank != 1 || slope[0] != shape[1]) return false;
  return node.GetOpset() < 7 || !BroadcastsTo(slope, shape);
}

// Any number of inputs, two at a time from the first on. The last layer has `last_suffix`.
OutputSlot AddChain(Node& node, BinaryOperation operation, const std::string& last_suffix = "") {
  const std::size_t count = node.GetNumInputs();
  OutputSlot result = node.GetInput(0);
  for (std::size_t index = 1; index < count; ++index) {
    const std::string suffix = index + 1 == count ? last_suffix : "/" + std::to_string(index);
    result = AddBinary(node, operation, result, node.GetInput(index), suffix);
  }
  return result;
}

void ConvertVariadic(Node& node, BinaryOperation operation) {
  if (node.GetNumInputs() == 1) return node.ForwardInput(0);
  node.SetOutput(AddChain(node, operation));
}

}  // namespace

#define BACKPLANE_CONVERT(op, layer, operation) \
  void Convert##op(Node& node) {                \
    Convert<LayerType::layer>(node, operation); \
  }
BACKPLANE_CONVERT(Add, kElementwiseBinary, BinaryOperation::kAdd)
BACKPLANE_CONVERT(Sub, kElementwiseBinary, BinaryOperation::kSub)
BACKPLANE_CONVERT(Mul, kElementwiseBinary, BinaryOperation::kMul)
BACKPLANE_CONVERT(Div, kElementwiseBinary, BinaryOperation::kDiv)
BACKPLANE_CONVERT(And, kLogicalBinary, LogicalOperation::kAnd)
BACKPLANE_CONVERT(Or, kLogicalBinary, LogicalOperation::kOr)
BACKPLANE_CONVERT(Xor, kLogicalBinary, LogicalOperation::kXor)
BACKPLANE_CONVERT(BitwiseAnd, kBitwiseBinary, BitwiseOperation::kAnd)
BACKPLANE_CONVERT(BitwiseOr, kBitwiseBinary, BitwiseOperation::kOr)
BACKPLANE_CONVERT(BitwiseXor, kBitwiseBinary, BitwiseOperation::kXor)
BACKPLANE_CONVERT(BitShift, kBitwiseBinary, ReadShift(node))
BACKPLANE_CONVERT(Equal, kComparison, ComparisonOperation::kEqual)
BACKPLANE_CONVERT(Greater, kComparison, ComparisonOperation::kGreater)
BACKPLANE_CONVERT(GreaterOrEqual, kComparison, ComparisonOperation::kGreaterOrEqual)
BACKPLANE_CONVERT(Less, kComparison, ComparisonOperation::kLess)
BACKPLANE_CONVERT(LessOrEqual, kComparison, ComparisonOperation::kLessOrEqual)
#undef BACKPLANE_CONVERT

#define BACKPLANE_CONVERT(op, operation)               \
  void Convert##op(Node& node) {                       \
    ConvertVariadic(node, BinaryOperation::operation); \
  }
BACKPLANE_CONVERT(Max, kMaximum)
BACKPLANE_CONVERT(Min, kMinimum)
BACKPLANE_CONVERT(Sum, kAdd)
#undef BACKPLANE_CONVERT

void ConvertMean(Node& node) {
  const std::size_t count = node.GetNumInputs();
  if (count == 1) return node.ForwardInput(0);
  const OutputSlot sum = AddChain(node, BinaryOperation::kAdd, "/sum");
  const OutputSlot divisor =
      node.AddScalar(static_cast<double>(count), node.GetInputInfo(0).data_type, "/count");
  node.SetOutput(AddBinary(node, BinaryOperation::kDiv, sum, divisor, ""));
}

void ConvertMod(Node& node) {
  const bool is_remainder = node.GetAttributes().GetFlag("fmod");
  const DataType type = node.GetInputInfo(0).data_type;
  if (!is_remainder && IsFloat(type)) {
    node.RefuseAsInvalid(std::string("its inputs are ") + GetDataTypeName(type) +
                         " and fmod is 0; floating point needs fmod to be 1");
  }
  Convert<LayerType::kElementwiseBinary>(
      node, is_remainder ? BinaryOperation::kRemainder : BinaryOperation::kModulo);
}

void ConvertPow(Node& node) {
  const OutputSlot base = node.GetInput(0);
  const OutputSlot exponent = GetBroadcastInput(node);
  const DataType result = node.GetInfo(base).data_type;
  const DataType type = ChoosePowerType(result, node.GetInfo(exponent).data_type);
  const OutputSlot power =
      AddBinary(node, BinaryOperation::kPower, AddCast(node, base, type, "/base"),
                AddCast(node, exponent, type, "/exponent"), type == result ? "" : "/power");
  node.SetOutput(AddCast(node, power, result, ""));
}

void ConvertPRelu(Node& node) {
  const OutputSlot input = node.GetInput(0);
  OutputSlot slope = node.GetInput(1);
  if (IsSlopeOfChannels(node)) {
    TensorShape shape = node.GetInputShape(1);
    while (shape.rank + 1 < node.GetInputShape(0).rank) shape.Append(1);
    if (shape.rank > 1) slope = node.AddReshape(slope, shape, "/slope");
  }
  node.SetOutput(node.AddLayer<LayerType::kPrelu>({}, {input, slope}));
}

}  // namespace backplane::onnx
