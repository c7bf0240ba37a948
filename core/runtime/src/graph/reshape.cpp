#include "graph/broadcast.hpp"
#include "graph/operator_inputs.hpp"
#include "graph/operators.hpp"
#include "graph/scale_axis.hpp"
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

void CheckName(const OperatorInputs& inputs, const char* what, const char* name) {
  const std::string found = name != nullptr ? name : "";
  if (!found.empty() && std::all_of(found.begin(), found.end(), IsPrintable)) return;
  std::string shown = found;
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return !IsPrintable(c); }, '?');
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, std::string("its ") + what + " cannot be shown",
              "found \"" + shown + "\"; expected printable ASCII characters without spaces",
              std::string("set the ") + what + " to that of the operator");
}

void CheckNumOutputs(const OperatorInputs& inputs, std::uint32_t num_outputs) {
  if (num_outputs >= 1 && num_outputs <= kMaxCustomOutputs) return;
  inputs.Fail(DiagnosticCode::kInvalidDescriptor, "the number of outputs is not possible",
              "found " + std::to_string(num_outputs) + "; expected 1 to " +
                  std::to_string(kMaxCustomOutputs),
              "state what the outputs are");
}

}  // namespace

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

std::vector<TensorInfo> InferFill(const OperatorInputs& inputs, const FillDescriptor& descriptor) {
  inputs.RequireRank(0, "the value", 0, "a scalar");
  TensorInfo output = inputs[0];
  output.shape = GetWantedShape(inputs, descriptor.rank, descriptor.dims);
  return {output};
}

// Nothing is known of what the operator does: each tensor may have a type of its own.
OperatorTypes GetTypesOfCustom(const CustomDescriptor& descriptor) {
  OperatorTypes types = {kStoredTypes, QuantizedTensors::kRefused};
  for (std::uint32_t input = 0; input < kMaxCustomInputs; ++input) {
    types.own_inputs.push_back({input, kStoredTypes});
  }
  const std::uint32_t num_outputs = std::min(descriptor.num_outputs, kMaxCustomOutputs);
  for (std::uint32_t output = 0; output < num_outputs; ++output) {
    types.own_outputs.push_back({output, OutputRule::kFixed, descriptor.outputs[output].data_type});
  }
  return types;
}

// The backend that runs it infers them again.
std::vector<TensorInfo> InferCustom(const OperatorInputs& inputs,
                                    const CustomDescriptor& descriptor) {
  CheckName(inputs, "domain", descriptor.domain);
  CheckName(inputs, "type", descriptor.type);
  CheckNumOutputs(inputs, descriptor.num_outputs);
  return {descriptor.outputs, descriptor.outputs + descriptor.num_outputs};
}

}  // namespace backplane
