#include "running/prepare_inputs.hpp"

#include "inputs/seeded_data.hpp"

namespace backplane::execute_network {

RunInputs PrepareInputs(const std::vector<NetworkBinding>& inputs, const Case& one_case) {
  RunInputs prepared;
  for (const auto& [name, file] : one_case.values) prepared.values.emplace(name, file.value);
  for (const NetworkBinding& input : inputs) {
    const auto file = one_case.inputs.find(input.name);
    if (file != one_case.inputs.end()) {
      prepared.tensors.push_back(file->second.tensor);
    } else if (prepared.values.count(input.name) > 0) {
      prepared.tensors.emplace_back();
    } else {
      prepared.tensors.push_back(MakeSeededTensor(input.name, input.info));
    }
  }
  return prepared;
}

}  // namespace backplane::execute_network
