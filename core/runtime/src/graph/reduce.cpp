#include "graph/axis_set.hpp"
#include "graph/operators.hpp"

namespace backplane {

namespace {

// Their results lie in the range of what they reduce.
bool StaysInRange(ReduceOperation operation) {
  return operation == ReduceOperation::kMean || operation == ReduceOperation::kMaximum ||
         operation == ReduceOperation::kMinimum;
}

// Roots and logarithms of integers are no integers.
bool NeedsFloats(ReduceOperation operation) {
  return operation == ReduceOperation::kL2 || operation == ReduceOperation::kLogSum ||
         operation == ReduceOperation::kLogSumExp;
}

void RequireKnownOperation(const OperatorInputs& inputs, ReduceOperation operation) {
  if (operation >= ReduceOperation::kSum && operation <= ReduceOperation::kSumSquare) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "operation is not known",
              "found number " + std::to_string(static_cast<std::uint32_t>(operation)) +
                  "; expected Sum (1) to SumSquare (10)",
              "set operation to one of ReduceOperation");
}

// The axis of the scales may be another one among those that are left.
void MoveScaleAxis(const ReduceDescriptor& descriptor, const AxisSet& is_reduced,
                   QuantizationInfo& quantization) {
  if (!quantization.IsPerAxis() || descriptor.keep_dims != 0) return;
  const std::int32_t axis = quantization.axis;
  for (std::int32_t i = 0; i < axis; ++i) {
    if (is_reduced[static_cast<std::size_t>(i)]) --quantization.axis;
  }
}

}  // namespace

OperatorTypes GetTypesOfReduce(const ReduceDescriptor& descriptor) {
  return {NeedsFloats(descriptor.operation) ? kFloatTypes : kNumberTypes,
          StaysInRange(descriptor.operation) ? QuantizedTensors::kInRange
                                             : QuantizedTensors::kRequantized};
}

std::vector<TensorInfo> InferReduce(const OperatorInputs& inputs,
                                    const ReduceDescriptor& descriptor) {
  RequireKnownOperation(inputs, descriptor.operation);
  inputs.RequireFlag("keep_dims", descriptor.keep_dims);
  const AxisSet is_reduced = ReadAxes(inputs, descriptor.num_axes, descriptor.axes);
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < inputs[0].shape.rank; ++axis) {
    if (!is_reduced[axis]) {
      shape.Append(inputs[0].shape[axis]);
    } else if (descriptor.keep_dims != 0) {
      shape.Append(1);
    }
  }
  TensorInfo output = inputs[0];
  output.shape = shape;
  MoveScaleAxis(descriptor, is_reduced, output.quantization);
  return {output};
}

}  // namespace backplane
