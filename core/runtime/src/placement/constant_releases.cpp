#include "placement/constant_releases.hpp"

#include <backplane/host/diagnostic.hpp>

namespace backplane {

ConstantReleases::ConstantReleases(const Graph& graph, const ShownConstants& shown)
    : graph_(graph), shown_(shown) {
  for (const Layer& layer : graph.layers) {
    for (const OutputSlot input : layer.inputs) {
      const Layer* constant = shown.Find(input);
      if (constant != nullptr) ++num_readers_[constant->id];
    }
  }
}

bool ConstantReleases::IsConstant(LayerId layer, std::uint32_t input) const {
  const auto& inputs = graph_.layers[layer].inputs;
  return input < inputs.size() && shown_.Find(inputs[input]) != nullptr;
}

void ConstantReleases::Release(const std::string& backend_id, LayerId layer, std::uint32_t input) {
  const Layer& constant = *shown_.Find(graph_.layers[layer].inputs[input]);
  if (released_.emplace(layer, input).second) --num_readers_[constant.id];
  if (num_readers_[constant.id] > 0) return;
  if (!constant.constant->may_be_released) return ReleasePages(*constant.constant);
  constant.constant->released_by = backend_id;
  constant.constant->data.reset();
}

void RequireConstants(const Graph& graph) {
  for (const Layer& layer : graph.layers) {
    for (const OutputSlot input : layer.inputs) {
      const Layer& producer = graph.layers[input.layer];
      if (producer.type != LayerType::kConstant || producer.constant->released_by.empty()) continue;
      Diagnostic diagnostic{DiagnosticCode::kConstantReleased};
      diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
      diagnostic.what = "network \"" + graph.name +
                        "\" cannot be placed: the content of constant \"" +
                        GetDisplayName(producer.name, producer.id) + "\", which " +
                        DescribeLayer(layer) + " reads, has gone";
      diagnostic.why = "backend \"" + producer.constant->released_by +
                       "\" let go of it when it was offered the layer, and then did not take it";
      diagnostic.fix =
          "make the network again, and place it without this backend, or keep the network while it "
          "is placed";
      throw DiagnosticException(std::move(diagnostic));
    }
  }
}

}  // namespace backplane
