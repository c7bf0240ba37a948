#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <optional>

namespace backplane {

/// Every tensor that the core places begins at a multiple of this.
constexpr std::uint64_t kTensorAlignmentBytes = 64;

/// Bytes of a dense tensor. Extents of 0 count as 1 while multiplying, so that no partial product
/// of an accepted shape overflows, in whatever order it is computed.
/// Null: when that is more than an int64_t holds.
std::optional<std::int64_t> ComputeSizeBytes(const TensorShape& shape, DataType type);

/// Rounded up to a multiple of a power of two. The result fits 64 bits.
constexpr std::uint64_t AlignTensorSize(std::uint64_t size_bytes,
                                        std::uint64_t alignment_bytes = kTensorAlignmentBytes) {
  return (size_bytes + alignment_bytes - 1) & ~(alignment_bytes - 1);
}

}  // namespace backplane
