#pragma once

/// What a tensor is: shape, element type, quantisation. Layouts frozen within a major version.

#include <backplane/api/backend_version.hpp>
#include <backplane/api/data_type.hpp>
#include <backplane/api/shared_vector.hpp>

#include <cstdint>
#include <initializer_list>

namespace backplane {

/// The highest rank a tensor may have.
constexpr std::uint32_t kMaxRank = 8;

/// The extents of a tensor, outermost first. Rank 0 is a scalar, with one element. Dimensions are
/// known and not negative; the core accepts only shapes whose size in bytes fits an int64_t.
struct TensorShape {
  TensorShape() = default;
  /// Extents after the first kMaxRank are dropped; the core refuses longer shapes before.
  TensorShape(std::initializer_list<std::int64_t> extents) {
    for (const std::int64_t extent : extents) Append(extent);
  }

  std::int64_t operator[](std::uint32_t axis) const { return dims[axis]; }
  std::int64_t& operator[](std::uint32_t axis) { return dims[axis]; }

  void Append(std::int64_t extent) {
    if (rank < kMaxRank) dims[rank++] = extent;
  }

  std::int64_t GetNumElements() const {
    std::int64_t count = 1;
    for (std::uint32_t axis = 0; axis < rank; ++axis) count *= dims[axis];
    return count;
  }

  std::uint32_t rank = 0;
  std::uint32_t reserved = 0;
  std::int64_t dims[kMaxRank] = {};
};

inline bool operator==(const TensorShape& a, const TensorShape& b) {
  if (a.rank != b.rank) return false;
  for (std::uint32_t axis = 0; axis < a.rank; ++axis) {
    if (a.dims[axis] != b.dims[axis]) return false;
  }
  return true;
}
inline bool operator!=(const TensorShape& a, const TensorShape& b) {
  return !(a == b);
}

/// real = scale * (stored - zero_point). No scales: not quantised. One scale: for the whole tensor.
/// More: one for each index along `axis`. Zero points are empty (all zero) or as many as scales.
struct QuantizationInfo {
  bool IsQuantized() const { return !scales.empty(); }
  bool IsPerAxis() const { return scales.size() > 1; }

  SharedVector<float> scales;
  SharedVector<std::int32_t> zero_points;
  std::int32_t axis = 0;
  std::uint32_t reserved = 0;
};

inline bool operator==(const QuantizationInfo& a, const QuantizationInfo& b) {
  return a.scales == b.scales && a.zero_points == b.zero_points &&
         (!a.IsPerAxis() || a.axis == b.axis);
}

struct TensorInfo {
  TensorInfo() = default;
  TensorInfo(const TensorShape& tensor_shape, DataType type)
      : shape(tensor_shape), data_type(type) {}

  /// Bytes of the tensor when its elements lie one after the other, outermost first.
  std::uint64_t GetSizeBytes() const {
    return static_cast<std::uint64_t>(shape.GetNumElements()) * GetDataTypeSizeBytes(data_type);
  }

  TensorShape shape;
  DataType data_type = DataType::kUndefined;
  std::uint32_t reserved_word = 0;
  QuantizationInfo quantization;
  std::uint64_t reserved[2] = {};
};

inline bool operator==(const TensorInfo& a, const TensorInfo& b) {
  return a.shape == b.shape && a.data_type == b.data_type && a.quantization == b.quantization;
}
inline bool operator!=(const TensorInfo& a, const TensorInfo& b) {
  return !(a == b);
}

/// Constant data with its description. The data lies dense, outermost first, aligned for its type.
///
/// Ownership: borrowed; whoever hands one over says until when it stays.
struct ConstTensor {
  TensorInfo info;
  const void* data = nullptr;
  /// Constants with an equal identity have the same content, also in different networks. Both 0:
  /// the identity is not stated.
  std::uint64_t identity[2] = {};
};

}  // namespace backplane
