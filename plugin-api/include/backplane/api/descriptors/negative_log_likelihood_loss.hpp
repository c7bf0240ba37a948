#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// What becomes of the losses. Numbers are never reused.
enum class LossReduction : std::uint32_t {
  kNone = 1,  // they are the output
  kMean = 2,  // the sum of them divided by the sum of their weights
  kSum = 3,
};

/// At each position, -weight[target] * input[target]; without weights they are 1. The loss and the
/// weight are 0 where the target is ignored, or is no class from 0 to C - 1.
struct NegativeLogLikelihoodLossDescriptor : Descriptor<NegativeLogLikelihoodLossDescriptor> {
  LossReduction reduction = LossReduction::kMean;
  std::uint32_t has_ignored_target = 0;
  std::uint32_t reserved = 0;
  std::int64_t ignored_target = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(NegativeLogLikelihoodLossDescriptor, ignored_target);

}  // namespace backplane
