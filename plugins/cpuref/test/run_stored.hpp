#pragma once

/// Runs one layer on CpuRef, on tensors of any data type.

#include "conformance/stored_handles.hpp"
#include "test/expect_stored.hpp"
#include "test/run_layer.hpp"

namespace backplane {
namespace cpuref_test {

/// Asks, makes and runs a layer; what the outputs were filled with before after a refusal.
inline std::vector<StoredTensor> RunStoredForAll(LayerType type, const BaseDescriptor& descriptor,
                                                 std::vector<StoredTensor> inputs,
                                                 const std::vector<TensorInfo>& output_infos) {
  TestLayer layer(type, descriptor, {}, {});
  for (const StoredTensor& input : inputs) layer.inputs.push_back(input.info);
  layer.outputs = output_infos;
  std::vector<StoredTensor> outputs(output_infos.begin(), output_infos.end());
  for (StoredTensor& output : outputs) output.bytes.assign(output.bytes.size(), 77);
  const std::string refusal = GetRefusal(layer);
  EXPECT_EQ(refusal, "");
  if (!refusal.empty()) return outputs;
  const StoredHandles input_handles(inputs);
  const StoredHandles output_handles(outputs);
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(layer, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, input_handles.Get(), output_handles.Get(), state.get()),
            Status::kSuccess);
  return outputs;
}

/// The same for a layer with one output.
inline StoredTensor RunStored(LayerType type, const BaseDescriptor& descriptor,
                              std::vector<StoredTensor> inputs, const TensorInfo& output_info) {
  return RunStoredForAll(type, descriptor, std::move(inputs), {output_info})[0];
}

/// The same for float32 tensors.
inline std::vector<float> RunLayer(LayerType type, const BaseDescriptor& descriptor,
                                   const std::vector<FloatTensor>& inputs,
                                   const TensorShape& output) {
  std::vector<StoredTensor> stored;
  for (const FloatTensor& input : inputs) stored.push_back(MakeStored(input.GetInfo(), input.data));
  return GetStored<float>(
      RunStored(type, descriptor, std::move(stored), TensorInfo(output, DataType::kFloat32)));
}

}  // namespace cpuref_test
}  // namespace backplane
