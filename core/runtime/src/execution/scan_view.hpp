#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/runtime/number_scan.hpp>

#include <cstdint>

namespace backplane::execution {

/// Between what the elements of a tensor lie.
struct ValueRange {
  bool is_finite = true;    // all are; else the others say nothing
  bool has_values = false;  // there are elements
  double least = 0;
  double greatest = 0;
  std::uint64_t num_values = 0;
};

/// One pass without a branch for each element. Of other types than floating-point ones: finite,
/// without values. The view has an address and a known layout.
ValueRange FindRange(const MemoryView& view);

/// Counts, and finds the first; slower.
NumberScan ScanView(const MemoryView& view);

}  // namespace backplane::execution
