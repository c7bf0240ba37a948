#include "moved_bytes.hpp"

namespace bench {

using namespace backplane;

MovedBytes CountPlanned(const Placement& placement) {
  MovedBytes moved;
  for (const PlacedTransfer& transfer : placement.transfers) {
    for (const TransferStep& step : transfer.steps) {
      if (step.is_shared || step.strategy == TransferStrategy::kImport) continue;
      const bool is_between = !step.from_factory.empty() && !step.to_factory.empty();
      Moved& one = is_between ? moved.between : moved.with_application;
      ++one.count;
      one.bytes += step.bytes;
    }
  }
  for (const PlacedMove& move : placement.moves) {
    ++moved.layers.count;
    moved.layers.bytes += move.bytes;
  }
  return moved;
}

}  // namespace bench
