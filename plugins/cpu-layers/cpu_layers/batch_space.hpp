#pragma once

/// SpaceToBatch and BatchToSpace are the same arrangement, read in one direction or the other.

#include "cpu_layers/refusal.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <array>
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

  /// All elements that have one place in their block: by AddAxis and Skip of the copy.
  template <typename Copy>
  void AddTo(Copy& copy, std::int64_t place, Direction direction) const {
    const bool is_to_batch = direction == Direction::kToBatch;
    const Box box = FindBox(place);
    for (const BoxAxis& axis : box.axes) {
      copy.AddAxis(axis.extent, is_to_batch ? axis.space_step : axis.batch_step,
                   is_to_batch ? axis.batch_step : axis.space_step);
    }
    copy.Skip(is_to_batch ? box.space_begin : box.batch_begin,
              is_to_batch ? box.batch_begin : box.space_begin);
  }

 private:
  struct Axis {
    std::int64_t block;
    std::int64_t pad_begin;
    std::int64_t pad_end;
  };

  struct BoxAxis {
    std::int64_t extent = 1;
    std::int64_t space_step = 0;
    std::int64_t batch_step = 0;
  };

  struct Box {
    std::array<BoxAxis, kMaxSpatialRank + 2> axes;
    std::int64_t space_begin = 0;
    std::int64_t batch_begin = 0;
  };

  Box FindBox(std::int64_t place) const;

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
