#include "graph/build_graph.hpp"

#include <map>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

std::shared_ptr<const void> Borrow(const void* content) {
  static const char kNothing = 0;  // a tensor without elements may have no content
  return std::shared_ptr<const void>(content != nullptr ? content : &kNothing, [](const void*) {});
}

TensorId AddTensor(Graph& graph, const TensorInfo& info) {
  GraphTensor tensor;
  tensor.info = info;
  graph.tensors.push_back(std::move(tensor));
  return static_cast<TensorId>(graph.tensors.size() - 1);
}

TensorId AddBorrowed(Graph& graph, const ConstTensor& constant) {
  const TensorId id = AddTensor(graph, constant.info);
  graph.tensors[id].content = Borrow(constant.data);
  return id;
}

Node MakeNode(LayerType type, const char* name, const BaseDescriptor& descriptor) {
  Node node;
  node.type = type;
  node.name = name;
  const auto* bytes = reinterpret_cast<const unsigned char*>(&descriptor);
  node.descriptor.assign(bytes, bytes + descriptor.size_bytes);
  return node;
}

/// The tensors that are known by the slots that made them.
class Slots {
 public:
  explicit Slots(Graph& graph) : graph_(graph) {}

  TensorId Get(OutputSlot slot, const TensorInfo& info) {
    const auto key = std::make_pair(slot.layer, slot.index);
    const auto found = tensors_.find(key);
    if (found != tensors_.end()) return found->second;
    const TensorId id = AddTensor(graph_, info);
    tensors_.emplace(key, id);
    return id;
  }

  TensorId GetConstant(const ConstTensor& constant, std::shared_ptr<const void> content) {
    const auto found = constants_.find(constant.data);
    if (found != constants_.end() && graph_.tensors[found->second].info == constant.info) {
      return found->second;
    }
    const TensorId id = AddTensor(graph_, constant.info);
    graph_.tensors[id].content = std::move(content);
    constants_[constant.data] = id;
    return id;
  }

 private:
  Graph& graph_;
  std::map<std::pair<LayerId, std::uint32_t>, TensorId> tensors_;
  std::map<const void*, TensorId> constants_;
};

TensorId FindTensor(Slots& slots, const OptimizeSubgraphArgs& args, OutputSlot slot) {
  const LayerView* layer = nullptr;
  if (args.reader->GetLayer(slot.layer, &layer) == Status::kSuccess) {
    return slots.Get(slot, *layer->output_infos[slot.index]);
  }
  return slots.Get(slot, TensorInfo());
}

}  // namespace

Graph BuildGraph(const OptimizeSubgraphArgs& args, const SubgraphView& part,
                 OfferedConstants& constants) {
  Graph graph;
  Slots slots(graph);
  for (const LayerId id : part.layers) {
    const LayerView* layer = nullptr;
    if (args.reader->GetLayer(id, &layer) != Status::kSuccess) continue;
    Node node = MakeNode(layer->layer_type, layer->name, *layer->descriptor);
    for (std::uint32_t index = 0; index < layer->num_inputs; ++index) {
      const ConstTensor* constant = layer->constants[index];
      node.inputs.push_back(
          constant != nullptr ? slots.GetConstant(*constant, constants.Share(id, index, *constant))
                              : slots.Get(layer->inputs[index], *layer->input_infos[index]));
    }
    for (std::uint32_t index = 0; index < layer->num_outputs; ++index) {
      node.outputs.push_back(slots.Get({id, index}, *layer->output_infos[index]));
    }
    graph.nodes.push_back(std::move(node));
  }
  for (const OutputSlot input : part.inputs) {
    graph.inputs.push_back(FindTensor(slots, args, input));
  }
  for (const OutputSlot output : part.outputs) {
    graph.outputs.push_back(FindTensor(slots, args, output));
  }
  return graph;
}

Graph BuildGraph(const WorkloadArgs& args) {
  Graph graph;
  Node node = MakeNode(args.layer_type, args.layer_name, *args.descriptor);
  for (std::uint32_t index = 0; index < args.num_inputs; ++index) {
    if (args.constants[index] != nullptr) {
      node.inputs.push_back(AddBorrowed(graph, *args.constants[index]));
    } else {
      node.inputs.push_back(AddTensor(graph, *args.inputs[index]));
    }
    graph.inputs.push_back(node.inputs.back());
  }
  for (std::uint32_t index = 0; index < args.num_outputs; ++index) {
    node.outputs.push_back(AddTensor(graph, *args.outputs[index]));
  }
  graph.outputs = node.outputs;
  graph.nodes.push_back(std::move(node));
  return graph;
}

}  // namespace cpuacc
}  // namespace backplane
