#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/einsum_equation.hpp>

namespace backplane {

namespace {

std::string Quote(const EinsumDescriptor& descriptor) {
  const char* const begin = descriptor.equation;
  return '"' + std::string(begin, std::find(begin, begin + kMaxEinsumEquation, '\0')) + '"';
}

std::string DescribeInputs(const OperatorInputs& inputs) {
  std::string text;
  for (std::size_t i = 0; i < inputs.Size(); ++i) {
    text += (i == 0 ? "" : ", ") + DescribeShape(inputs[i].shape);
  }
  return text;
}

EinsumLabels ParseLabels(const OperatorInputs& inputs, const EinsumDescriptor& descriptor) {
  std::vector<std::uint32_t> ranks;
  for (std::size_t i = 0; i < inputs.Size(); ++i) ranks.push_back(inputs[i].shape.rank);
  EinsumParser parser;
  const char* problem =
      parser.Parse(descriptor, ranks.data(), static_cast<std::uint32_t>(ranks.size()));
  if (problem != nullptr) {
    inputs.Fail(DiagnosticCode::kInvalidDescriptor, std::string("the equation ") + problem,
                "found " + Quote(descriptor) + " for the shapes " + DescribeInputs(inputs) +
                    "; expected terms as in \"bij,bjk->bik\", one for each operand, with a letter "
                    "for each axis or ... for several",
                "correct the equation");
  }
  return parser.GetLabels();
}

// 1 until an operand says more.
void TakeExtents(const OperatorInputs& inputs, std::size_t input,
                 const EinsumDescriptor& descriptor, const std::uint8_t* labels,
                 std::vector<std::int64_t>& extents) {
  const TensorShape& shape = inputs[input].shape;
  constexpr std::int64_t kNone = -1;
  std::vector<std::int64_t> of_operand(extents.size(), kNone);
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    const std::uint8_t label = labels[axis];
    const bool is_diagonal = of_operand[label] == kNone || of_operand[label] == shape[axis];
    if (!is_diagonal ||
        (shape[axis] != 1 && extents[label] != 1 && extents[label] != shape[axis])) {
      const std::int64_t expected = is_diagonal ? extents[label] : of_operand[label];
      inputs.Fail(DiagnosticCode::kWrongShape, "axes that have one letter have different extents",
                  "found extent " + std::to_string(shape[axis]) + " at axis " +
                      std::to_string(axis) + " of input " + std::to_string(input) + " in " +
                      Quote(descriptor) + " for the shapes " + DescribeInputs(inputs) +
                      "; expected " + std::to_string(expected) +
                      (is_diagonal ? ", as the other axes with that letter have, or 1"
                                   : ", as the other axis with that letter has"),
                  "correct the equation or the shapes");
    }
    of_operand[label] = shape[axis];
    if (shape[axis] != 1) extents[label] = shape[axis];
  }
}

}  // namespace

std::vector<TensorInfo> InferEinsum(const OperatorInputs& inputs,
                                    const EinsumDescriptor& descriptor) {
  const EinsumLabels labels = ParseLabels(inputs, descriptor);
  std::vector<std::int64_t> extents(labels.num_labels, 1);
  for (std::size_t i = 0; i < inputs.Size(); ++i) {
    TakeExtents(inputs, i, descriptor, labels.operands[i], extents);
  }
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < labels.output_rank; ++axis) shape.Append(extents[axis]);
  return {TensorInfo(shape, inputs[0].data_type)};
}

}  // namespace backplane
