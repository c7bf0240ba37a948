#include "placement/placement_dot_edges.hpp"

#include "placement/byte_text.hpp"
#include "placement/dot_text.hpp"
#include "placement/placed_transfers.hpp"

namespace backplane {

namespace {

/// How edges stand out that cost something.
struct EdgeStyle {
  const char* node;        // in the legend
  const char* label;       // in the legend
  const char* attributes;  // of the edge, behind others
};

constexpr EdgeStyle kCopied = {"copied", "bytes are copied",
                               ", color=\"#cc3311\", fontcolor=\"#cc3311\", penwidth=2.5"};
constexpr EdgeStyle kImported = {"imported", "memory is imported",
                                 ", color=\"#0077bb\", fontcolor=\"#0077bb\", style=dashed"};

/// Null for an edge that looks like all others.
const EdgeStyle* GetStyle(const PlacedTransfer* transfer) {
  if (transfer == nullptr || transfer->steps.empty()) return nullptr;
  return IsCopied(*transfer) ? &kCopied : &kImported;
}

std::string DescribeMemory(const std::string& factory) {
  return factory.empty() ? "the application's memory" : EscapeForDot(factory);
}

std::string DescribeStep(const TransferStep& step) {
  std::string text = GetStrategyName(step.strategy);
  if (!step.backend_id.empty()) text += " by " + EscapeForDot(step.backend_id);
  text += " from " + DescribeMemory(step.from_factory) + " to " + DescribeMemory(step.to_factory);
  if (step.strategy != TransferStrategy::kImport) text += ": " + DescribeBytes(step.bytes);
  return step.is_shared ? text + ", counted at another edge" : text;
}

std::string DescribeTransfer(const PlacedTransfer* transfer) {
  if (transfer == nullptr) return "";
  std::string text;
  if (transfer->steps.empty()) {
    text += kDotLineBreak + ("shared in " + DescribeMemory(transfer->factory));
  }
  for (const TransferStep& step : transfer->steps) text += kDotLineBreak + DescribeStep(step);
  if (!transfer->reason.empty()) {
    text += kDotLineBreak + ("not shared: " + EscapeForDot(transfer->reason));
  }
  return text;
}

std::string MakeLabel(const PlacedEdge& edge, const PlacedTransfer* transfer) {
  std::string text = " " + EscapeForDot(edge.tensor);
  if (transfer == nullptr || !IsCopied(*transfer)) return text;
  return text + kDotLineBreak +
         (transfer->copied_bytes == 0 ? "copied with another edge"
                                      : DescribeBytes(transfer->copied_bytes));
}

std::string MakeEdge(const PlacedEdge& edge, const PlacedTransfer* transfer) {
  const EdgeStyle* const style = GetStyle(transfer);
  return "  " + GetDotNode(edge.from) + " -> " + GetDotNode(edge.to) + " [label=\"" +
         MakeLabel(edge, transfer) + "\", tooltip=\"output " + std::to_string(edge.output) +
         " is read as input " + std::to_string(edge.input) + DescribeTransfer(transfer) + "\"" +
         (style == nullptr ? "" : style->attributes) + "];\n";
}

// An edge of that kind, with its meaning.
std::string MakeLegendEntry(const EdgeStyle& style) {
  const std::string begin = std::string(style.node) + "_from";
  const std::string end = std::string(style.node) + "_to";
  return "    " + begin + " [shape=point, label=\"\"];\n    " + end +
         " [shape=point, label=\"\"];\n    " + begin + " -> " + end + " [label=\" " + style.label +
         "\"" + style.attributes + "];\n";
}

}  // namespace

std::string GetDotNode(LayerId layer) {
  return "layer" + std::to_string(layer);
}

std::string MakeDotEdges(const Placement& placement) {
  const TransferIndex transfers(placement);
  std::string edges;
  bool has_copied = false;
  bool has_imported = false;
  for (const PlacedEdge& edge : placement.edges) {
    const PlacedTransfer* const transfer = transfers.Find(edge);
    has_copied = has_copied || GetStyle(transfer) == &kCopied;
    has_imported = has_imported || GetStyle(transfer) == &kImported;
    edges += MakeEdge(edge, transfer);
  }
  if (!has_copied && !has_imported) return edges;
  return "  subgraph cluster_transfers {\n    label=\"tensors that cross\";\n" +
         (has_copied ? MakeLegendEntry(kCopied) : "") +
         (has_imported ? MakeLegendEntry(kImported) : "") + "  }\n" + edges;
}

}  // namespace backplane
