#include "cpu_layers/element_fill.hpp"

#include <algorithm>
#include <cstring>

namespace backplane {
namespace cpu_layers {
namespace {

template <typename Element>
void Fill(void* to, std::int64_t count, const void* element) {
  Element value;
  std::memcpy(&value, element, sizeof(value));
  std::fill_n(static_cast<Element*>(to), count, value);
}

/// The first bytes of what is returned are the element.
std::uint64_t StoreInteger(std::int64_t value, std::size_t element_bytes) {
  std::uint64_t element = 0;
  const auto byte = static_cast<std::uint8_t>(value);
  const auto half = static_cast<std::uint16_t>(value);
  const auto word = static_cast<std::uint32_t>(value);
  if (element_bytes == sizeof(byte)) std::memcpy(&element, &byte, sizeof(byte));
  if (element_bytes == sizeof(half)) std::memcpy(&element, &half, sizeof(half));
  if (element_bytes == sizeof(word)) std::memcpy(&element, &word, sizeof(word));
  return element;
}

}  // namespace

void FillElements(void* to, std::int64_t count, const void* element, std::size_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return Fill<std::uint8_t>(to, count, element);
    case 2:
      return Fill<std::uint16_t>(to, count, element);
    case 4:
      return Fill<std::uint32_t>(to, count, element);
    default:
      return Fill<std::uint64_t>(to, count, element);
  }
}

ZeroElements::ZeroElements(const TensorInfo& info)
    : element_bytes_(GetDataTypeSizeBytes(info.data_type)),
      run_elements_(std::max<std::int64_t>(info.shape.GetNumElements(), 1)) {
  for (const std::int32_t zero_point : info.quantization.zero_points) {
    zeros_.push_back(StoreInteger(zero_point, element_bytes_));
  }
  if (zeros_.empty()) zeros_.push_back(0);
  if (zeros_.size() == 1) return;
  run_elements_ = 1;
  for (auto axis = static_cast<std::uint32_t>(info.quantization.axis) + 1; axis < info.shape.rank;
       ++axis) {
    run_elements_ *= info.shape[axis];
  }
}

void ZeroElements::Fill(void* tensor, std::int64_t first, std::int64_t count) const {
  auto* to = static_cast<unsigned char*>(tensor);
  const auto num_zeros = static_cast<std::int64_t>(zeros_.size());
  while (count > 0) {
    const std::int64_t run = first / run_elements_;
    const std::int64_t filled = std::min(count, (run + 1) * run_elements_ - first);
    FillElements(to + static_cast<std::size_t>(first) * element_bytes_, filled,
                 &zeros_[static_cast<std::size_t>(run % num_zeros)], element_bytes_);
    first += filled;
    count -= filled;
  }
}

void RequireZeros(const TensorInfo& info, Refusal& refusal) {
  const QuantizationInfo& quantization = info.quantization;
  const std::size_t count = quantization.zero_points.size();
  if (count == 0 || (count == 1 && quantization.scales.size() == 1)) return;
  const auto axis = static_cast<std::uint32_t>(quantization.axis);
  if (axis < info.shape.rank && info.shape[axis] == static_cast<std::int64_t>(count)) return;
  refusal.Add("the output has ", count, " zero points along axis ", quantization.axis,
              ", which do not fit the shape ", DescribeShape(info.shape));
}

}  // namespace cpu_layers
}  // namespace backplane
