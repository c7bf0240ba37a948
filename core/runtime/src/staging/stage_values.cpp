#include "staging/stage_values.hpp"

#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstring>
#include <utility>

namespace backplane::staging {
namespace {

void RequireScalar(const IStageOperation& operation, const char* what, const StageValue& value,
                   DataType type) {
  const bool is_tensor = value.kind == StageValue::Kind::kTensor;
  if (is_tensor && value.info.data_type == type && value.info.shape.GetNumElements() == 1) return;
  ThrowStageError(operation, std::string("found as ") + what + " " +
                                 (is_tensor ? DescribeTensor(value.info) : "no tensor") +
                                 "; expected one " + GetDataTypeName(type));
}

template <typename Element>
StageValue MakeScalarOf(Element element, DataType type, IStageRunner& runner) {
  const std::shared_ptr<void> data = runner.Allocate(sizeof(element));
  std::memcpy(data.get(), &element, sizeof(element));
  return MakeStageTensor(TensorInfo(TensorShape(), type), data);
}

}  // namespace

void ThrowStageError(const IStageOperation& operation, const std::string& why) {
  Diagnostic diagnostic{DiagnosticCode::kStageFailed};
  diagnostic.subject = {SubjectKind::kLayer, operation.GetDescription()};
  diagnostic.what = operation.GetDescription() + " cannot be run";
  diagnostic.why = why;
  diagnostic.fix = "correct the model, or give other data";
  throw DiagnosticException(std::move(diagnostic));
}

void RequireCount(const IStageOperation& operation, const char* what, std::size_t found,
                  std::size_t least) {
  if (found >= least) return;
  ThrowStageError(operation, "found " + std::to_string(found) + " " + what +
                                 "; expected at least " + std::to_string(least));
}

bool ReadBool(const IStageOperation& operation, const char* what, const StageValue& value) {
  RequireScalar(operation, what, value, DataType::kBool);
  return *static_cast<const unsigned char*>(value.data.get()) != 0;
}

std::int64_t ReadInt(const IStageOperation& operation, const char* what, const StageValue& value) {
  RequireScalar(operation, what, value, DataType::kInt64);
  std::int64_t number = 0;
  std::memcpy(&number, value.data.get(), sizeof(number));
  return number;
}

StageValue MakeScalar(std::int64_t number, IStageRunner& runner) {
  return MakeScalarOf(number, DataType::kInt64, runner);
}

StageValue MakeScalar(bool truth, IStageRunner& runner) {
  return MakeScalarOf(static_cast<unsigned char>(truth ? 1 : 0), DataType::kBool, runner);
}

StageValue TakeIndex(const StageValue& tensor, std::uint32_t axis, std::int64_t index,
                     IStageRunner& runner) {
  const TensorShape& shape = tensor.info.shape;
  TensorInfo info = tensor.info;
  info.shape = TensorShape();
  std::uint64_t num_outer = 1;
  std::uint64_t inner_bytes = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    if (i < axis) num_outer *= static_cast<std::uint64_t>(shape[i]);
    if (i > axis) inner_bytes *= static_cast<std::uint64_t>(shape[i]);
    if (i != axis) info.shape.Append(shape[i]);
  }
  const auto extent = static_cast<std::uint64_t>(shape[axis]);
  const auto* const from = static_cast<const unsigned char*>(tensor.data.get()) +
                           static_cast<std::uint64_t>(index) * inner_bytes;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(from) % kTensorAlignmentBytes == 0;
  if (num_outer == 1 && is_aligned) return MakeStageTensor(info, {tensor.data, from});
  const std::shared_ptr<void> data = runner.Allocate(num_outer * inner_bytes);
  auto* const to = static_cast<unsigned char*>(data.get());
  for (std::uint64_t outer = 0; outer < num_outer && inner_bytes != 0; ++outer) {
    std::memcpy(to + outer * inner_bytes, from + outer * extent * inner_bytes, inner_bytes);
  }
  return MakeStageTensor(info, data);
}

}  // namespace backplane::staging
