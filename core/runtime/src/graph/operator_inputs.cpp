#include "graph/operator_inputs.hpp"

#include "tensors/tensor_text.hpp"

#include <cmath>

namespace backplane {

namespace {

std::string NameInput(std::size_t input) {
  return "input " + std::to_string(input);
}

}  // namespace

void OperatorInputs::RequireRank(std::size_t input, const char* role, std::uint32_t rank,
                                 const char* layout) const {
  const TensorInfo& info = *infos_[input];
  if (info.shape.rank == rank) return;
  Fail(DiagnosticCode::kWrongRank,
       std::string(role) + " has rank " + std::to_string(info.shape.rank),
       "found " + DescribeTensor(info) + " as " + NameInput(input) + "; expected rank " +
           std::to_string(rank) + ", " + layout,
       "reshape the tensor to rank " + std::to_string(rank) + ", or correct the descriptor");
}

void OperatorInputs::RequireRankAtLeast(std::size_t input, const char* role,
                                        std::uint32_t rank) const {
  const TensorInfo& info = *infos_[input];
  if (info.shape.rank >= rank) return;
  Fail(DiagnosticCode::kWrongRank,
       std::string(role) + " has rank " + std::to_string(info.shape.rank),
       "found " + DescribeTensor(info) + " as " + NameInput(input) + "; expected rank " +
           std::to_string(rank) + " or more",
       "reshape the tensor");
}

void OperatorInputs::RequireExtent(std::size_t input, const char* role, std::uint32_t axis,
                                   std::int64_t expected, const std::string& meaning) const {
  const TensorInfo& info = *infos_[input];
  if (info.shape[axis] == expected) return;
  Fail(DiagnosticCode::kWrongShape, std::string(role) + " does not fit",
       "found extent " + std::to_string(info.shape[axis]) + " at axis " + std::to_string(axis) +
           " of " + DescribeTensor(info) + " as " + NameInput(input) + "; expected " +
           std::to_string(expected) + ", " + meaning,
       "correct the shape of " + NameInput(input) + ", or the descriptor");
}

void OperatorInputs::RequireDataTypeOf(std::size_t reference, std::size_t input) const {
  const DataType expected = infos_[reference]->data_type;
  if (infos_[input]->data_type == expected) return;
  Fail(DiagnosticCode::kWrongDataType, "its inputs have different data types",
       "found " + DescribeTensor(*infos_[input]) + " as " + NameInput(input) + "; expected " +
           GetDataTypeName(expected) + ", the type of " + NameInput(reference),
       "convert one of the tensors");
}

void OperatorInputs::RequireGroupsOfChannels(const char* field, std::uint32_t groups) const {
  const TensorInfo& info = *infos_[0];
  if (info.shape[1] % groups == 0) return;
  Fail(DiagnosticCode::kWrongShape, "the groups do not divide the channels of the input",
       "found " + std::to_string(info.shape[1]) + " channels in " + DescribeTensor(info) + " and " +
           std::to_string(groups) + " groups; expected a multiple of " + std::to_string(groups) +
           " channels",
       std::string("correct ") + field + " or the shape of the input");
}

void OperatorInputs::RequireAxis(std::uint32_t axis) const {
  const TensorInfo& info = *infos_[0];
  if (axis < info.shape.rank) return;
  Fail(DiagnosticCode::kInvalidDescriptor, "the axis does not exist",
       "found axis " + std::to_string(axis) + "; expected less than " +
           std::to_string(info.shape.rank) + ", the rank of input 0, " + DescribeTensor(info),
       "count the axis from the outermost, which is 0");
}

void OperatorInputs::RequireFlag(const char* field, std::uint32_t value) const {
  if (value <= 1) return;
  Fail(DiagnosticCode::kInvalidDescriptor, std::string(field) + " is out of range",
       "found " + std::to_string(value) + "; expected 0 or 1",
       std::string("set ") + field + " to 0 or 1");
}

void OperatorInputs::RequireFinite(const std::string& field, double value) const {
  if (std::isfinite(value)) return;
  Fail(DiagnosticCode::kInvalidDescriptor, field + " is not finite",
       "found " + std::to_string(value) + "; expected a finite number",
       "set " + field + " to a finite number");
}

void OperatorInputs::RequirePositive(const std::string& field, std::int64_t value) const {
  if (value > 0) return;
  Fail(DiagnosticCode::kInvalidDescriptor, field + " is out of range",
       "found " + std::to_string(value) + "; expected 1 or more", "set " + field + " to 1 or more");
}

void OperatorInputs::RequireDataType(const char* field, DataType value, TypeSet accepted) const {
  if (accepted.Has(value)) return;
  Fail(DiagnosticCode::kInvalidDescriptor,
       std::string("the data type ") + field + " is not possible",
       std::string("found ") + GetDataTypeName(value) + " (" +
           std::to_string(static_cast<std::uint32_t>(value)) + "); expected " +
           DescribeTypes(accepted),
       std::string("set ") + field + " to one of these");
}

}  // namespace backplane
