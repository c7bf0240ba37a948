#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/placement.hpp>

#include "graph/graph.hpp"
#include "placement/aligned_rows.hpp"
#include "placement/placed_subgraphs.hpp"

#include <cstddef>
#include <cstdio>

namespace backplane {

namespace {

using Row = std::vector<std::string>;

std::vector<std::string> DescribeNotes(const LayerPlacement& layer) {
  std::vector<std::string> notes;
  if (!layer.hint.empty()) {
    notes.push_back(layer.hint == layer.backend_id ? "as hinted" : "hinted: " + layer.hint);
  }
  for (const LayerRefusal& refusal : layer.refusals) {
    notes.push_back(refusal.backend_id + (refusal.is_of_backend ? " refused: " : " passed over: ") +
                    refusal.reason);
  }
  return notes;
}

void AddRows(const LayerPlacement& layer, std::vector<Row>& rows) {
  Row row = {GetDisplayName(layer.name, layer.layer), GetLayerTypeName(layer.type),
             EscapeForDisplay(layer.backend_id), ""};
  const std::vector<std::string> notes = DescribeNotes(layer);
  if (notes.empty()) rows.push_back(row);
  for (const std::string& note : notes) {
    row.back() = EscapeForDisplay(note);
    rows.push_back(row);
    row.assign(row.size(), "");
  }
}

std::string JoinNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string DescribeLayers(const std::vector<std::string>& names) {
  constexpr std::size_t kMaxListed = 4;
  if (names.size() <= kMaxListed) return JoinNames(names);
  return std::to_string(names.size()) + " layers from " + names.front() + " to " + names.back();
}

std::string DescribeSubgraph(const Placement& placement, const PlacedSubgraph& subgraph) {
  std::string text = EscapeForDisplay(subgraph.backend_id) + " " +
                     GetOutcomeName(subgraph.outcome) + " " +
                     DescribeLayers(GetLayerNames(placement, subgraph));
  if (!subgraph.replacements.empty()) {
    text += " by " + EscapeForDisplay(JoinNames(subgraph.replacements));
  }
  return text + "\n";
}

std::string DescribeSubgraphs(const Placement& placement) {
  std::string text;
  for (const PlacedSubgraph& subgraph : placement.subgraphs) {
    if (subgraph.outcome == SubgraphOutcome::kUntouched) continue;
    text += (text.empty() ? "\n" : "") + DescribeSubgraph(placement, subgraph);
  }
  return text;
}

std::string DescribeMilliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f ms", ms);
  return text;
}

std::string DescribeCacheUse(const PlacedCacheUse& use) {
  const std::string whole = DescribeMilliseconds(use.offer_ms) + " for " +
                            std::to_string(use.num_layers) +
                            (use.num_layers == 1 ? " layer" : " layers");
  std::string text = EscapeForDisplay(use.backend_id);
  if (use.num_hits + use.num_misses + use.num_kept == 0) {
    return text + " did not use it, and took " + whole + "\n";
  }
  text += " found " + std::to_string(use.num_hits) + " of " +
          std::to_string(use.num_hits + use.num_misses) + " there (" +
          std::to_string(use.hit_bytes) + " bytes)";
  if (use.num_kept != 0) {
    text += ", kept " + std::to_string(use.num_kept) + " (" + std::to_string(use.kept_bytes) +
            " bytes)";
  }
  return text + " in " + DescribeMilliseconds(use.cache_ms) + " of " + whole + "\n";
}

std::string DescribeCacheUses(const Placement& placement) {
  std::string text;
  for (const PlacedCacheUse& use : placement.cache_uses) {
    text += (text.empty() ? "\ncompiled cache: " : "compiled cache: ") + DescribeCacheUse(use);
  }
  return text;
}

std::string DescribePreferred(const Placement& placement) {
  std::string text;
  for (const Setting& preferred : placement.preferred) {
    text += (text.empty() ? "asked first: " : ", ") + preferred.value + " (" + preferred.origin +
            " prefers it)";
  }
  return text.empty() ? "" : "\n" + EscapeForDisplay(text) + "\n";
}

}  // namespace

std::string ToText(const Placement& placement) {
  std::vector<Row> rows{{"layer", "type", "backend", "notes"}};
  for (const LayerPlacement& layer : placement.layers) AddRows(layer, rows);
  return AlignRows(rows) + DescribeSubgraphs(placement) + DescribeCacheUses(placement) +
         DescribePreferred(placement);
}

}  // namespace backplane
