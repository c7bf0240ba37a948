#pragma once

#include "model_mutations.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace backplane::fuzz {

/// Numbers that hardly any place in a model can take.
constexpr std::int64_t kOddNumbers[] = {std::numeric_limits<std::int64_t>::min(),
                                        -1,
                                        0,
                                        1,
                                        7,
                                        std::int64_t{1} << 29,
                                        std::int64_t{1} << 32,
                                        std::int64_t{1} << 40,
                                        std::int64_t{1} << 62,
                                        std::numeric_limits<std::int64_t>::max()};

/// Collects mutations under names that say where they are.
class MutationCollector {
 public:
  template <typename Apply>
  void Add(const std::string& name, Apply apply) {
    mutations_.push_back({name, std::move(apply)});
  }
  template <typename Apply>
  void AddToGraph(const std::string& name, Apply apply) {
    Add(name, [apply](::onnx::ModelProto& model) { apply(*model.mutable_graph()); });
  }
  template <typename Apply>
  void AddToNode(int node, const std::string& name, Apply apply) {
    AddToGraph("node " + std::to_string(node) + ": " + name,
               [=](::onnx::GraphProto& graph) { apply(*graph.mutable_node(node)); });
  }
  template <typename Apply>
  void AddToInitializer(int tensor, const std::string& name, Apply apply) {
    AddToGraph("initializer " + std::to_string(tensor) + ": " + name,
               [=](::onnx::GraphProto& graph) { apply(*graph.mutable_initializer(tensor)); });
  }

  std::vector<ModelMutation> Take() { return std::move(mutations_); }

 private:
  std::vector<ModelMutation> mutations_;
};

/// The parts of MakeMutations.
void AddNameMutations(const ::onnx::GraphProto& graph, MutationCollector& to);
void AddNumberMutations(const ::onnx::GraphProto& graph, MutationCollector& to);
void AddTensorMutations(const ::onnx::GraphProto& graph, MutationCollector& to);

}  // namespace backplane::fuzz
