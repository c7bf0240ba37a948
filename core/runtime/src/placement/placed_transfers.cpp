#include "placement/placed_transfers.hpp"

#include <algorithm>

namespace backplane {

const char* GetStrategyName(TransferStrategy strategy) {
  switch (strategy) {
    case TransferStrategy::kImport:
      return "import";
    case TransferStrategy::kDeviceCopy:
      return "device copy";
    case TransferStrategy::kMapCopy:
      return "map and copy";
  }
  return "unknown";
}

bool IsCopied(const PlacedTransfer& transfer) {
  return std::any_of(transfer.steps.begin(), transfer.steps.end(), [](const TransferStep& step) {
    return step.strategy != TransferStrategy::kImport;
  });
}

TransferIndex::TransferIndex(const Placement& placement) {
  for (const LayerPlacement& layer : placement.layers) backends_[layer.layer] = layer.backend_id;
  for (const PlacedTransfer& transfer : placement.transfers) {
    transfers_[{transfer.from, transfer.output, transfer.to_backend}] = &transfer;
  }
}

const PlacedTransfer* TransferIndex::Find(const PlacedEdge& edge) const {
  const auto reader = backends_.find(edge.to);
  const std::string backend = reader != backends_.end() ? reader->second : "";
  const auto found = transfers_.find({edge.from, edge.output, backend});
  return found != transfers_.end() ? found->second : nullptr;
}

}  // namespace backplane
