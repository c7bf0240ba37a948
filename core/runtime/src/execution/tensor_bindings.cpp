#include "execution/tensor_bindings.hpp"

#include <algorithm>

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
    if (input.imported != kNotImported) return true;
    if (input.value != nullptr) return false;
    const TensorInfo& expected = *plan.tensors[plan.inputs[input.id].tensor].info;
    return input.tensor.info == expected && HasRoom(input.tensor.data, expected.GetSizeBytes());
  };
  const auto output_fits = [&](const OutputTensor& output) {
    if (output.imported != kNotImported) return true;
    const TensorInfo& expected = *plan.tensors[plan.outputs[output.id].tensor].info;
    return output.size_bytes == expected.GetSizeBytes() && HasRoom(output.data, output.size_bytes);
  };
  return AreGivenOnce(inputs, plan.inputs.size(), marks, input_fits) &&
         AreGivenOnce(outputs, plan.outputs.size(), marks, output_fits);
}

}  // namespace backplane
