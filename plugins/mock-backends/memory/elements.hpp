#pragma once

#include "scenario.hpp"

#include <backplane/api/memory_view.hpp>

#include <cstring>

namespace memory_mock {

/// The elements of a float32 tensor by their number in row-major order, wherever they lie.
/// In the opaque layout they stand in reverse order, with inverted bits, behind a header.
class Elements {
 public:
  Elements(const backplane::MemoryView& view, unsigned char* address)
      : view_(view), address_(address) {
    for (std::uint32_t axis = view.rank; axis-- > 0;) {
      is_dense_ = is_dense_ && (view.dims[axis] == 1 || view.strides_bytes[axis] == count_ * 4);
      count_ *= view.dims[axis];
    }
  }

  std::int64_t Count() const { return count_; }

  float Get(std::int64_t index) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, Locate(index), sizeof(bits));
    if (IsOpaque()) bits = ~bits;
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }

  void Set(std::int64_t index, float value) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    if (IsOpaque()) bits = ~bits;
    std::memcpy(Locate(index), &bits, sizeof(bits));
  }

 private:
  bool IsOpaque() const { return view_.layout == backplane::TensorLayout::kOpaque; }

  unsigned char* Locate(std::int64_t index) const {
    if (IsOpaque()) return address_ + kOpaqueHeaderBytes + (count_ - 1 - index) * 4;
    if (is_dense_) return address_ + index * 4;
    std::int64_t offset = 0;
    for (std::uint32_t axis = view_.rank; axis-- > 0;) {
      offset += index % view_.dims[axis] * view_.strides_bytes[axis];
      index /= view_.dims[axis];
    }
    return address_ + offset;
  }

  backplane::MemoryView view_;
  unsigned char* address_;
  std::int64_t count_ = 1;
  bool is_dense_ = true;
};

}  // namespace memory_mock
