#pragma once

/// Networks small enough to run on the mock backends.

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::test {

/// A runtime with the backends of one directory.
inline std::unique_ptr<IRuntime> CreateRuntime(const std::string& directory) {
  CreationOptions options;
  options.dynamic_backends_path = directory;
  return IRuntime::Create(options);
}

/// relu(a + b) for two tensors of two elements.
inline std::unique_ptr<INetwork> MakeSumAndRelu() {
  std::unique_ptr<INetwork> network = INetwork::Create("sum and relu");
  const TensorInfo info({2}, DataType::kFloat32);
  const OutputSlot a = network->AddInputLayer(info, "a");
  const OutputSlot b = network->AddInputLayer(info, "b");
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(
      *network, ElementwiseBinaryDescriptor(), {a, b}, "sum");
  const LayerId relu = AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(),
                                                        {OutputSlot{sum, 0}}, "relu");
  network->AddOutputLayer({relu, 0}, "result");
  return network;
}

/// Four values folded to 2 x 2, by one layer.
inline std::unique_ptr<INetwork> MakeFold(const std::string& layer_name = "fold") {
  std::unique_ptr<INetwork> network = INetwork::Create("fold");
  const OutputSlot x = network->AddInputLayer(TensorInfo({4}, DataType::kFloat32), "x");
  ReshapeDescriptor fold;
  fold.rank = 2;
  fold.dims[0] = 2;
  fold.dims[1] = 2;
  const LayerId layer = AddLayer<LayerType::kReshape>(*network, fold, {x}, layer_name);
  network->AddOutputLayer({layer, 0}, "y");
  return network;
}

/// Loads relu(a + b), runs it once and unloads it. Fails with an exception.
inline std::vector<float> RunSumAndRelu(IRuntime& runtime,
                                        const std::vector<std::string>& preferences,
                                        const std::vector<float>& a, const std::vector<float>& b) {
  const auto optimized = Optimize(*MakeSumAndRelu(), preferences, runtime.GetDeviceSpec());
  const NetworkId id = runtime.LoadNetwork(optimized);
  const TensorInfo info({2}, DataType::kFloat32);
  std::vector<float> result(2);
  std::optional<Diagnostic> failure;
  const Status status =
      runtime.EnqueueWorkload(id, {{0, {info, a.data()}}, {1, {info, b.data()}}},
                              {{0, result.data(), result.size() * sizeof(float)}}, &failure);
  runtime.UnloadNetwork(id);
  if (failure) throw DiagnosticException(*failure);
  if (status != Status::kSuccess) result.clear();
  return result;
}

}  // namespace backplane::test
