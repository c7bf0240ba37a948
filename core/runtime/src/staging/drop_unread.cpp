#include "staging/drop_unread.hpp"

#include <utility>
#include <vector>

namespace backplane::staging {
namespace {

std::vector<bool> FindRead(const Graph& graph) {
  std::vector<bool> is_read(graph.layers.size(), false);
  for (const LayerId id : graph.inputs) is_read[id] = true;
  for (const LayerId id : graph.outputs) is_read[id] = true;
  for (std::size_t id = graph.layers.size(); id-- > 0;) {
    if (!is_read[id]) continue;
    for (const OutputSlot input : graph.layers[id].inputs) is_read[input.layer] = true;
  }
  return is_read;
}

}  // namespace

Graph DropUnread(const Graph& graph) {
  const std::vector<bool> is_read = FindRead(graph);
  std::vector<LayerId> new_ids(graph.layers.size(), 0);
  Graph result;
  result.name = graph.name;
  for (const Layer& original : graph.layers) {
    if (!is_read[original.id]) continue;
    Layer layer = original;
    layer.id = static_cast<LayerId>(result.layers.size());
    new_ids[original.id] = layer.id;
    for (OutputSlot& input : layer.inputs) input.layer = new_ids[input.layer];
    result.layers.push_back(std::move(layer));
  }
  for (const LayerId id : graph.inputs) result.inputs.push_back(new_ids[id]);
  for (const LayerId id : graph.outputs) result.outputs.push_back(new_ids[id]);
  return result;
}

}  // namespace backplane::staging
