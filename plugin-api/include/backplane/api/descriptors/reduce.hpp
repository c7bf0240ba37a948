#pragma once

#include <backplane/api/descriptor.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused. In brackets what comes of nothing.
enum class ReduceOperation : std::uint32_t {
  kSum = 1,         // [0]
  kMean = 2,        // the sum divided by the number of elements, for integers towards 0 [NaN; 0]
  kMaximum = 3,     // NaN when there is one [-infinity; the least integer of the data type]
  kMinimum = 4,     // NaN when there is one [infinity; the greatest integer of the data type]
  kProduct = 5,     // [1]
  kL1 = 6,          // sum of the magnitudes [0]
  kL2 = 7,          // square root of the sum of the squares [0]
  kLogSum = 8,      // [-infinity]
  kLogSumExp = 9,   // logarithm of the sum of the exponentials [-infinity]
  kSumSquare = 10,  // sum of the squares [0]
};

/// Entries behind num_axes are not read; none is there twice. Without axes, each element is reduced
/// by itself.
struct ReduceDescriptor : Descriptor<ReduceDescriptor> {
  ReduceOperation operation = ReduceOperation::kSum;
  std::uint32_t keep_dims = 0;  // 1: reduced axes stay, with extent 1
  std::uint32_t num_axes = 0;
  std::uint32_t axes[kMaxRank] = {};  // counted from the outermost, which is 0
};
BACKPLANE_CHECK_DESCRIPTOR(ReduceDescriptor, axes);

}  // namespace backplane
