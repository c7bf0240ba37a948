#include "harness/host_tensors.hpp"

namespace backplane::check_backend {

using conformance::StoredTensor;

HostTensors::HostTensors(const Sample& sample, GuardedSide side, unsigned char garbage,
                         const std::string& of_run) {
  for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
    inputs.push_back(std::make_unique<GuardedTensor>(sample.inputs[i], side,
                                                     "input " + std::to_string(i) + of_run));
  }
  for (std::size_t i = 0; i < sample.made.outputs.size(); ++i) {
    outputs.push_back(std::make_unique<GuardedTensor>(StoredTensor(sample.made.outputs[i]), side,
                                                      "output " + std::to_string(i) + of_run));
    outputs.back()->Fill(garbage);
  }
}

std::vector<StoredTensor> HostTensors::ReadOutputs() const {
  std::vector<StoredTensor> results;
  for (const auto& output : outputs) results.push_back(output->Read());
  return results;
}

Status RunOn(const Running& running, const HostTensors& tensors) {
  return conformance::Execute(*running.workload, GetHandles(tensors.inputs),
                              GetHandles(tensors.outputs), running.state.get());
}

bool IsRightElsewhere(const Running& running, const Sample& sample) {
  const HostTensors tensors(sample, GuardedSide::kBefore, 0);
  return RunOn(running, tensors) == Status::kSuccess &&
         FindWrongResult(sample, tensors.ReadOutputs()).empty();
}

Sample ChangeInputs(const Sample& sample, std::uint32_t seed) {
  conformance::Random random(seed * 7919 + static_cast<std::uint32_t>(sample.made.type));
  Sample other = sample;
  other.inputs = conformance::MakeInputs(sample.layer, sample.made, random);
  return other;
}

}  // namespace backplane::check_backend
