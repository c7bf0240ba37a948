#include "staging/collected.hpp"

#include "staging/stage_values.hpp"
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

StageValue Collected::Finish(const TensorInfo& stated, std::int64_t axis, bool is_reversed,
                             IStageRunner& runner) const {
  TensorInfo info = count_ != 0 ? info_ : stated;
  const TensorShape each = info.shape;
  const auto rank = static_cast<std::int64_t>(each.rank) + 1;
  const std::int64_t place = axis < 0 ? axis + rank : axis;
  info.shape = TensorShape();
  std::uint64_t num_outer = 1;
  std::uint64_t inner_bytes = GetDataTypeSizeBytes(info.data_type);
  for (std::int64_t i = 0; i < rank; ++i) {
    if (i == place) {
      info.shape.Append(count_);
      continue;
    }
    const std::int64_t extent = std::max<std::int64_t>(
        0, each[static_cast<std::uint32_t>(i > place ? i - 1 : i)]);  // an open one is 0
    info.shape.Append(extent);
    (i < place ? num_outer : inner_bytes) *= static_cast<std::uint64_t>(extent);
  }
  if (place == 0 && !is_reversed) return MakeStageTensor(info, data_);
  const auto count = static_cast<std::uint64_t>(count_);
  const std::shared_ptr<void> data = runner.Allocate(info.GetSizeBytes());
  for (std::uint64_t round = 0; round < count && inner_bytes != 0; ++round) {
    const std::uint64_t index = is_reversed ? count - 1 - round : round;
    for (std::uint64_t outer = 0; outer < num_outer; ++outer) {
      std::memcpy(static_cast<unsigned char*>(data.get()) + (outer * count + index) * inner_bytes,
                  static_cast<const unsigned char*>(data_.get()) +
                      (round * num_outer + outer) * inner_bytes,
                  inner_bytes);
    }
  }
  return MakeStageTensor(info, data);
}

}  // namespace backplane::staging
