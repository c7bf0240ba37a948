#include "run_folder.hpp"

#include <backplane/onnx/import_model.hpp>
#include <backplane/onnx/tensor_file.hpp>
#include <backplane/runtime/optimize.hpp>

#include "constant_inputs.hpp"
#include "inputs/test_data.hpp"
#include "results/compare.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

using execute_network::DataSet;
using onnx::NamedTensor;

using Tensors = std::vector<NamedTensor>;

// As the runner of ONNX has them. Integers and bool are compared exactly.
constexpr execute_network::WantedTolerance kTolerance{1e-7, 1e-3, 0};

// The test data of ONNX has bfloat16 as the bits of uint16.
NamedTensor ReadTensor(const std::string& path, DataType stated) {
  NamedTensor tensor = onnx::ReadTensorFile(path);
  const bool has_bits = tensor.info.data_type == DataType::kUInt16;
  if (stated == DataType::kBFloat16 && has_bits) tensor.info.data_type = stated;
  return tensor;
}

// The files are in the order of the inputs; those at the end may be missing.
Tensors ReadInputs(const std::string& model, const DataSet& set) {
  const std::vector<onnx::ModelInput> stated = onnx::ReadModelInputs(model);
  Tensors inputs;
  for (std::size_t index = 0; index < std::min(stated.size(), set.inputs.size()); ++index) {
    inputs.push_back(ReadTensor(set.inputs[index], stated[index].data_type));
    inputs.back().name = stated[index].name;
  }
  return inputs;
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

  Tensors Run(const Tensors& inputs) {
    InputTensors input_tensors;
    for (const NetworkBinding& binding : network_->GetInputs()) {
      const NamedTensor& input = FindTensor(inputs, binding.name);
      input_tensors.push_back({binding.id, {input.info, input.data.data()}});
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
  static Tensors Copy(const std::vector<NetworkBinding>& outputs,
                      const std::vector<ResultTensor>& results) {
    Tensors tensors;
    for (std::size_t index = 0; index < outputs.size(); ++index) {
      const auto* data = static_cast<const unsigned char*>(results[index].data.get());
      const TensorInfo& info = results[index].info;
      tensors.push_back({outputs[index].name, info, {data, data + info.GetSizeBytes()}});
    }
    return tensors;
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

Outcome RunDataSet(IRuntime& runtime, const Preferences& backends, const std::string& model,
                   const DataSet& set, InputUse use) {
  const Tensors inputs = ReadInputs(model, set);
  const onnx::ImportedModel imported = Import(model, inputs, use);
  const Tensors outputs = LoadedNetwork(runtime, backends, *imported.network).Run(inputs);
  for (std::size_t index = 0; index < std::min(outputs.size(), set.outputs.size()); ++index) {
    const NamedTensor expected = ReadTensor(set.outputs[index], outputs[index].info.data_type);
    const auto comparison = execute_network::Compare(outputs[index], expected, kTolerance);
    if (!comparison.is_equal) {
      const std::string test = fs::path(model).parent_path().filename().string();
      return MakeDifferent(test, outputs[index].name, set.name + ": " + comparison.difference);
    }
  }
  return MakePassed();
}

}  // namespace

Outcome RunFolder(IRuntime& runtime, const Preferences& backends, const fs::path& folder,
                  InputUse use) {
  const std::string model = (folder / "model.onnx").string();
  try {
    for (const DataSet& set : execute_network::FindDataSets(folder.string())) {
      Outcome outcome = RunDataSet(runtime, backends, model, set, use);
      if (!outcome.has_passed) return outcome;
    }
    return MakePassed();
  } catch (const DiagnosticException& exception) {
    return MakeFailed(model, exception.GetDiagnostic());
  }
}

}  // namespace backplane::test
