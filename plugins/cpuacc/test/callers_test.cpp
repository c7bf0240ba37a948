// Several threads that run one compiled network at the same time, with one pool of helpers.

#include "memory/aligned_memory.hpp"
#include "subgraphs/compile_graph.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/convolution.hpp>
#include <backplane/api/descriptors/softmax.hpp>
#include <backplane/api/descriptors/top_k.hpp>

#include <thread>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

constexpr int kThreadsOfRuns = 3;

ConvolutionDescriptor MakeWindowOfCallers() {
  ConvolutionDescriptor descriptor;
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    descriptor.pads_begin[axis] = descriptor.pads_end[axis] = 1;
  }
  return descriptor;
}

/// Primitives in parts, loops of our own, and steps that have one thread.
void BuildNetworkOfCallers(NetworkCase& network) {
  const TensorShape image = {1, 16, 48, 48};
  const TensorId input = network.AddInput(image);
  TensorId x =
      network.Add(LayerType::kConvolution, MakeWindowOfCallers(),
                  {input, network.AddConstant({16, 16, 3, 3}), network.AddConstant({16})}, image);
  x = network.Add(LayerType::kActivation, ActivationDescriptor(), {x}, image);
  const std::vector<TensorId> quantised = network.AddLayer(
      LayerType::kDynamicQuantize, NoDescriptor(), {x},
      {TensorInfo(image, DataType::kUInt8), Float({}), TensorInfo({}, DataType::kUInt8)});
  const TensorInfo weights({16, 16, 3, 3}, DataType::kInt8);
  x = network.AddLayer(
      LayerType::kIntegerConvolution, MakeWindowOfCallers(),
      {quantised[0], network.AddConstant(MakeRandomTensor(weights, network.GetRandom())),
       quantised[2]},
      {TensorInfo(image, DataType::kInt32)})[0];
  CastDescriptor cast;
  cast.to = DataType::kFloat32;
  x = network.Add(LayerType::kCast, cast, {x}, image);
  network.AddOutput(network.Add(LayerType::kSoftmax, SoftmaxDescriptor(), {x}, image));
  TopKDescriptor best;
  best.axis = 3;
  best.k = 3;
  for (const TensorId output :
       network.AddLayer(LayerType::kTopK, best, {x},
                        {Float({1, 16, 48, 3}), TensorInfo({1, 16, 48, 3}, DataType::kInt64)})) {
    network.AddOutput(output);
  }
}

class OneCaller {
 public:
  OneCaller(const cpuacc::CompiledGraph& compiled, const Graph& graph,
            const std::vector<StoredTensor>& inputs)
      : compiled_(compiled),
        arena_(cpuacc::AllocateAligned(compiled.GetMemoryBytes())),
        state_(compiled, static_cast<unsigned char*>(arena_.get())),
        inputs_(inputs) {
    for (const TensorId output : graph.outputs) outputs_.emplace_back(graph.tensors[output].info);
  }

  void Run(cpuacc::ThreadPool& pool) {
    std::vector<void*> from;
    std::vector<void*> to;
    for (StoredTensor& input : inputs_) from.push_back(input.bytes.data());
    for (StoredTensor& output : outputs_) to.push_back(output.bytes.data());
    compiled_.Run(from.data(), to.data(), state_, cpuacc::StepReporter(nullptr, ""), pool);
  }

  const std::vector<StoredTensor>& GetOutputs() const { return outputs_; }

 private:
  const cpuacc::CompiledGraph& compiled_;
  const std::shared_ptr<void> arena_;
  cpuacc::CompiledGraphState state_;
  std::vector<StoredTensor> inputs_;
  std::vector<StoredTensor> outputs_;
};

TEST(Callers, GetTheSameAtTheSameTime) {
  constexpr std::size_t kCallers = 4;
  constexpr int kRuns = 10;
  NetworkCase network;
  BuildNetworkOfCallers(network);
  const Graph& graph = network.GetGraph();
  const std::vector<StoredTensor> inputs = MakeInputs(graph, network.GetRandom());
  cpuacc::Options options;
  options.num_threads = kThreadsOfRuns;
  const std::vector<StoredTensor> expected = RunCompiled(graph, inputs, options);
  cpuacc::ThreadPool pool;
  const auto compiled = cpuacc::CompileGraph(graph, options, pool);
  std::vector<std::unique_ptr<OneCaller>> callers;
  for (std::size_t i = 0; i < kCallers; ++i) {
    callers.push_back(std::make_unique<OneCaller>(*compiled, graph, inputs));
  }
  std::vector<std::thread> threads;
  for (const auto& caller : callers) {
    threads.emplace_back([&] {
      for (int run = 0; run < kRuns; ++run) caller->Run(pool);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& caller : callers) ExpectSame(caller->GetOutputs(), expected, Precision::kFast);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
