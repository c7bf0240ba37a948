#include "stages/joined_tensors.hpp"

#include <cstring>
#include <memory>

namespace backplane::onnx {
namespace {

/// A tensor as rows along an axis: an index of the axes before has one.
struct Rows {
  Rows(const TensorInfo& info, std::uint32_t axis) {
    index_bytes = GetDataTypeSizeBytes(info.data_type);
    for (std::uint32_t i = 0; i < info.shape.rank; ++i) {
      if (i < axis) count *= static_cast<std::uint64_t>(info.shape[i]);
      if (i > axis) index_bytes *= static_cast<std::uint64_t>(info.shape[i]);
    }
    row_bytes = index_bytes * static_cast<std::uint64_t>(info.shape[axis]);
  }

  std::uint64_t count = 1;
  std::uint64_t index_bytes = 0;  // of one index of the axis, in a row
  std::uint64_t row_bytes = 0;
};

void CopyRows(const unsigned char* from, std::uint64_t from_step, unsigned char* to,
              std::uint64_t to_step, std::uint64_t count, std::uint64_t size_bytes) {
  if (size_bytes == 0) return;
  for (std::uint64_t row = 0; row < count; ++row) {
    std::memcpy(to + row * to_step, from + row * from_step, size_bytes);
  }
}

const unsigned char* GetBytes(const StageValue& value) {
  return static_cast<const unsigned char*>(value.data.get());
}

}  // namespace

TensorShape WithoutAxis(const TensorShape& shape, std::uint32_t axis) {
  TensorShape result;
  for (std::uint32_t i = 0; i < shape.rank; ++i) {
    if (i != axis) result.Append(shape[i]);
  }
  return result;
}

TensorShape WithAxis(const TensorShape& shape, std::uint32_t axis) {
  TensorShape result;
  for (std::uint32_t i = 0; i <= shape.rank; ++i) {
    if (i == axis) result.Append(1);
    if (i < shape.rank) result.Append(shape[i]);
  }
  return result;
}

bool CanBeJoined(const TensorInfo& a, const TensorInfo& b, std::uint32_t axis) {
  if (a.data_type != b.data_type || a.shape.rank != b.shape.rank) return false;
  for (std::uint32_t i = 0; i < a.shape.rank; ++i) {
    if (i != axis && a.shape[i] != b.shape[i]) return false;
  }
  return true;
}

StageValue JoinTensors(const std::vector<StageValue>& tensors, std::uint32_t axis,
                       IStageRunner& runner) {
  StageValue result = tensors[0];
  result.info.shape[axis] = 0;
  for (const StageValue& tensor : tensors) result.info.shape[axis] += tensor.info.shape[axis];
  const std::shared_ptr<void> data = runner.Allocate(result.info.GetSizeBytes());
  const Rows rows(result.info, axis);
  auto* to = static_cast<unsigned char*>(data.get());
  for (const StageValue& tensor : tensors) {
    const Rows own(tensor.info, axis);
    CopyRows(GetBytes(tensor), own.row_bytes, to, rows.row_bytes, rows.count, own.row_bytes);
    to += own.row_bytes;
  }
  result.data = data;
  return result;
}

StageValue TakePart(const StageValue& tensor, std::uint32_t axis, std::int64_t begin,
                    std::int64_t count, IStageRunner& runner) {
  StageValue result = tensor;
  result.info.shape[axis] = count;
  const std::shared_ptr<void> data = runner.Allocate(result.info.GetSizeBytes());
  const Rows rows(tensor.info, axis);
  const Rows own(result.info, axis);
  CopyRows(GetBytes(tensor) + static_cast<std::uint64_t>(begin) * rows.index_bytes, rows.row_bytes,
           static_cast<unsigned char*>(data.get()), own.row_bytes, rows.count, own.row_bytes);
  result.data = data;
  return result;
}

}  // namespace backplane::onnx
