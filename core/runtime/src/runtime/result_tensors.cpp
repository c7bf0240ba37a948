#include "runtime/result_tensors.hpp"

#include "network/bindings.hpp"
#include "tensors/host_memory.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace backplane {

bool HaveResults(const OutputTensors& outputs) {
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const OutputTensor& output) { return output.result != nullptr; });
}

Status RunWithResults(const LoadedNetwork& network, const OutputTensors& outputs,
                      const std::function<Status(const OutputTensors& outputs)>& run) {
  const std::vector<NetworkBinding> bindings = GetOutputBindings(network.GetParts().network.graph);
  OutputTensors with_room = outputs;
  std::vector<std::shared_ptr<void>> memory(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    OutputTensor& output = with_room[i];
    if (output.result == nullptr || output.id >= bindings.size()) continue;
    const std::uint64_t size_bytes = bindings[output.id].info.GetSizeBytes();
    if (output.data == nullptr && output.imported == kNotImported) {
      memory[i] = AllocateHostMemory(size_bytes);
      output.data = memory[i].get();
      output.size_bytes = size_bytes;
    } else if (output.size_bytes > size_bytes) {
      output.size_bytes = size_bytes;
    }
  }
  const Status status = run(with_room);
  if (status != Status::kSuccess) return status;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    ResultTensor* const result = outputs[i].result;
    if (result == nullptr) continue;
    result->info = bindings[outputs[i].id].info;
    result->data = memory[i];
  }
  return status;
}

}  // namespace backplane
