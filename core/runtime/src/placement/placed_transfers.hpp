#pragma once

#include <backplane/runtime/placement.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace backplane {

/// "import", "device copy" or "map and copy". Static storage.
const char* GetStrategyName(TransferStrategy strategy);

/// Whether bytes are copied on the way, be it for another transfer too.
bool IsCopied(const PlacedTransfer& transfer);

/// Finds the transfers that edges belong to.
class TransferIndex {
 public:
  /// Ownership: refers to the placement, which must outlive it.
  explicit TransferIndex(const Placement& placement);

  /// The transfer that brings the tensor of an edge to the backend that reads it; null when it does
  /// not cross.
  const PlacedTransfer* Find(const PlacedEdge& edge) const;

 private:
  using Key = std::tuple<LayerId, std::uint32_t, std::string>;  // from, output, reading backend

  std::map<LayerId, std::string> backends_;
  std::map<Key, const PlacedTransfer*> transfers_;
};

}  // namespace backplane
