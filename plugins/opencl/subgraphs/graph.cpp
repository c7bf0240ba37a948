#include "subgraphs/graph.hpp"

#include <map>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

class GraphReader {
 public:
  explicit GraphReader(const OptimizeSubgraphArgs& args) : args_(args) {}

  void AddLayer(LayerId id) {
    const LayerView* view = nullptr;
    if (args_.reader->GetLayer(id, &view) != Status::kSuccess) {
      throw std::invalid_argument(Text("the sub-graph has no layer ", id));
    }
    const auto number = static_cast<LayerNumber>(graph_.layers.size());
    GraphLayer layer;
    layer.view = view;
    for (std::uint32_t i = 0; i < view->num_inputs; ++i) {
      const TensorNumber tensor = GetTensor(view->inputs[i], *view->input_infos[i]);
      graph_.tensors[tensor].constant = view->constants[i];
      graph_.tensors[tensor].readers.push_back(number);
      layer.inputs.push_back(tensor);
    }
    for (std::uint32_t i = 0; i < view->num_outputs; ++i) {
      const TensorNumber tensor = GetTensor({id, i}, *view->output_infos[i]);
      graph_.tensors[tensor].producer = number;
      layer.outputs.push_back(tensor);
    }
    graph_.layers.push_back(std::move(layer));
  }

  void AddBorders(const SubgraphView& part) {
    for (std::uint32_t i = 0; i < part.inputs.size(); ++i) Find(part.inputs[i]).as_input = i;
    for (std::uint32_t i = 0; i < part.outputs.size(); ++i) Find(part.outputs[i]).as_output = i;
  }

  Graph Take() { return std::move(graph_); }

 private:
  TensorNumber GetTensor(OutputSlot slot, const TensorInfo& info) {
    const auto added = numbers_.emplace(std::make_pair(slot.layer, slot.index),
                                        static_cast<TensorNumber>(graph_.tensors.size()));
    if (added.second) {
      graph_.tensors.emplace_back();
      graph_.tensors.back().info = &info;
    }
    return added.first->second;
  }

  GraphTensor& Find(OutputSlot slot) {
    return graph_.tensors[numbers_.at({slot.layer, slot.index})];
  }

  const OptimizeSubgraphArgs& args_;
  std::map<std::pair<LayerId, std::uint32_t>, TensorNumber> numbers_;
  Graph graph_;
};

}  // namespace

Layer Graph::GetLayer(LayerNumber number) const {
  const LayerView& view = *layers[number].view;
  Layer layer;
  layer.type = view.layer_type;
  layer.descriptor = view.descriptor;
  layer.inputs = view.input_infos;
  layer.outputs = view.output_infos;
  layer.num_inputs = view.num_inputs;
  layer.num_outputs = view.num_outputs;
  return layer;
}

bool Graph::IsRead(TensorNumber tensor) const {
  return tensors[tensor].as_output.has_value() || !tensors[tensor].readers.empty();
}

Graph ReadGraph(const OptimizeSubgraphArgs& args, const SubgraphView& part) {
  GraphReader reader(args);
  for (const LayerId id : part.layers) reader.AddLayer(id);
  reader.AddBorders(part);
  return reader.Take();
}

}  // namespace opencl
}  // namespace backplane
