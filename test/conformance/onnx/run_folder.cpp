#include "run_folder.hpp"

#include <backplane/onnx/import_model.hpp>
#include <backplane/onnx/tensor_file.hpp>
#include <backplane/runtime/optimize.hpp>

#include "constant_inputs.hpp"
#include "inputs/test_data.hpp"
#include "results/compare.hpp"
#include "tensors/flatten.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

using execute_network::DataSet;
using execute_network::Tensors;
using onnx::NamedTensor;

// The test data of ONNX has bfloat16 as the bits of uint16.
NamedTensor ReadTensor(const std::string& path, DataType stated) {
  NamedTensor tensor = onnx::ReadTensorFile(path);
  const bool has_bits = tensor.info.data_type == DataType::kUInt16;
  if (stated == DataType::kBFloat16 && has_bits) tensor.info.data_type = stated;
  return tensor;
}

struct Inputs {
  Tensors tensors;
  std::map<std::string, StageValue> values;  // sequences and optionals
};

// The files are in the order of the inputs; those at the end may be missing.
Inputs ReadInputs(const std::string& model, const DataSet& set) {
  const std::vector<onnx::ModelInput> stated = onnx::ReadModelInputs(model);
  Inputs inputs;
  for (std::size_t index = 0; index < std::min(stated.size(), set.inputs.size()); ++index) {
    const onnx::ModelInput& input = stated[index];
    if (!input.IsTensor()) {
      inputs.values[input.name] =
          onnx::ReadValueFile(set.inputs[index], {input.is_sequence, input.is_optional});
      continue;
    }
    inputs.tensors.push_back(ReadTensor(set.inputs[index], input.data_type));
    inputs.tensors.back().name = input.name;
  }
  return inputs;
}

/// An output, or what it should be: one tensor, or those of a sequence.
struct Output {
  NetworkBinding binding;
  Tensors tensors;
};

Tensors ReadExpected(const std::string& path, const NetworkBinding& output, DataType found) {
  if (output.IsTensor()) return {ReadTensor(path, found)};
  return execute_network::Flatten(
      output.name, onnx::ReadValueFile(path, {output.is_sequence, output.is_optional}));
}

const NamedTensor& FindTensor(const Tensors& tensors, const std::string& name) {
  for (const NamedTensor& tensor : tensors) {
    if (tensor.name == name) return tensor;
  }
  throw DiagnosticException({DiagnosticCode::kTensorFileUnreadable,
                             Severity::kError,
                             {SubjectKind::kTensor, name},
                             "the test data has no file for input " + name,
                             "",
                             "",
                             {}});
}

/// A network while it is loaded.
class LoadedNetwork {
 public:
  LoadedNetwork(IRuntime& runtime, const Preferences& backends, const INetwork& network)
      : runtime_(runtime),
        network_(Optimize(network, backends, runtime.GetDeviceSpec())),
        id_(runtime.LoadNetwork(network_)) {}
  ~LoadedNetwork() { runtime_.UnloadNetwork(id_); }
  LoadedNetwork(const LoadedNetwork&) = delete;
  LoadedNetwork& operator=(const LoadedNetwork&) = delete;

  std::vector<Output> Run(const Inputs& inputs) {
    InputTensors input_tensors;
    for (const NetworkBinding& binding : network_->GetInputs()) {
      InputTensor given;
      given.id = binding.id;
      const auto value = inputs.values.find(binding.name);
      if (value != inputs.values.end()) {
        given.value = &value->second;
      } else {
        const NamedTensor& input = FindTensor(inputs.tensors, binding.name);
        given.tensor = {input.info, input.data.data()};
      }
      input_tensors.push_back(given);
    }
    const std::vector<NetworkBinding> outputs = network_->GetOutputs();
    std::vector<ResultTensor> results(outputs.size());
    OutputTensors output_tensors;
    for (std::size_t index = 0; index < outputs.size(); ++index) {
      OutputTensor tensor;
      tensor.id = outputs[index].id;
      tensor.result = &results[index];
      output_tensors.push_back(tensor);
    }
    std::optional<Diagnostic> failure;
    const Status status = runtime_.EnqueueWorkload(id_, input_tensors, output_tensors, &failure);
    if (status != Status::kSuccess) throw DiagnosticException(failure.value());
    return Copy(outputs, results);
  }

 private:
  static std::vector<Output> Copy(const std::vector<NetworkBinding>& bindings,
                                  const std::vector<ResultTensor>& results) {
    std::vector<Output> outputs;
    for (std::size_t index = 0; index < bindings.size(); ++index) {
      const NetworkBinding& binding = bindings[index];
      const ResultTensor& result = results[index];
      const StageValue value =
          binding.IsTensor() ? MakeStageTensor(result.info, result.data) : result.value;
      outputs.push_back({binding, execute_network::Flatten(binding.name, value)});
    }
    return outputs;
  }

  IRuntime& runtime_;
  std::shared_ptr<const IOptimizedNetwork> network_;
  NetworkId id_;
};

onnx::ImportedModel Import(const std::string& model, const Tensors& inputs, InputUse use) {
  switch (use) {
    case InputUse::kInputs:
      return ImportForInputs(model, inputs);
    case InputUse::kInputsOnly:
      return ImportWithoutConstants(model, inputs);
    default:
      return ImportWithConstants(model, inputs);
  }
}

// Empty: none.
std::string FindDifference(const Output& output, const Tensors& expected,
                           const execute_network::WantedTolerance& tolerance) {
  if (output.tensors.size() != expected.size()) {
    return "it has " + std::to_string(output.tensors.size()) + " tensors, expected " +
           std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto comparison = execute_network::Compare(output.tensors[i], expected[i], tolerance);
    if (comparison.is_equal) continue;
    const bool is_whole = output.tensors[i].name == output.binding.name;
    return is_whole ? comparison.difference : output.tensors[i].name + ": " + comparison.difference;
  }
  return "";
}

Outcome RunDataSet(IRuntime& runtime, const Preferences& backends, const std::string& model,
                   const DataSet& set, InputUse use,
                   const execute_network::WantedTolerance& tolerance) {
  const Inputs inputs = ReadInputs(model, set);
  const onnx::ImportedModel imported = Import(model, inputs.tensors, use);
  const std::vector<Output> outputs =
      LoadedNetwork(runtime, backends, *imported.network).Run(inputs);
  for (std::size_t index = 0; index < std::min(outputs.size(), set.outputs.size()); ++index) {
    const Output& output = outputs[index];
    const DataType found =
        output.tensors.empty() ? DataType::kUndefined : output.tensors[0].info.data_type;
    const std::string difference =
        FindDifference(output, ReadExpected(set.outputs[index], output.binding, found), tolerance);
    if (!difference.empty()) {
      const std::string test = fs::path(model).parent_path().filename().string();
      return MakeDifferent(test, output.binding.name, set.name + ": " + difference);
    }
  }
  return MakePassed();
}

}  // namespace

Outcome RunFolder(IRuntime& runtime, const Preferences& backends, const fs::path& folder,
                  InputUse use, const execute_network::WantedTolerance& tolerance) {
  const std::string model = (folder / "model.onnx").string();
  try {
    for (const DataSet& set : execute_network::FindDataSets(folder.string())) {
      Outcome outcome = RunDataSet(runtime, backends, model, set, use, tolerance);
      if (!outcome.has_passed) return outcome;
    }
    return MakePassed();
  } catch (const DiagnosticException& exception) {
    return MakeFailed(model, exception.GetDiagnostic());
  }
}

}  // namespace backplane::test
