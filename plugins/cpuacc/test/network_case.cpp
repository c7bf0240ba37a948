#include "test/network_case.hpp"

#include "memory/aligned_memory.hpp"
#include "passes/passes.hpp"
#include "subgraphs/compile_graph.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace backplane {
namespace cpuacc_test {
namespace {

cpuacc::Options MakeOptions(int num_threads) {
  cpuacc::Options options;
  options.num_threads = num_threads;
  return options;
}

StoredTensor GetContent(const cpuacc::GraphTensor& constant) {
  StoredTensor tensor(constant.info);
  const auto* bytes = static_cast<const unsigned char*>(constant.content.get());
  std::copy_n(bytes, tensor.bytes.size(), tensor.bytes.begin());
  return tensor;
}

/// The tensors that CpuRef has computed so far.
class KnownTensors {
 public:
  KnownTensors(const Graph& graph, const std::vector<StoredTensor>& inputs) : graph_(graph) {
    for (std::size_t index = 0; index < inputs.size(); ++index) {
      Set(graph.inputs[index], inputs[index]);
    }
  }

  void Set(TensorId id, const StoredTensor& tensor) { tensors_.emplace(id, tensor); }
  StoredTensor Get(TensorId id) const {
    return graph_.tensors[id].IsConstant() ? GetContent(graph_.tensors[id]) : tensors_.at(id);
  }
  std::vector<StoredTensor> GetAll(const std::vector<TensorId>& ids) const {
    std::vector<StoredTensor> tensors;
    for (const TensorId id : ids) tensors.push_back(Get(id));
    return tensors;
  }

 private:
  const Graph& graph_;
  std::map<TensorId, StoredTensor> tensors_;
};

std::vector<void*> GetAddresses(std::vector<StoredTensor>& tensors) {
  std::vector<void*> addresses;
  for (StoredTensor& tensor : tensors) addresses.push_back(tensor.bytes.data());
  return addresses;
}

}  // namespace

TensorId NetworkCase::AddTensor(const TensorInfo& info) {
  graph_.tensors.emplace_back();
  graph_.tensors.back().info = info;
  return static_cast<TensorId>(graph_.tensors.size() - 1);
}

TensorId NetworkCase::AddInput(const TensorInfo& info) {
  graph_.inputs.push_back(AddTensor(info));
  return graph_.inputs.back();
}

TensorId NetworkCase::AddConstant(const StoredTensor& content) {
  const TensorId id = AddTensor(content.info);
  const auto copy = std::make_shared<std::vector<unsigned char>>(content.bytes);
  if (copy->empty()) copy->push_back(0);
  graph_.tensors[id].content = std::shared_ptr<const void>(copy, copy->data());
  return id;
}

TensorId NetworkCase::AddConstant(const TensorShape& shape, float value) {
  const auto count = static_cast<std::size_t>(shape.GetNumElements());
  return AddConstant(MakeStored(Float(shape), std::vector<float>(count, value)));
}

std::vector<TensorId> NetworkCase::AddNode(cpuacc::Node node, const std::vector<TensorId>& inputs,
                                           const std::vector<TensorInfo>& outputs) {
  node.inputs = inputs;
  for (const TensorInfo& output : outputs) node.outputs.push_back(AddTensor(output));
  std::vector<TensorId> ids = node.outputs;
  graph_.nodes.push_back(std::move(node));
  return ids;
}

std::vector<StoredTensor> MakeInputs(const Graph& graph, Random& random) {
  std::vector<StoredTensor> inputs;
  for (const TensorId input : graph.inputs) {
    inputs.push_back(MakeRandomTensor(graph.tensors[input].info, random));
  }
  return inputs;
}

std::vector<StoredTensor> RunOnCpuRef(const Graph& graph, const std::vector<StoredTensor>& inputs) {
  KnownTensors known(graph, inputs);
  for (const cpuacc::Node& node : graph.nodes) {
    SCOPED_TRACE(node.name);
    std::vector<TensorInfo> infos;
    for (const TensorId output : node.outputs) infos.push_back(graph.tensors[output].info);
    const auto* descriptor = reinterpret_cast<const BaseDescriptor*>(node.descriptor.data());
    const std::vector<StoredTensor> outputs =
        cpuref_test::RunStoredForAll(node.type, *descriptor, known.GetAll(node.inputs), infos);
    for (std::size_t index = 0; index < outputs.size(); ++index) {
      known.Set(node.outputs[index], outputs[index]);
    }
  }
  return known.GetAll(graph.outputs);
}

// What nobody holds any more of it is freed, as when an application has given its network up.
Graph CopyWithConstants(const Graph& graph) {
  Graph copy = graph;
  for (cpuacc::GraphTensor& tensor : copy.tensors) {
    if (!tensor.IsConstant()) continue;
    std::shared_ptr<void> content = cpuacc::AllocateAligned(tensor.info.GetSizeBytes());
    std::memcpy(content.get(), tensor.content.get(), tensor.info.GetSizeBytes());
    tensor.content = std::move(content);
  }
  return copy;
}

std::vector<StoredTensor> RunCompiled(const Graph& graph, std::vector<StoredTensor> inputs,
                                      const cpuacc::Options& options) {
  cpuacc::ThreadPool pool;
  const std::shared_ptr<const cpuacc::CompiledGraph> compiled =
      cpuacc::CompileGraph(CopyWithConstants(graph), options, pool);
  const std::shared_ptr<void> arena = cpuacc::AllocateAligned(compiled->GetMemoryBytes());
  cpuacc::CompiledGraphState state(*compiled, static_cast<unsigned char*>(arena.get()));
  std::vector<StoredTensor> outputs;
  for (const TensorId output : graph.outputs) outputs.emplace_back(graph.tensors[output].info);
  const std::vector<void*> from = GetAddresses(inputs);
  const std::vector<void*> to = GetAddresses(outputs);
  for (int run = 0; run < 2; ++run) {
    for (StoredTensor& output : outputs) output.bytes.assign(output.bytes.size(), 77);
    compiled->Run(from.data(), to.data(), state, cpuacc::StepReporter(nullptr, ""), pool);
  }
  return outputs;
}

void ExpectSame(const std::vector<StoredTensor>& found, const std::vector<StoredTensor>& expected,
                Precision precision) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t index = 0; index < found.size(); ++index) {
    SCOPED_TRACE("output " + std::to_string(index));
    if (IsFloat(expected[index].info.data_type)) {
      ExpectClose(found[index], Decode<long double>(expected[index]).data, precision);
    } else {
      EXPECT_EQ(found[index].bytes, expected[index].bytes);
    }
  }
}

void ExpectAsCpuRef(NetworkCase& network, Precision precision) {
  const std::vector<StoredTensor> inputs = MakeInputs(network.GetGraph(), network.GetRandom());
  const std::vector<StoredTensor> expected = RunOnCpuRef(network.GetGraph(), inputs);
  for (const int num_threads : {1, 2, 3}) {
    SCOPED_TRACE(std::to_string(num_threads) + " threads");
    ExpectSame(RunCompiled(network.GetGraph(), inputs, MakeOptions(num_threads)), expected,
               precision);
  }
}

std::unique_ptr<const cpuacc::Program> CompileAlone(const NetworkCase& network, int num_threads) {
  Graph graph = network.GetGraph();
  cpuacc::RunPasses(graph);
  cpuacc::PackedConstants constants;
  cpuacc::ThreadPool pool;
  return cpuacc::Compile(graph, cpuacc::Borders(), constants, MakeOptions(num_threads),
                         cpuacc::Threads(pool, num_threads));
}

std::vector<std::string> ListSteps(const NetworkCase& network) {
  const std::unique_ptr<const cpuacc::Program> program = CompileAlone(network);
  std::vector<std::string> names;
  for (const cpuacc::Step& step : program->GetSteps()) names.push_back(*step.name);
  return names;
}

}  // namespace cpuacc_test
}  // namespace backplane
