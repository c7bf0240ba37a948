#include "loading/stage_values.hpp"

#include "tensors/copy_tensor.hpp"
#include "tensors/dense_layout.hpp"
#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstring>
#include <utility>

namespace backplane {

StageValue TakeStagePart(const StageValue& tensor, std::uint32_t axis, std::int64_t begin,
                         std::int64_t count, IStageRunner& runner) {
  TensorInfo info = tensor.info;
  info.shape[axis] = count;
  if (info.shape.GetNumElements() == 0) return MakeStageTensor(info, nullptr);
  MemoryView part = loading::MakeStageView(tensor.info, tensor.data.get());
  part.dims[axis] = count;
  part.data = static_cast<unsigned char*>(part.data) + begin * part.strides_bytes[axis];
  const auto address = reinterpret_cast<std::uintptr_t>(part.data);
  if (IsDense(part) && address % kTensorAlignmentBytes == 0) {
    return MakeStageTensor(info, {tensor.data, part.data});
  }
  const std::shared_ptr<void> data = runner.Allocate(info.GetSizeBytes());
  CopyTensor(part, loading::MakeStageView(info, data.get()));
  return MakeStageTensor(info, data);
}

StageValue JoinStageTensors(const std::vector<StageValue>& tensors, std::uint32_t axis,
                            IStageRunner& runner) {
  TensorInfo info = tensors[0].info;
  info.shape[axis] = 0;
  for (const StageValue& tensor : tensors) info.shape[axis] += tensor.info.shape[axis];
  const std::shared_ptr<void> data = runner.Allocate(info.GetSizeBytes());
  MemoryView part = loading::MakeStageView(info, data.get());
  for (const StageValue& tensor : tensors) {
    part.dims[axis] = tensor.info.shape[axis];
    CopyTensor(loading::MakeStageView(tensor.info, tensor.data.get()), part);
    part.data = static_cast<unsigned char*>(part.data) + part.dims[axis] * part.strides_bytes[axis];
  }
  return MakeStageTensor(info, data);
}

namespace loading {
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
StageValue MakeOneOf(Element element, const TensorInfo& info, IStageRunner& runner) {
  const std::shared_ptr<void> data = runner.Allocate(sizeof(element));
  std::memcpy(data.get(), &element, sizeof(element));
  return MakeStageTensor(info, data);
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

StageValue MakeOne(std::int64_t number, const TensorShape& shape, IStageRunner& runner) {
  return MakeOneOf(number, {shape, DataType::kInt64}, runner);
}

StageValue MakeOne(bool truth, const TensorShape& shape, IStageRunner& runner) {
  return MakeOneOf(static_cast<unsigned char>(truth ? 1 : 0), {shape, DataType::kBool}, runner);
}

MemoryView MakeStageView(const TensorInfo& info, const void* data) {
  MemoryView view = MakeDenseView(info);
  view.data = const_cast<void*>(data);  // where it is copied from, it is only read
  return view;
}

StageValue TakeIndex(const StageValue& tensor, std::uint32_t axis, std::int64_t index,
                     IStageRunner& runner) {
  StageValue part = TakeStagePart(tensor, axis, index, 1, runner);
  part.info.shape = TensorShape();
  for (std::uint32_t i = 0; i < tensor.info.shape.rank; ++i) {
    if (i != axis) part.info.shape.Append(tensor.info.shape[i]);
  }
  return part;
}

}  // namespace loading
}  // namespace backplane
