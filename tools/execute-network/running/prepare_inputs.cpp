#include "running/prepare_inputs.hpp"

#include "inputs/seeded_data.hpp"

namespace backplane::execute_network {

Tensors PrepareInputs(const std::vector<NetworkBinding>& inputs, const Case& one_case) {
  Tensors tensors;
  for (const NetworkBinding& input : inputs) {
    const auto file = one_case.inputs.find(input.name);
    tensors.push_back(file != one_case.inputs.end() ? file->second.tensor
                                                    : MakeSeededTensor(input.name, input.info));
  }
  return tensors;
}

}  // namespace backplane::execute_network
