#include "operators/broadcast.hpp"
#include "operators/operator_inputs.hpp"
#include "operators/operators.hpp"
#include "operators/scale_axis.hpp"
#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace {

// The shape that a descriptor states for the output.
// Errors: kInvalidDescriptor for a rank that is too high and for negative extents.
TensorShape GetWantedShape(const OperatorInputs& inputs, std::uint32_t rank,
                           const std::int64_t* dims) {
  if (rank > kMaxRank) {
    inputs.Fail(
        DiagnosticCode::kInvalidDescriptor, "the wanted rank is too high",
        "found rank " + std::to_string(rank) + "; expected at most " + std::to_string(kMaxRank),
        "join axes until the rank is at most " + std::to_string(kMaxRank));
  }
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < rank; ++axis) shape.Append(dims[axis]);
  const bool is_complete =
      std::all_of(dims, dims + rank, [](std::int64_t extent) { return extent >= 0; });
  if (!is_complete) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the wanted shape is not complete",
                "found " + DescribeShape(shape) + "; expected every extent to be 0 or more",
                "give every extent its value");
  }
  return shape;
}

bool IsPrintable(char character) {
  return character > ' ' && character <= '~';
}

void CheckName(const OperatorInputs& inputs, const StandInDescriptor& descriptor) {
  const char* end = std::find(descriptor.name, descriptor.name + kMaxStandInName, '\0');
  const bool is_ended = end != descriptor.name + kMaxStandInName;
  if (is_ended && end != descriptor.name && std::all_of(descriptor.name, end, IsPrintable)) return;
  std::string found(descriptor.name, end);
  std::replace_if(
      found.begin(), found.end(), [](char c) { return !IsPrintable(c); }, '?');
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "it has no name that can be shown",
              "found \"" + found + (is_ended ? "\"" : "\" without a 0 behind it") +
                  "; expected 1 to " + std::to_string(kMaxStandInName - 1) +
                  " printable ASCII characters without spaces, and a 0",
              "set name to the name of the operator");
}

void CheckNumOutputs(const OperatorInputs& inputs, std::uint32_t num_outputs) {
  if (num_outputs >= 1 && num_outputs <= kMaxStandInOutputs) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the number of outputs is not possible",
              "found " + std::to_string(num_outputs) + "; expected 1 to " +
                  std::to_string(kMaxStandInOutputs),
              "correct num_outputs");
}

}  // namespace

OperatorTypes GetTypesOfExpand(const ExpandDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferExpand(const OperatorInputs& inputs,
                                    const ExpandDescriptor& descriptor) {
  const TensorShape& shape = inputs[0].shape;
  TensorInfo output(GetWantedShape(inputs, descriptor.rank, descriptor.dims), inputs[0].data_type);
  const auto broadcast = BroadcastShapes(shape, output.shape);
  if (!broadcast || *broadcast != output.shape) {
    inputs.Fail(DiagnosticCode::kWrongShape, "its input does not broadcast to the wanted shape",
                "found " + DescribeTensor(inputs[0]) + " to be expanded to " +
                    DescribeShape(output.shape) +
                    "; expected extents that are equal to those wanted, or 1, or missing, counted "
                    "from the innermost axis",
                "correct the wanted shape, or reshape the input");
  }
  // An axis with scales has more than one element, and keeps them.
  MoveScales(inputs, 0, output, [&](std::uint32_t axis) {
    return std::optional<std::uint32_t>(axis + output.shape.rank - shape.rank);
  });
  return {output};
}

OperatorTypes GetTypesOfReshape(const ReshapeDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferReshape(const OperatorInputs& inputs,
                                     const ReshapeDescriptor& descriptor) {
  const TensorShape wanted = GetWantedShape(inputs, descriptor.rank, descriptor.dims);
  if (inputs[0].quantization.IsPerAxis()) {
    inputs.Fail(DiagnosticCode::kWrongDataType, "the input is quantized along an axis",
                "found " + DescribeTensor(inputs[0]) + " with " +
                    std::to_string(inputs[0].quantization.scales.size()) +
                    " scales; expected one scale for the whole tensor",
                "requantize the tensor with one scale");
  }
  TensorInfo output = inputs[0];
  output.shape = wanted;
  const auto wanted_size = ComputeSizeBytes(output.shape, output.data_type);
  if (!wanted_size || *wanted_size != *ComputeSizeBytes(inputs[0].shape, output.data_type)) {
    inputs.Fail(DiagnosticCode::kWrongShape, "the number of elements changes",
                "found " + DescribeTensor(inputs[0]) + " to be reshaped to " +
                    DescribeShape(output.shape) + "; expected " +
                    std::to_string(inputs[0].shape.GetNumElements()) + " elements",
                "correct the wanted shape");
  }
  return {output};
}

OperatorTypes GetTypesOfFill(const FillDescriptor& /*descriptor*/) {
  return {kStoredTypes, QuantizedTensors::kMoved};
}

std::vector<TensorInfo> InferFill(const OperatorInputs& inputs, const FillDescriptor& descriptor) {
  inputs.RequireRank(0, "the value", 0, "a scalar");
  TensorInfo output = inputs[0];
  output.shape = GetWantedShape(inputs, descriptor.rank, descriptor.dims);
  return {output};
}

// Nothing is known of what the operator does: each tensor may have a type of its own.
OperatorTypes GetTypesOfStandIn(const StandInDescriptor& descriptor) {
  OperatorTypes types = {kStoredTypes, QuantizedTensors::kRefused};
  for (std::uint32_t input = 0; input < kMaxStandInInputs; ++input) {
    types.own_inputs.push_back({input, kStoredTypes});
  }
  const std::uint32_t num_outputs = std::min(descriptor.num_outputs, kMaxStandInOutputs);
  for (std::uint32_t output = 0; output < num_outputs; ++output) {
    types.own_outputs.push_back({output, OutputRule::kFixed, descriptor.data_types[output]});
  }
  return types;
}

std::vector<TensorInfo> InferStandIn(const OperatorInputs& inputs,
                                     const StandInDescriptor& descriptor) {
  CheckName(inputs, descriptor);
  CheckNumOutputs(inputs, descriptor.num_outputs);
  std::vector<TensorInfo> outputs;
  for (std::uint32_t output = 0; output < descriptor.num_outputs; ++output) {
    outputs.emplace_back(GetWantedShape(inputs, descriptor.ranks[output], descriptor.dims[output]),
                         descriptor.data_types[output]);
  }
  return outputs;
}

}  // namespace backplane
