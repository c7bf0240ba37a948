#include "execution/tensor_bindings.hpp"

#include <algorithm>
#include <cstring>

namespace backplane {

namespace {

bool HasRoom(const void* data, std::uint64_t size_bytes) {
  return data != nullptr || size_bytes == 0;
}

// As many as there are, each with an id of its own that exists: so none is missing.
template <typename Tensors, typename Fits>
bool AreGivenOnce(const Tensors& given, std::size_t expected, std::vector<std::uint8_t>& marks,
                  const Fits& fits) {
  if (given.size() != expected) return false;
  std::fill(marks.begin(), marks.end(), std::uint8_t{0});
  return std::all_of(given.begin(), given.end(), [&](const auto& tensor) {
    if (tensor.id >= expected || marks[tensor.id] != 0) return false;
    marks[tensor.id] = 1;
    return fits(tensor);
  });
}

}  // namespace

bool AreBindingsRight(const ExecutionPlan& plan, const InputTensors& inputs,
                      const OutputTensors& outputs, std::vector<std::uint8_t>& marks) {
  const auto input_fits = [&](const InputTensor& input) {
    const TensorInfo& expected = *plan.tensors[plan.inputs[input.id]].info;
    return input.tensor.info == expected && HasRoom(input.tensor.data, expected.GetSizeBytes());
  };
  const auto output_fits = [&](const OutputTensor& output) {
    const TensorInfo& expected = *plan.tensors[plan.outputs[output.id]].info;
    return output.size_bytes == expected.GetSizeBytes() && HasRoom(output.data, output.size_bytes);
  };
  return AreGivenOnce(inputs, plan.inputs.size(), marks, input_fits) &&
         AreGivenOnce(outputs, plan.outputs.size(), marks, output_fits);
}

void CopyInputs(const ExecutionPlan& plan, const InputTensors& inputs,
                const WorkingMemory& memory) {
  for (const InputTensor& input : inputs) {
    const std::uint32_t tensor = plan.inputs[input.id];
    const std::uint64_t size_bytes = plan.tensors[tensor].info->GetSizeBytes();
    if (size_bytes != 0) std::memcpy(memory.GetData(tensor), input.tensor.data, size_bytes);
  }
}

void CopyOutputs(const ExecutionPlan& plan, const OutputTensors& outputs,
                 const WorkingMemory& memory) {
  for (const OutputTensor& output : outputs) {
    if (output.size_bytes == 0) continue;
    std::memcpy(output.data, memory.GetData(plan.outputs[output.id]), output.size_bytes);
  }
}

}  // namespace backplane
