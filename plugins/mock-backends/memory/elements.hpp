#pragma once

#include "scenario.hpp"

#include <backplane/api/memory_view.hpp>

#include <cstring>

namespace memory_mock {

/// The elements of a tensor by their number in row-major order, wherever they lie.
/// In the opaque layout they stand in reverse order, with inverted bits, behind a header.
class Elements {
 public:
  Elements(const backplane::MemoryView& view, unsigned char* address)
      : view_(view),
        address_(address),
        element_bytes_(backplane::GetDataTypeSizeBytes(view.data_type)) {
    for (std::uint32_t axis = view.rank; axis-- > 0;) {
      const bool is_next = view.strides_bytes[axis] == count_ * element_bytes_;
      is_dense_ = is_dense_ && (view.dims[axis] == 1 || is_next);
      count_ *= view.dims[axis];
    }
  }

  std::int64_t Count() const { return count_; }
  std::int64_t CountBytes() const { return count_ * element_bytes_; }

  /// Of the float32 at a number.
  float Get(std::int64_t index) const {
    float value = 0;
    Transfer(&value, Locate(index), sizeof(value));
    return value;
  }
  void Set(std::int64_t index, float value) const {
    Transfer(Locate(index), &value, sizeof(value));
  }

  /// The elements as they lie, when they lie one after the other.
  /// Null: they do not, or not aligned for their type.
  unsigned char* FindDense() const {
    const auto place = reinterpret_cast<std::uintptr_t>(address_);
    const bool is_usable =
        is_dense_ && !IsOpaque() && place % static_cast<std::uintptr_t>(element_bytes_) == 0;
    return is_usable ? address_ : nullptr;
  }

  /// To and from dense memory of CountBytes().
  void DecodeInto(unsigned char* dense) const {
    for (std::int64_t i = 0; i < count_; ++i) {
      Transfer(dense + i * element_bytes_, Locate(i), static_cast<std::size_t>(element_bytes_));
    }
  }
  void EncodeFrom(const unsigned char* dense) const {
    for (std::int64_t i = 0; i < count_; ++i) {
      Transfer(Locate(i), dense + i * element_bytes_, static_cast<std::size_t>(element_bytes_));
    }
  }

 private:
  bool IsOpaque() const { return view_.layout == backplane::TensorLayout::kOpaque; }

  /// One element from the layout or into it: the bits are inverted either way.
  void Transfer(void* to, const void* from, std::size_t size_bytes) const {
    std::memcpy(to, from, size_bytes);
    if (!IsOpaque()) return;
    auto* bytes = static_cast<unsigned char*>(to);
    for (std::size_t i = 0; i < size_bytes; ++i) bytes[i] = static_cast<unsigned char>(~bytes[i]);
  }

  unsigned char* Locate(std::int64_t index) const {
    if (IsOpaque()) return address_ + kOpaqueHeaderBytes + (count_ - 1 - index) * element_bytes_;
    if (is_dense_) return address_ + index * element_bytes_;
    std::int64_t offset = 0;
    for (std::uint32_t axis = view_.rank; axis-- > 0;) {
      offset += index % view_.dims[axis] * view_.strides_bytes[axis];
      index /= view_.dims[axis];
    }
    return address_ + offset;
  }

  backplane::MemoryView view_;
  unsigned char* address_;
  std::int64_t element_bytes_;
  std::int64_t count_ = 1;
  bool is_dense_ = true;
};

}  // namespace memory_mock
