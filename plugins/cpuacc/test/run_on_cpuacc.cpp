#include "test/run_on_cpuacc.hpp"

#include <cstddef>
#include <utility>

namespace backplane {
namespace cpuacc_test {

std::string GetCpuAccRefusal(const TestLayer& layer) {
  return GetRefusal(*MakeCpuAcc(), layer);
}

std::unique_ptr<IWorkload> MakeCpuAccWorkload(const TestLayer& layer,
                                              const std::vector<StoredTensor>& inputs,
                                              const RunSetup& setup,
                                              std::unique_ptr<IWorkloadFactory>& factory) {
  std::vector<ConstTensor> contents(inputs.size());
  std::vector<const ConstTensor*> constants(inputs.size(), nullptr);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    contents[index] = {inputs[index].info, inputs[index].bytes.data()};
    if (setup.IsConstant(index)) constants[index] = &contents[index];
  }
  const BackendOptions options = MakeThreadOptions(setup.num_threads);
  WorkloadFactoryArgs factory_args;
  factory_args.options = &options;
  factory = MakeCpuAcc()->CreateWorkloadFactory(factory_args);
  return MakeWorkload(*factory, layer, std::move(constants));
}

std::vector<StoredTensor> RunOnCpuAcc(const TestLayer& layer, std::vector<StoredTensor> inputs,
                                      const RunSetup& setup) {
  std::vector<StoredTensor> outputs(layer.outputs.begin(), layer.outputs.end());
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeCpuAccWorkload(layer, inputs, setup, factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  const StoredHandles input_handles(inputs);
  const StoredHandles output_handles(outputs);
  for (int run = 0; run < 2; ++run) {
    for (StoredTensor& output : outputs) output.bytes.assign(output.bytes.size(), 77);
    EXPECT_EQ(Execute(*workload, input_handles.Get(), output_handles.Get(), state.get()),
              Status::kSuccess);
  }
  return outputs;
}

}  // namespace cpuacc_test
}  // namespace backplane
