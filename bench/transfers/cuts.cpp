#include "cuts.hpp"

#include "graph/network.hpp"

#include <map>

namespace bench {

using namespace backplane;

namespace {

class Cutter {
 public:
  Cutter(const Graph& graph, std::size_t num_backends)
      : graph_(graph), num_backends_(num_backends) {
    for (const Layer& layer : graph.layers) {
      num_layers_ += IsOperator(layer) ? 1 : 0;
      for (const OutputSlot input : layer.inputs) ++num_readers_[input.layer];
    }
  }

  std::size_t Choose(Cut cut, const Layer& layer) {
    const std::size_t number = next_++;
    switch (cut) {
      case Cut::kInTurn:
        return number % num_backends_;
      case Cut::kInParts:
        return number * num_backends_ / num_layers_;
      case Cut::kActivations:
        return layer.type == LayerType::kActivation ? 1 : 0;
      case Cut::kBranches:
        break;
    }
    return branch_of_[layer.id] = FindBranch(layer);
  }

 private:
  std::size_t FindBranch(const Layer& layer) {
    std::vector<LayerId> makers;
    for (const OutputSlot input : layer.inputs) {
      if (graph_.layers[input.layer].type != LayerType::kConstant) makers.push_back(input.layer);
    }
    if (makers.size() != 1) return 0;
    if (num_readers_[makers[0]] == 1) return branch_of_[makers[0]];
    return next_branch_of_[makers[0]]++ % num_backends_;
  }

  const Graph& graph_;
  const std::size_t num_backends_;
  std::size_t num_layers_ = 0;
  std::size_t next_ = 0;
  std::map<LayerId, std::size_t> num_readers_;
  std::map<LayerId, std::size_t> branch_of_;
  std::map<LayerId, std::size_t> next_branch_of_;  // of those who read the layer
};

}  // namespace

const char* GetText(Cut cut) {
  switch (cut) {
    case Cut::kInTurn:
      return "layers in turn";
    case Cut::kInParts:
      return "one part after the other";
    case Cut::kActivations:
      return "activations on the second";
    case Cut::kBranches:
      break;
  }
  return "branches in turn";
}

void CutNetwork(INetwork& network, Cut cut, const std::vector<std::string>& backends) {
  const Graph& graph = static_cast<const Network&>(network).GetGraph();
  Cutter cutter(graph, backends.size());
  for (const NetworkOperator& one : network.GetOperators()) {
    network.SetBackendHint(one.id, backends[cutter.Choose(cut, graph.layers[one.id])]);
  }
}

}  // namespace bench
