#pragma once

/// Small networks written by hand: run as CpuAcc compiles them whole, and held against CpuRef layer
/// by layer.

#include "compile/compile.hpp"
#include "graph/graph.hpp"
#include "options/options.hpp"
#include "test/expect_close.hpp"
#include "test/run_stored.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc_test {

using namespace conformance;
using cpuacc::Graph;
using cpuacc::TensorId;

inline TensorInfo Float(const TensorShape& shape) {
  return TensorInfo(shape, DataType::kFloat32);
}

/// With one scale for all elements.
inline TensorInfo Quantised(const TensorShape& shape, DataType type, float scale,
                            std::int32_t zero_point) {
  TensorInfo info(shape, type);
  info.quantization.scales = {scale};
  info.quantization.zero_points = {zero_point};
  return info;
}

/// A graph layer by layer. Constants and inputs are random, from a seed.
class NetworkCase {
 public:
  explicit NetworkCase(std::uint32_t seed = 1) : random_(seed) {}

  TensorId AddInput(const TensorInfo& info);
  TensorId AddInput(const TensorShape& shape) { return AddInput(Float(shape)); }
  TensorId AddConstant(const StoredTensor& content);
  TensorId AddConstant(const TensorShape& shape) {
    return AddConstant(MakeRandomTensor(Float(shape), random_));
  }
  /// The same number everywhere.
  TensorId AddConstant(const TensorShape& shape, float value);

  template <typename Descriptor>
  std::vector<TensorId> AddLayer(LayerType type, const Descriptor& descriptor,
                                 const std::vector<TensorId>& inputs,
                                 const std::vector<TensorInfo>& outputs) {
    cpuacc::Node node;
    node.type = type;
    node.name = GetLayerTypeName(type) + std::to_string(graph_.nodes.size());
    node.SetDescriptor(descriptor);
    return AddNode(std::move(node), inputs, outputs);
  }
  /// A layer with one output of float32.
  template <typename Descriptor>
  TensorId Add(LayerType type, const Descriptor& descriptor, const std::vector<TensorId>& inputs,
               const TensorShape& output) {
    return AddLayer(type, descriptor, inputs, {Float(output)})[0];
  }

  void AddOutput(TensorId tensor) { graph_.outputs.push_back(tensor); }

  const Graph& GetGraph() const { return graph_; }
  const TensorShape& GetShape(TensorId tensor) const { return graph_.tensors[tensor].info.shape; }
  Random& GetRandom() { return random_; }

 private:
  std::vector<TensorId> AddNode(cpuacc::Node node, const std::vector<TensorId>& inputs,
                                const std::vector<TensorInfo>& outputs);
  TensorId AddTensor(const TensorInfo& info);

  Graph graph_;
  Random random_;
};

/// Random contents for the inputs of a graph.
std::vector<StoredTensor> MakeInputs(const Graph& graph, Random& random);

/// The outputs of the graph as CpuRef computes them, layer by layer.
std::vector<StoredTensor> RunOnCpuRef(const Graph& graph, const std::vector<StoredTensor>& inputs);

/// The outputs of the graph, compiled as a whole. Twice, because states are used again.
std::vector<StoredTensor> RunCompiled(const Graph& graph, std::vector<StoredTensor> inputs,
                                      const cpuacc::Options& options);

/// The outputs, and the same tensor for each element in both.
void ExpectSame(const std::vector<StoredTensor>& found, const std::vector<StoredTensor>& expected,
                Precision precision);

/// Runs the network with 1 and 2 threads, and expects what CpuRef computes.
void ExpectAsCpuRef(NetworkCase& network, Precision precision = Precision::kFast);

/// The network after all passes, compiled.
std::unique_ptr<const cpuacc::Program> CompileAlone(const NetworkCase& network,
                                                    int num_threads = 1);

/// The names of the steps that remain of the network.
std::vector<std::string> ListSteps(const NetworkCase& network);

}  // namespace cpuacc_test
}  // namespace backplane
