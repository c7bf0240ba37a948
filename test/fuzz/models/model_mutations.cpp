#include "model_mutations.hpp"

#include "mutation_collector.hpp"

namespace backplane::fuzz {

std::vector<ModelMutation> MakeMutations(const ::onnx::ModelProto& model) {
  const ::onnx::GraphProto& graph = model.graph();
  if (model.opset_import_size() == 0 || graph.node_size() == 0 || graph.input_size() == 0 ||
      graph.output_size() == 0) {
    return {};
  }
  MutationCollector to;
  AddNameMutations(graph, to);
  AddNumberMutations(graph, to);
  AddTensorMutations(graph, to);
  return to.Take();
}

}  // namespace backplane::fuzz
