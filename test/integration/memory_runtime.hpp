#pragma once

/// Networks on the reference backend and on the mocks with kinds of tensor memory.

#include "mock_rows.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

BACKPLANE_DECLARE_STATIC_BACKEND(Backplane_CpuRef);

namespace backplane::test {

using Floats = std::vector<float>;

inline TensorInfo Float(const TensorShape& shape) {
  return {shape, DataType::kFloat32};
}

/// Lets the first imports of tensors by a mock fail.
inline OptimizerOptions FailImports(const std::string& mock, int number) {
  OptimizerOptions options;
  options.model_options = {{GetMockRow(mock).id, {{"fail_imports", number}}}};
  return options;
}

/// The value of a capability by which the mocks count what was done with their tensors.
inline std::int64_t GetCount(const IRuntime& runtime, const std::string& mock,
                             const std::string& name) {
  const auto backend =
      runtime.GetDeviceSpec().GetRegistry().CreateBackend(GetMockRow(mock).id).Share();
  for (const BackendOption& capability : backend->GetCapabilities()) {
    if (capability.name == name) return capability.value.int_value;
  }
  ADD_FAILURE() << mock << " does not count " << name;
  return -1;
}

/// A network, whose layers are given to mocks by the names of their rows, or to "CpuRef"
/// or "CpuAcc".
class MemoryNetwork {
 public:
  explicit MemoryNetwork(const std::string& name = "net") : network_(INetwork::Create(name)) {}

  OutputSlot Input(const TensorShape& shape) {
    return network_->AddInputLayer(Float(shape), "x" + std::to_string(num_inputs_++));
  }
  OutputSlot Constant(const TensorShape& shape, const Floats& values) {
    const auto data = CopyConstantData(values.data(), values.size() * sizeof(float));
    return network_->AddConstantLayer(Float(shape), data, "constant");
  }
  OutputSlot Relu(OutputSlot x, const std::string& mock) {
    return Place({AddLayer<LayerType::kActivation>(*network_, ActivationDescriptor(), {x},
                                                   Name("relu", mock)),
                  0},
                 mock);
  }
  OutputSlot Add(OutputSlot a, OutputSlot b, const std::string& mock) {
    return Place({AddLayer<LayerType::kElementwiseBinary>(*network_, ElementwiseBinaryDescriptor(),
                                                          {a, b}, Name("add", mock)),
                  0},
                 mock);
  }
  OutputSlot Concat(const std::vector<OutputSlot>& parts, const std::string& mock) {
    return ConcatAlong(0, parts, mock);
  }
  OutputSlot ConcatAlong(std::uint32_t axis, const std::vector<OutputSlot>& parts,
                         const std::string& mock) {
    ConcatDescriptor concat;
    concat.axis = axis;
    return Place({AddLayer<LayerType::kConcat>(*network_, concat, parts, Name("concat", mock)), 0},
                 mock);
  }
  OutputSlot View(OutputSlot x, const TensorShape& shape, const std::string& mock) {
    ReshapeDescriptor reshape;
    reshape.rank = shape.rank;
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) reshape.dims[axis] = shape[axis];
    return Place({AddLayer<LayerType::kReshape>(*network_, reshape, {x}, Name("view", mock)), 0},
                 mock);
  }
  /// Two halves along the first axis of a vector.
  std::vector<OutputSlot> Halve(OutputSlot x, const std::string& mock) {
    SplitDescriptor split;
    split.num_parts = 2;
    const std::int64_t extent = network_->GetTensorInfo(x).shape[0];
    split.extents[0] = split.extents[1] = extent / 2;
    const OutputSlot first =
        Place({AddLayer<LayerType::kSplit>(*network_, split, {x}, Name("split", mock)), 0}, mock);
    return {first, {first.layer, 1}};
  }
  void Output(OutputSlot y) { network_->AddOutputLayer(y, "y" + std::to_string(num_outputs_++)); }

  /// From now on, another backend has all layers.
  void GiveAllTo(const std::string& mock) {
    for (const NetworkOperator& layer : network_->GetOperators()) Place({layer.id, 0}, mock);
  }

  const INetwork& Get() const { return *network_; }

 private:
  std::string Name(const std::string& what, const std::string& mock) {
    return what + std::to_string(num_layers_++) + " on " + mock;
  }
  OutputSlot Place(OutputSlot made, const std::string& mock) {
    const bool is_mock = mock != "CpuRef" && mock != "CpuAcc";
    network_->SetBackendHint(made.layer, is_mock ? GetMockRow(mock).id : mock);
    return made;
  }

  std::unique_ptr<INetwork> network_;
  int num_inputs_ = 0;
  int num_outputs_ = 0;
  int num_layers_ = 0;
};

/// A runtime with the reference backend and the mocks of some rows.
class MemoryRuntime {
 public:
  explicit MemoryRuntime(const std::vector<std::string>& mocks, CheckFlags checks = kNoChecks) {
    for (const std::string& mock : mocks) directory_.Add(mock);
    BackendRegistry& registry = BackendRegistry::GetProcessRegistry();
    RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Backplane_CpuRef));
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.checks = checks;
    runtime_ = IRuntime::Create(options);
    registry.Deregister("CpuRef");
  }

  IRuntime& operator*() const { return *runtime_; }
  IRuntime* operator->() const { return runtime_.get(); }

  std::shared_ptr<const IOptimizedNetwork> Optimize(const MemoryNetwork& network,
                                                    const OptimizerOptions& options = {}) const {
    return backplane::Optimize(network.Get(), {"CpuRef"}, runtime_->GetDeviceSpec(), options);
  }
  NetworkId Load(const MemoryNetwork& network, const OptimizerOptions& options = {}) const {
    return runtime_->LoadNetwork(Optimize(network, options));
  }

 private:
  MockDirectory directory_;
  std::unique_ptr<IRuntime> runtime_;
};

/// Memory of the application for floats, some bytes after a place where a page begins.
class Buffer {
 public:
  explicit Buffer(std::size_t count, std::size_t misaligned_bytes = 0);
  explicit Buffer(const Floats& values, std::size_t misaligned_bytes = 0)
      : Buffer(values.size(), misaligned_bytes) {
    Write(values);
  }

  void* GetData() { return begin_; }
  std::size_t GetSizeBytes() const { return count_ * sizeof(float); }
  std::int64_t GetCount() const { return static_cast<std::int64_t>(count_); }
  void Write(const Floats& values);
  Floats Read() const;

 private:
  std::size_t count_;
  std::shared_ptr<void> storage_;
  unsigned char* begin_;
};

/// For a tensor of this shape; one axis when there is none.
InputTensor AsInput(LayerBindingId id, Buffer& buffer, MemoryUse use = MemoryUse::kImportElseCopy);
InputTensor AsInput(LayerBindingId id, Buffer& buffer, const TensorShape& shape);
OutputTensor AsOutput(LayerBindingId id, Buffer& buffer,
                      MemoryUse use = MemoryUse::kImportElseCopy);

/// Runs, and fails the test when the run fails.
void ExpectRun(IRuntime& runtime, NetworkId network, const InputTensors& inputs,
               const OutputTensors& outputs);

/// Runs, and gives the failure; fails the test when there is none.
Diagnostic ExpectFailure(IRuntime& runtime, NetworkId network, const InputTensors& inputs,
                         const OutputTensors& outputs, Status status);

/// What is counted of one input or output.
void ExpectTransfers(const BindingTransfers& transfers, std::uint64_t imported_runs,
                     std::uint64_t copied_runs, std::uint64_t copied_bytes,
                     const std::string& reason);

/// The diagnostic that `action` throws; fails the test when it throws none.
template <typename Action>
Diagnostic CatchDiagnostic(const Action& action) {
  try {
    action();
  } catch (const DiagnosticException& exception) {
    return exception.GetDiagnostic();
  }
  ADD_FAILURE() << "no DiagnosticException was thrown";
  return Diagnostic{DiagnosticCode{}};
}

}  // namespace backplane::test
