#pragma once

#include <backplane/runtime/network_source.hpp>

#include <cstddef>
#include <memory>

namespace backplane::onnx {

struct BatchedScanCounts {
  std::size_t carried = 0;
  std::size_t scanned = 0;
};

/// The Scan of operator set 8: carried values and what is scanned have the batch as first axis, and
/// so have the results. In front of them is the number of rounds of each batch entry, int64, or
/// nothing: as many as there are indices. What is collected in fewer is followed by zeros. `scan`
/// runs for each batch entry.
std::shared_ptr<const IStageOperation> MakeBatchedScan(std::shared_ptr<const IStageOperation> scan,
                                                       const BatchedScanCounts& counts);

}  // namespace backplane::onnx
