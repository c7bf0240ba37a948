#include "placement/place_network.hpp"

#include "tensors/tensor_text.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace backplane {

namespace {

Diagnostic DescribeRefusal(const Layer& layer, const LayerRefusal& refusal) {
  Diagnostic diagnostic{DiagnosticCode::kLayerRefused};
  diagnostic.subject = {SubjectKind::kBackend, refusal.backend_id};
  diagnostic.what = "backend \"" + refusal.backend_id +
                    (refusal.is_of_backend ? "\" refuses " : "\" was passed over for ") +
                    DescribeLayer(layer);
  diagnostic.why = refusal.reason;
  diagnostic.fix = refusal.is_of_backend
                       ? "change the layer so that the backend takes it, or add another backend"
                       : "add another backend that takes the layer";
  return diagnostic;
}

std::string DescribeInputs(const Graph& graph, const Layer& layer) {
  std::vector<const TensorInfo*> outputs;
  for (const TensorInfo& output : layer.outputs) outputs.push_back(&output);
  return "its type is " + std::string(GetLayerTypeName(layer.type)) + ", its inputs are " +
         DescribeTensors(GetInputTensors(graph, layer)) + ", its outputs are " +
         DescribeTensors(outputs);
}

/// Layers of one type that no backend gets, for the same reasons.
using SameRefusals = std::vector<const LayerPlacement*>;

// Equal for layers that are told together.
std::string MakeKey(const LayerPlacement& layer) {
  std::string key = GetLayerTypeName(layer.type);
  for (const LayerRefusal& refusal : layer.refusals) {
    key += '\0' + refusal.backend_id + '\0' + refusal.reason;
  }
  return key;
}

// In the order of their first layers.
std::vector<SameRefusals> GroupUntaken(const std::vector<LayerPlacement>& layers) {
  std::vector<SameRefusals> groups;
  std::unordered_map<std::string, std::size_t> positions;
  for (const LayerPlacement& layer : layers) {
    if (!layer.backend_id.empty()) continue;
    const auto [position, is_new] = positions.emplace(MakeKey(layer), groups.size());
    if (is_new) groups.emplace_back();
    groups[position->second].push_back(&layer);
  }
  return groups;
}

// 'layer "a" (Softmax)', or '3 layers of type Softmax: a, b, c'.
std::string ListLayers(const Graph& graph, const SameRefusals& group) {
  const Layer& first = graph.layers[group.front()->layer];
  if (group.size() == 1) return DescribeLayer(first);
  std::string text =
      std::to_string(group.size()) + " layers of type " + GetLayerTypeName(first.type);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Layer& layer = graph.layers[group[i]->layer];
    text += (i == 0 ? ": " : ", ") + GetDisplayName(layer.name, layer.id);
  }
  return text;
}

Diagnostic DescribeUnsupported(const Graph& graph, const SameRefusals& group) {
  const LayerPlacement& placement = *group.front();
  const Layer& layer = graph.layers[placement.layer];
  Diagnostic diagnostic{DiagnosticCode::kLayerNotSupported};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = "no backend takes " + ListLayers(graph, group);
  diagnostic.why = (group.size() == 1 ? "" : "the reasons are the same for all; of the first, ") +
                   DescribeInputs(graph, layer);
  diagnostic.fix = placement.refusals.empty()
                       ? "install a backend; run list-backends to see which are found"
                       : "prefer a backend that takes the layer, or change it; the reasons of the "
                         "backends asked are below";
  for (const LayerRefusal& refusal : placement.refusals) {
    diagnostic.causes.push_back(DescribeRefusal(layer, refusal));
  }
  return diagnostic;
}

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

const LayerRefusal* FindRefusalOfHint(const LayerPlacement& placement) {
  if (placement.hint.empty() || placement.hint == placement.backend_id) return nullptr;
  const auto found = std::find_if(
      placement.refusals.begin(), placement.refusals.end(),
      [&](const LayerRefusal& refusal) { return refusal.backend_id == placement.hint; });
  return found != placement.refusals.end() ? &*found : nullptr;
}

}  // namespace

void RequireAllTaken(const Graph& graph, const std::vector<LayerPlacement>& layers,
                     const std::vector<std::string>& asked) {
  Diagnostic diagnostic{DiagnosticCode::kLayerNotSupported};
  std::size_t num_untaken = 0;
  for (const SameRefusals& group : GroupUntaken(layers)) {
    diagnostic.causes.push_back(DescribeUnsupported(graph, group));
    num_untaken += group.size();
  }
  if (num_untaken == 0) return;
  diagnostic.subject = {SubjectKind::kNetwork, graph.name};
  diagnostic.what = "no backend takes " + std::to_string(num_untaken) + " of the " +
                    std::to_string(layers.size()) + " layers of network \"" + graph.name + "\"";
  diagnostic.why = "the backends asked for every layer: " + Join(asked);
  diagnostic.fix = "prefer a backend that takes these layers, or change them";
  throw DiagnosticException(std::move(diagnostic));
}

void RequireHintsFollowed(const Graph& graph, const std::vector<LayerPlacement>& layers) {
  Diagnostic diagnostic{DiagnosticCode::kHintRefused};
  for (const LayerPlacement& layer : layers) {
    const LayerRefusal* refusal = FindRefusalOfHint(layer);
    if (refusal == nullptr) continue;
    diagnostic.causes.push_back(DescribeRefusal(graph.layers[layer.layer], *refusal));
  }
  if (diagnostic.causes.empty()) return;
  diagnostic.subject = {SubjectKind::kNetwork, graph.name};
  diagnostic.what = std::to_string(diagnostic.causes.size()) + " layers of network \"" +
                    graph.name + "\" are not given to the backend that their hint names";
  diagnostic.why = "found hints that cannot be followed; expected all to be, with strict hints";
  diagnostic.fix =
      "remove these hints, or allow other backends: HintPolicy::kFallBack, no --strict";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace backplane
