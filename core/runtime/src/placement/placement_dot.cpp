#include "graph/graph.hpp"
#include "placement/byte_text.hpp"
#include "placement/placed_transfers.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/runtime/placement.hpp>

#include <algorithm>
#include <iterator>
#include <string>

namespace backplane {
namespace {

// Between two lines of a label or tooltip.
constexpr char kDotLineBreak[] = "\\n";

// A name within the quotes of a label: neither the quotes, nor the escapes of labels, nor their
// entities may be read into it.
std::string EscapeForDot(const std::string& name) {
  std::string escaped;
  for (const char character : EscapeForDisplay(name)) {
    if (character == '&') {
      escaped += "&amp;";
      continue;
    }
    if (character == '"' || character == '\\') escaped += '\\';
    escaped += character;
  }
  return escaped;
}

/// How edges stand out that cost something.
struct EdgeStyle {
  const char* node;        // in the legend
  const char* label;       // in the legend
  const char* attributes;  // of the edge, behind others
};

constexpr EdgeStyle kCopiedEdge = {"copied", "bytes are copied",
                                   ", color=\"#cc3311\", fontcolor=\"#cc3311\", penwidth=2.5"};

constexpr EdgeStyle kImportedEdge = {"imported", "memory is imported",
                                     ", color=\"#0077bb\", fontcolor=\"#0077bb\", style=dashed"};

// The name of a layer's node in DOT.
std::string GetDotNode(LayerId layer) {
  return "layer" + std::to_string(layer);
}

/// Null for an edge that looks like all others.
const EdgeStyle* GetStyle(const PlacedTransfer* transfer) {
  if (transfer == nullptr || transfer->steps.empty()) return nullptr;
  return IsCopied(*transfer) ? &kCopiedEdge : &kImportedEdge;
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
  std::string text = " " + EscapeForDot(DescribeTensor(edge.tensor));
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

// The edges of a plan in DOT. Those on which bytes are copied, or memory is imported, stand out;
// then a legend is before them.
std::string MakeDotEdges(const Placement& placement) {
  const TransferIndex transfers(placement);
  std::string edges;
  bool has_copied = false;
  bool has_imported = false;
  for (const PlacedEdge& edge : placement.edges) {
    const PlacedTransfer* const transfer = transfers.Find(edge);
    has_copied = has_copied || GetStyle(transfer) == &kCopiedEdge;
    has_imported = has_imported || GetStyle(transfer) == &kImportedEdge;
    edges += MakeEdge(edge, transfer);
  }
  if (!has_copied && !has_imported) return edges;
  return "  subgraph cluster_transfers {\n    label=\"tensors that cross\";\n" +
         (has_copied ? MakeLegendEntry(kCopiedEdge) : "") +
         (has_imported ? MakeLegendEntry(kImportedEdge) : "") + "  }\n" + edges;
}

// Black text is read on all of them, and people with any kind of colour vision tell them apart.
// Edges are grey, so that what stands out among them can have a colour.
constexpr const char* kBackendColours[] = {"#77aadd", "#ee8866", "#eedd88", "#ffaabb",
                                           "#99ddff", "#44bb99", "#bbcc33", "#aaaa00"};

constexpr char kHeader[] =
    "  graph [fontname=\"Helvetica\", fontsize=11];\n"
    "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", "
    "fontsize=11];\n"
    "  edge [color=\"#777777\", fontcolor=\"#444444\", fontname=\"Helvetica\", fontsize=9];\n";

/// The backends of a plan, in the order in which they first get a layer.
class Backends {
 public:
  explicit Backends(const std::vector<LayerPlacement>& layers) {
    for (const LayerPlacement& layer : layers) ++FindOrAdd(layer.backend_id).num_layers;
  }

  std::string GetColour(const std::string& id) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.id == id; });
    const auto position = static_cast<std::size_t>(found - entries_.begin());
    return kBackendColours[position % std::size(kBackendColours)];
  }

  std::string MakeLegend() const {
    if (entries_.empty()) return "";
    std::string text = "  subgraph cluster_backends {\n    label=\"backends\";\n";
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      text += "    backend" + std::to_string(i) + " [label=\"" + EscapeForDot(entry.id) +
              kDotLineBreak + std::to_string(entry.num_layers) +
              (entry.num_layers == 1 ? " layer" : " layers") + "\", fillcolor=\"" +
              GetColour(entry.id) + "\"];\n";
    }
    return text + "  }\n";
  }

 private:
  struct Entry {
    std::string id;
    std::size_t num_layers = 0;
  };

  Entry& FindOrAdd(const std::string& id) {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.id == id; });
    return found != entries_.end() ? *found : entries_.emplace_back(Entry{id, 0});
  }

  std::vector<Entry> entries_;
};

std::string MakeTooltip(const LayerPlacement& layer) {
  std::string text = "runs on " + EscapeForDot(layer.backend_id);
  if (!layer.hint.empty()) {
    text += kDotLineBreak;
    text += layer.hint == layer.backend_id ? "as hinted" : "hinted: " + EscapeForDot(layer.hint);
  }
  for (const LayerRefusal& refusal : layer.refusals) {
    text += kDotLineBreak + EscapeForDot(refusal.backend_id) +
            (refusal.is_of_backend ? " refused: " : " passed over: ") +
            EscapeForDot(refusal.reason);
  }
  return text;
}

std::string MakeLayerNode(const LayerPlacement& layer, const Backends& backends) {
  const std::string name = layer.name.empty() ? GetDisplayName("", layer.layer) : layer.name;
  return "  " + GetDotNode(layer.layer) + " [label=\"" + EscapeForDot(name) + kDotLineBreak +
         GetLayerTypeName(layer.type) + "\", fillcolor=\"" + backends.GetColour(layer.backend_id) +
         "\", tooltip=\"" + MakeTooltip(layer) + "\"];\n";
}

// Constants are small, because there are many.
std::string MakeEndpointNode(const PlacedEndpoint& endpoint) {
  const std::string shape = endpoint.type == LayerType::kConstant
                                ? "shape=plain, style=\"\", fontsize=8"
                                : "shape=ellipse, style=\"\"";
  const std::string name =
      endpoint.name.empty() ? GetDisplayName("", endpoint.layer) : endpoint.name;
  return "  " + GetDotNode(endpoint.layer) + " [label=\"" + EscapeForDot(name) + "\", tooltip=\"" +
         GetLayerTypeName(endpoint.type) + "\", " + shape + "];\n";
}

// A layer is replaced or deleted once, so that frames have no layer in common.
std::string MakeFrame(const PlacedSubgraph& subgraph, std::size_t number) {
  const bool is_replaced = subgraph.outcome == SubgraphOutcome::kReplaced;
  if (!is_replaced && subgraph.outcome != SubgraphOutcome::kDeleted) return "";
  std::string replacements;
  for (const std::string& name : subgraph.replacements) {
    replacements += (replacements.empty() ? "" : ", ") + EscapeForDot(name);
  }
  std::string text = "  subgraph cluster_part" + std::to_string(number) + " {\n    label=\"" +
                     EscapeForDot(subgraph.backend_id) + ": " +
                     (is_replaced ? "runs as " + replacements : "nothing to run") +
                     "\";\n    labeljust=l;\n";
  for (const LayerId layer : subgraph.layers) text += "    " + GetDotNode(layer) + ";\n";
  return text + "  }\n";
}

}  // namespace

std::string ToDot(const Placement& placement) {
  const Backends backends(placement.layers);
  std::string text = "digraph placement {\n  label=\"" + EscapeForDot(placement.network) + "\";\n";
  text += kHeader + backends.MakeLegend();
  for (const PlacedEndpoint& endpoint : placement.endpoints) text += MakeEndpointNode(endpoint);
  for (const LayerPlacement& layer : placement.layers) text += MakeLayerNode(layer, backends);
  for (std::size_t i = 0; i < placement.subgraphs.size(); ++i) {
    text += MakeFrame(placement.subgraphs[i], i);
  }
  return text + MakeDotEdges(placement) + "}\n";
}

}  // namespace backplane
