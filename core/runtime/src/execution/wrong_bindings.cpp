#include "execution/tensor_bindings.hpp"
#include "network/bindings.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace backplane {

namespace {

// What is wrong with the tensors given, one sentence each.
using Problems = std::vector<std::string>;

std::string NameBinding(const char* kind, const NetworkBinding& binding) {
  return std::string(kind) + " " + std::to_string(binding.id) + " (\"" +
         EscapeForDisplay(binding.name) + "\")";
}

template <typename Tensors>
void FindWrongIds(const char* kind, const std::vector<NetworkBinding>& bindings,
                  const Tensors& given, Problems& problems) {
  for (const NetworkBinding& binding : bindings) {
    const auto count = std::count_if(given.begin(), given.end(),
                                     [&](const auto& tensor) { return tensor.id == binding.id; });
    if (count == 1) continue;
    problems.push_back(NameBinding(kind, binding) + " is given " + std::to_string(count) +
                       " times, expected once");
  }
  for (const auto& tensor : given) {
    if (tensor.id < bindings.size()) continue;
    problems.push_back(std::string("there is no ") + kind + " " + std::to_string(tensor.id) +
                       ", expected less than " + std::to_string(bindings.size()));
  }
}

void FindWrongInputs(const std::vector<NetworkBinding>& bindings, const InputTensors& inputs,
                     Problems& problems) {
  for (const InputTensor& input : inputs) {
    if (input.id >= bindings.size() || input.imported != kNotImported) continue;
    const NetworkBinding& binding = bindings[input.id];
    const std::string name = NameBinding("input", binding);
    if (input.value != nullptr) {
      problems.push_back(name + " is given as a value, expected a tensor: the network takes no " +
                         "sequences and optionals");
    } else if (input.tensor.info != binding.info) {
      const bool is_quantization =
          DescribeTensor(input.tensor.info) == DescribeTensor(binding.info);
      problems.push_back(name + " is " + DescribeTensor(input.tensor.info) + ", expected " +
                         DescribeTensor(binding.info) +
                         (is_quantization ? " with the quantization of the network" : ""));
    } else if (input.tensor.data == nullptr && binding.info.GetSizeBytes() != 0) {
      problems.push_back(name + " has no data, expected " +
                         std::to_string(binding.info.GetSizeBytes()) + " bytes");
    }
  }
}

void FindWrongOutputs(const std::vector<NetworkBinding>& bindings, const OutputTensors& outputs,
                      Problems& problems) {
  for (const OutputTensor& output : outputs) {
    if (output.id >= bindings.size() || output.imported != kNotImported) continue;
    const NetworkBinding& binding = bindings[output.id];
    const std::string name = NameBinding("output", binding);
    const std::string expected =
        std::to_string(binding.info.GetSizeBytes()) + " bytes for " + DescribeTensor(binding.info);
    if (output.size_bytes != binding.info.GetSizeBytes()) {
      problems.push_back(name + " has room for " + std::to_string(output.size_bytes) +
                         " bytes, expected " + expected);
    } else if (output.data == nullptr && output.size_bytes != 0) {
      problems.push_back(name + " has no room, expected " + expected);
    }
  }
}

}  // namespace

Diagnostic DescribeWrongBindings(const Graph& graph, const InputTensors& inputs,
                                 const OutputTensors& outputs) {
  const std::vector<NetworkBinding> input_bindings = GetInputBindings(graph);
  const std::vector<NetworkBinding> output_bindings = GetOutputBindings(graph);
  Problems problems;
  FindWrongIds("input", input_bindings, inputs, problems);
  FindWrongInputs(input_bindings, inputs, problems);
  FindWrongIds("output", output_bindings, outputs, problems);
  FindWrongOutputs(output_bindings, outputs, problems);

  Diagnostic diagnostic{DiagnosticCode::kWrongTensorBinding};
  diagnostic.subject = {SubjectKind::kNetwork, graph.name};
  diagnostic.what = "the tensors given are not those of network \"" + graph.name + "\"";
  for (const std::string& problem : problems) {
    diagnostic.why += (diagnostic.why.empty() ? "" : "; ") + problem;
  }
  diagnostic.fix =
      "give every input and every output once, as IOptimizedNetwork::GetInputs and GetOutputs say";
  return diagnostic;
}

}  // namespace backplane
