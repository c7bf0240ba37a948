#include "test/run_on_cpuacc.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc_test {

std::string GetCpuAccRefusal(const TestLayer& layer) {
  const std::vector<const TensorInfo*> inputs = GetPointers(layer.inputs);
  const std::vector<const TensorInfo*> outputs = GetPointers(layer.outputs);
  const std::vector<std::uint8_t> input_is_constant(inputs.size(), 0);
  LayerSupportQuery query;
  query.layer_type = layer.type;
  query.layer_name = "layer under test";
  query.descriptor = layer.GetDescriptor();
  query.inputs = inputs.data();
  query.outputs = outputs.data();
  query.num_inputs = static_cast<std::uint32_t>(inputs.size());
  query.num_outputs = static_cast<std::uint32_t>(outputs.size());
  query.input_is_constant = input_is_constant.data();
  const std::string untouched = "untouched";
  std::string reason = untouched;
  const bool is_supported =
      MakeCpuAcc()->GetLayerSupport(LayerSupportArgs())->IsLayerSupported(query, reason);
  EXPECT_EQ(is_supported, reason == untouched) << "a reason goes with a refusal, and only with it";
  EXPECT_FALSE(reason.empty());
  return is_supported ? "" : reason;
}

std::unique_ptr<IWorkload> MakeCpuAccWorkload(const TestLayer& layer,
                                              const std::vector<StoredTensor>& inputs,
                                              const RunSetup& setup,
                                              std::unique_ptr<IWorkloadFactory>& factory) {
  const std::vector<const TensorInfo*> input_infos = GetPointers(layer.inputs);
  const std::vector<const TensorInfo*> output_infos = GetPointers(layer.outputs);
  std::vector<ConstTensor> contents(inputs.size());
  std::vector<const ConstTensor*> constants(inputs.size(), nullptr);
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    contents[index] = {inputs[index].info, inputs[index].bytes.data()};
    if (setup.IsConstant(index)) constants[index] = &contents[index];
  }
  WorkloadArgs args;
  args.layer_type = layer.type;
  args.layer_name = "layer under test";
  args.descriptor = layer.GetDescriptor();
  args.inputs = input_infos.data();
  args.outputs = output_infos.data();
  args.num_inputs = static_cast<std::uint32_t>(input_infos.size());
  args.num_outputs = static_cast<std::uint32_t>(output_infos.size());
  args.constants = constants.data();
  const BackendOptions options = MakeThreadOptions(setup.num_threads);
  WorkloadFactoryArgs factory_args;
  factory_args.options = &options;
  factory = MakeCpuAcc()->CreateWorkloadFactory(factory_args);
  return factory->CreateWorkload(args);
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
