#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include "graph/graph.hpp"
#include "placement/aligned_rows.hpp"
#include "placement/byte_text.hpp"
#include "placement/placed_transfers.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace backplane {

namespace {

std::string DescribeEnd(const std::string& backend_id) {
  return backend_id.empty() ? "application" : EscapeForDisplay(backend_id);
}

std::string DescribeSource(const PlacedTransfer& transfer) {
  const std::string name = GetDisplayName(transfer.layer, transfer.from);
  return transfer.output == 0 ? name : name + " output " + std::to_string(transfer.output);
}

/// "device copy, then map and copy through Vendor/Backend/Staging".
std::string DescribeRoute(const PlacedTransfer& transfer) {
  if (transfer.steps.empty()) return "shared";
  std::string text;
  std::string stops;
  for (const TransferStep& step : transfer.steps) {
    if (!text.empty()) {
      text += ", then ";
      stops += (stops.empty() ? " through " : " and ") + EscapeForDisplay(step.from_factory);
    }
    text += GetStrategyName(step.strategy);
    if (step.is_shared) text += " (counted elsewhere)";
  }
  return text + stops;
}

/// Long reasons that many tensors have in common, each told once below the table.
class Reasons {
 public:
  /// "(1)", or "" for no reason.
  std::string Refer(const std::string& reason) {
    if (reason.empty()) return "";
    auto known = std::find(reasons_.begin(), reasons_.end(), reason);
    if (known == reasons_.end()) known = reasons_.insert(known, reason);
    return MakeNumber(static_cast<std::size_t>(known - reasons_.begin()));
  }

  std::string List() const {
    std::string text;
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      text += MakeNumber(i) + " " + EscapeForDisplay(reasons_[i]) + "\n";
    }
    return text.empty() ? text : text + "\n";
  }

 private:
  static std::string MakeNumber(std::size_t index) { return "(" + std::to_string(index + 1) + ")"; }

  std::vector<std::string> reasons_;
};

std::string DescribeTransfers(const Placement& placement) {
  if (placement.transfers.empty()) return "";
  Reasons reasons;
  std::vector<std::vector<std::string>> rows{
      {"layer", "from", "to", "tensor", "copied bytes", "how", "why not shared"}};
  for (const PlacedTransfer& transfer : placement.transfers) {
    rows.push_back({DescribeSource(transfer), DescribeEnd(transfer.from_backend),
                    DescribeEnd(transfer.to_backend), EscapeForDisplay(transfer.tensor),
                    transfer.copied_bytes == 0 ? "-" : DescribeByteCount(transfer.copied_bytes),
                    DescribeRoute(transfer), reasons.Refer(transfer.reason)});
  }
  return AlignRows(rows) + "\n" + reasons.List();
}

std::string DescribeMoves(const Placement& placement) {
  std::string text;
  for (const PlacedMove& move : placement.moves) {
    text += EscapeForDisplay(move.layer) + " (" + GetLayerTypeName(move.type) + ") on " +
            EscapeForDisplay(move.backend_id) + " moves " + DescribeBytes(move.bytes);
    if (!move.reason.empty()) text += ", because " + EscapeForDisplay(move.reason);
    text += "\n";
  }
  return text;
}

std::string DescribeTotals(const Placement& placement) {
  std::string text = placement.num_copies == 0
                         ? "nothing is copied"
                         : std::to_string(placement.num_copies) +
                               (placement.num_copies == 1 ? " copy, " : " copies, ") +
                               DescribeBytes(placement.copied_bytes) + " in one run";
  if (placement.moves.empty()) return text + "\n";
  std::uint64_t moved_bytes = 0;
  for (const PlacedMove& move : placement.moves) moved_bytes += move.bytes;
  const std::size_t num_moves = placement.moves.size();
  return text + "; " + std::to_string(num_moves) + (num_moves == 1 ? " layer" : " layers") +
         " besides " + (num_moves == 1 ? "moves " : "move ") + DescribeBytes(moved_bytes) + "\n";
}

}  // namespace

std::string TransfersToText(const Placement& placement) {
  if (placement.transfers.empty() && placement.moves.empty()) return "";
  return DescribeTransfers(placement) + DescribeMoves(placement) + DescribeTotals(placement);
}

}  // namespace backplane
