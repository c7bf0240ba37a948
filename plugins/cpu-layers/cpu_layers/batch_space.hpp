#pragma once

/// SpaceToBatch and BatchToSpace are the same arrangement, read in one direction or the other.

#include "cpu_layers/refusal.hpp"
#include "cpu_layers/strided_copy.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// [N, C, spatial...], padded, on the side of space; [block... * N, C, spatial / block...] on that
/// of the batch.
class BatchSpace {
 public:
  enum class Direction { kToBatch, kToSpace };

  /// Reads a SpaceToBatchDescriptor or, with crops as padding, a BatchToSpaceDescriptor.
  BatchSpace(const TensorShape& space, const TensorShape& batch, std::uint32_t spatial_rank,
             const std::uint32_t* block, const std::uint32_t* pads_begin,
             const std::uint32_t* pads_end);

  /// Whether the shapes go together.
  bool IsSound() const;

  /// The number of places in a block.
  std::int64_t CountPlaces() const;

  /// The copy, prepared, of all elements that have one place in their block.
  StridedCopy MakeCopy(std::int64_t place, Direction direction, std::size_t element_bytes) const;

 private:
  struct Axis {
    std::int64_t block;
    std::int64_t pad_begin;
    std::int64_t pad_end;
  };

  TensorShape space_;
  TensorShape batch_;
  std::uint32_t spatial_rank_;
  std::array<Axis, kMaxSpatialRank> axes_ = {};
};

/// Refuses a spatial rank that is not possible, and what is quantised along another axis than the
/// channels. False: the descriptor cannot be read further.
bool CheckBatchSpace(const Layer& layer, std::uint32_t spatial_rank, Refusal& refusal);

/// Refuses shapes and blocks that do not go together.
void RequireSound(const Layer& layer, const BatchSpace& sides, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
