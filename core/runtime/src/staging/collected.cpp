#include "staging/collected.hpp"

#include "staging/stage_values.hpp"
#include "tensors/copy_tensor.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <cstring>

namespace backplane::staging {

void Collected::Add(const IStageOperation& operation, const StageValue& value,
                    IStageRunner& runner) {
  if (value.kind != StageValue::Kind::kTensor) {
    ThrowStageError(operation, "found no tensor to collect; expected one in each round");
  }
  if (count_ == 0) info_ = value.info;
  if (value.info != info_) {
    ThrowStageError(operation, "found " + DescribeTensor(value.info) + " to collect in round " +
                                   std::to_string(count_) + "; expected " + DescribeTensor(info_) +
                                   " as before");
  }
  if (count_ == room_) Grow(runner);
  const std::uint64_t size_bytes = info_.GetSizeBytes();
  if (size_bytes != 0) {
    std::memcpy(
        static_cast<unsigned char*>(data_.get()) + static_cast<std::uint64_t>(count_) * size_bytes,
        value.data.get(), size_bytes);
  }
  ++count_;
}

void Collected::Grow(IStageRunner& runner) {
  constexpr std::int64_t kFirstRoom = 4;
  room_ = std::max(kFirstRoom, 2 * room_);
  const std::uint64_t size_bytes = info_.GetSizeBytes();
  const std::shared_ptr<void> data =
      runner.Allocate(static_cast<std::uint64_t>(room_) * size_bytes);
  if (count_ != 0 && size_bytes != 0) {
    std::memcpy(data.get(), data_.get(), static_cast<std::uint64_t>(count_) * size_bytes);
  }
  data_ = data;
}

StageValue Collected::Finish(const IStageOperation& operation, const TensorInfo& stated,
                             std::int64_t axis, bool is_reversed, IStageRunner& runner) const {
  TensorInfo info = count_ != 0 ? info_ : stated;
  for (std::uint32_t i = 0; i < info.shape.rank; ++i) {
    info.shape[i] = std::max<std::int64_t>(info.shape[i], 0);  // an open one is 0
  }
  const std::uint32_t rank = info.shape.rank + 1;
  if (rank > kMaxRank) {
    ThrowStageError(operation, "found " + DescribeTensor(info) +
                                   " to collect, with one axis more; expected a rank of at most " +
                                   std::to_string(kMaxRank));
  }
  const std::int64_t place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank) {
    ThrowStageError(operation, "found axis " + std::to_string(axis) + " to collect " +
                                   DescribeTensor(info) + " along; expected -" +
                                   std::to_string(rank) + " to " + std::to_string(rank - 1));
  }
  const TensorShape each = info.shape;
  info.shape = {count_};
  for (std::uint32_t i = 0; i < each.rank; ++i) info.shape.Append(each[i]);
  const MemoryView from = MakeStageView(info, data_.get());
  std::rotate(info.shape.dims, info.shape.dims + 1, info.shape.dims + place + 1);
  if (place == 0 && !is_reversed) return MakeStageTensor(info, data_);
  const std::shared_ptr<void> data = runner.Allocate(info.GetSizeBytes());
  MemoryView to = MakeStageView(info, data.get());
  std::rotate(to.dims, to.dims + place, to.dims + place + 1);
  std::rotate(to.strides_bytes, to.strides_bytes + place, to.strides_bytes + place + 1);
  if (is_reversed && count_ != 0) {
    to.data = static_cast<unsigned char*>(to.data) + (count_ - 1) * to.strides_bytes[0];
    to.strides_bytes[0] = -to.strides_bytes[0];
  }
  CopyTensor(from, to);
  return MakeStageTensor(info, data);
}

}  // namespace backplane::staging
