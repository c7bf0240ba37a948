#include "model_mutations.hpp"

#include "mutation_collector.hpp"

namespace backplane::fuzz {

std::vector<ModelMutation> MakeMutations(const ::onnx::ModelProto& model) {
  MutationCollector to;
  AddNameMutations(model.graph(), to);
  AddNumberMutations(model.graph(), to);
  AddTensorMutations(model.graph(), to);
  return to.Take();
}

}  // namespace backplane::fuzz
