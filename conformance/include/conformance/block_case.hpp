#pragma once

/// Cases of layers that take tensors apart in blocks, in one direction or the other.

#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/depth_to_space.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace conformance {

enum class BlockDirection { kToSpace, kFromSpace };

/// For DepthToSpace and SpaceToDepth, in both orders.
template <typename Descriptor>
std::vector<LayerCase> MakeDepthCases(LayerType type, BlockDirection direction, Random& random) {
  std::vector<LayerCase> cases;
  for (const DepthOrder order : {DepthOrder::kBlockFirst, DepthOrder::kChannelFirst}) {
    Descriptor descriptor;
    descriptor.order = order;
    descriptor.block_size = random.Word(1, 3);
    const TensorShape small = random.Shape(random.Word(3, 5), 1, 3);
    TensorShape depth = small;
    TensorShape space = small;
    for (std::uint32_t axis = 2; axis < small.rank; ++axis) {
      depth[1] *= descriptor.block_size;
      space[axis] *= descriptor.block_size;
    }
    const bool is_to_space = direction == BlockDirection::kToSpace;
    cases.push_back(
        MakeCase(type, descriptor, {is_to_space ? depth : space}, is_to_space ? space : depth));
  }
  return cases;
}

/// For BatchToSpace, whose crops are the margins, and SpaceToBatch, whose padding is.
template <typename Descriptor>
std::vector<LayerCase> MakeBatchCases(LayerType type, BlockDirection direction,
                                      std::uint32_t (Descriptor::*begins)[kMaxSpatialRank],
                                      std::uint32_t (Descriptor::*ends)[kMaxSpatialRank],
                                      Random& random) {
  Descriptor descriptor;
  descriptor.spatial_rank = random.Word(1, kMaxSpatialRank);
  TensorShape batch = random.Shape(descriptor.spatial_rank + 2, 1, 3);
  TensorShape space = batch;
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    descriptor.block[i] = random.Word(1, 3);
    batch[0] *= descriptor.block[i];
    const auto whole = static_cast<std::uint32_t>(batch[i + 2]) * descriptor.block[i];
    const std::uint32_t begin = random.Word(0, whole - 1);
    const std::uint32_t end = random.Word(0, whole - 1 - begin);
    (descriptor.*begins)[i] = begin;
    (descriptor.*ends)[i] = end;
    space[i + 2] = whole - begin - end;
  }
  const bool is_to_space = direction == BlockDirection::kToSpace;
  return {MakeCase(type, descriptor, {is_to_space ? batch : space}, is_to_space ? space : batch)};
}

}  // namespace conformance
}  // namespace backplane
