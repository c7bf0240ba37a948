#pragma once

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace backplane::onnx::test {

/// Data for one input, or an output.
struct Data {
  Data() = default;
  Data(const TensorShape& shape, const std::vector<float>& values);
  Data(const TensorShape& shape, const std::vector<std::int64_t>& values);
  Data(const TensorShape& shape, const std::vector<bool>& values);

  template <typename Element>
  std::vector<Element> Get() const {
    const auto* const begin = reinterpret_cast<const Element*>(bytes.data());
    return {begin, begin + bytes.size() / sizeof(Element)};
  }

  TensorInfo info;
  std::vector<unsigned char> bytes;
};

/// A model in ONNX's text form, imported, loaded on CpuRef.
class OpenModel {
 public:
  /// `graph` as "f (float[N] x) => (float[N] y) { y = Neg(x) }".
  explicit OpenModel(const std::string& graph, const ImportOptions& options = {},
                     const OptimizerOptions& optimizer_options = {});
  explicit OpenModel(const ::onnx::ModelProto& model, const ImportOptions& options = {},
                     const OptimizerOptions& optimizer_options = {});

  bool IsOpen() const { return is_open_; }
  /// All outputs, in memory of the runtime. A run that fails is a test failure.
  std::vector<Data> Run(const std::vector<Data>& inputs);
  /// What a run is told that fails.
  Diagnostic RunError(const std::vector<Data>& inputs, const RunOptions& options = {});
  Status Enqueue(const std::vector<Data>& inputs, const OutputTensors& outputs,
                 const RunOptions& options, std::optional<Diagnostic>& failure);

  IRuntime& GetRuntime() { return *runtime_; }
  const IOptimizedNetwork& GetNetwork() const { return *network_; }
  NetworkId GetId() const { return id_; }

 private:
  bool is_open_ = false;
  std::unique_ptr<IRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> network_;
  NetworkId id_ = 0;
};

/// A model of operator set 17 with that graph, which may call functions of the domain "local".
::onnx::ModelProto ParseCaller(const std::string& graph);

/// Runs the model, and compares all outputs: types, shapes and bytes.
void ExpectOutputs(const ::onnx::ModelProto& model, const std::vector<Data>& inputs,
                   const std::vector<Data>& expected);

/// A whole model of operator set 16, or of what stands in front of it within <>, with that graph,
/// serialised.
std::string MakeModel(const std::string& graph);

/// Which inputs and outputs are no single tensors.
struct BindingForms {
  std::set<std::string> sequences;
  std::set<std::string> optionals;
};

/// As MakeModel, of which the types in the text are those of the tensors in them.
::onnx::ModelProto MakeModelOf(const std::string& graph, const BindingForms& forms);

}  // namespace backplane::onnx::test
