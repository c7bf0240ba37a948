#include "running/run_memory.hpp"

#include <cstring>
#include <utility>

namespace backplane::execute_network {

RunMemory::RunMemory(IRuntime& runtime, const std::vector<NetworkBinding>& bindings) {
  for (const NetworkBinding& binding : bindings) {
    buffers_.push_back({binding, runtime.AllocateTensorMemory(binding.info.GetSizeBytes())});
  }
}

RunMemory::RunMemory(IRuntime& runtime, const std::vector<NetworkBinding>& bindings,
                     const RunInputs& inputs) {
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const auto value = inputs.values.find(bindings[i].name);
    if (value != inputs.values.end()) {
      buffers_.push_back({bindings[i], nullptr, nullptr, value->second});
      continue;
    }
    const onnx::NamedTensor& tensor = inputs.tensors[i];
    auto data = runtime.AllocateTensorMemory(tensor.data.size());
    if (!tensor.data.empty()) std::memcpy(data.get(), tensor.data.data(), tensor.data.size());
    buffers_.push_back({{bindings[i].id, bindings[i].name, tensor.info}, std::move(data)});
  }
}

RunMemory RunMemory::ForResults(const std::vector<NetworkBinding>& bindings) {
  RunMemory memory;
  for (const NetworkBinding& binding : bindings) {
    memory.buffers_.push_back({binding, nullptr, std::make_shared<ResultTensor>()});
  }
  return memory;
}

std::vector<OutputValue> RunMemory::MakeValues() const {
  std::vector<OutputValue> values;
  for (const Buffer& buffer : buffers_) {
    const NetworkBinding& binding = buffer.binding;
    StageValue value;
    if (buffer.result == nullptr) {
      value = MakeStageTensor(binding.info, buffer.data);
    } else if (binding.IsTensor()) {
      value = MakeStageTensor(buffer.result->info, buffer.result->data);
    } else {
      value = buffer.result->value;
    }
    values.push_back({binding.name, {binding.is_sequence, binding.is_optional}, std::move(value)});
  }
  return values;
}

Tensors RunMemory::MakeTensors() const {
  Tensors tensors;
  for (const OutputValue& output : MakeValues()) {
    for (onnx::NamedTensor& tensor : Flatten(output.name, output.value)) {
      tensors.push_back(std::move(tensor));
    }
  }
  return tensors;
}

InputTensors RunMemory::GetInputs(MemoryUse use) const {
  InputTensors inputs;
  for (const Buffer& buffer : buffers_) {
    inputs.push_back({buffer.binding.id, {buffer.binding.info, buffer.data.get()}, use});
    if (buffer.value) inputs.back().value = &*buffer.value;
  }
  return inputs;
}

OutputTensors RunMemory::GetOutputs(MemoryUse use) const {
  OutputTensors outputs;
  for (const Buffer& buffer : buffers_) {
    OutputTensor output;
    output.id = buffer.binding.id;
    output.use = use;
    output.result = buffer.result.get();
    output.data = buffer.data.get();
    if (buffer.result == nullptr) output.size_bytes = buffer.binding.info.GetSizeBytes();
    outputs.push_back(output);
  }
  return outputs;
}

}  // namespace backplane::execute_network
