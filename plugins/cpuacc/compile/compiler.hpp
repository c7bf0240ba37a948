#pragma once

/// The work of Compile: a graph becomes steps and values, node by node.

#include "compile/planned_steps.hpp"
#include "compile/values.hpp"
#include "constants/packed_constants.hpp"
#include "graph/graph.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "options/options.hpp"
#include "program/program.hpp"
#include "threads/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// How the tensors that enter and leave a program lie in memory.
struct Borders {
  std::vector<Layout> inputs;   // as many as the graph's inputs; missing ones are plain
  std::vector<Layout> outputs;  // likewise
};

/// A graph is compiled with these.
struct CompilerArgs {
  PackedConstants* constants = nullptr;
  const Options* options = nullptr;
  Threads threads;  // of the program
};

/// Makes the program of a graph. When the graph gets other extents, it makes only those steps again
/// that depend on them.
///
/// Threads: one at a time.
class Compiler {
 public:
  /// Borrows all.
  Compiler(const Graph& graph, const Borders& borders, const CompilerArgs& args);

  /// Nodes are added in their order, from 0.
  void AddNode(std::size_t index);

  /// Whether a step reads the tensor as it is in the graph.
  bool IsRead(TensorId tensor) const { return is_read_[tensor]; }

  /// The program of the graph, all nodes of which were added.
  std::unique_ptr<const Program> Finish();

  /// The program of the graph as it is now. `changed`: the nodes whose descriptors, constants or
  /// tensors have changed since the last program, in ascending order.
  /// Null: the program has other steps, and this compiler cannot be used any more.
  std::unique_ptr<const Program> Remake(const std::vector<std::size_t>& changed,
                                        const CompilerArgs& args);

 private:
  /// How much was there before a node was added.
  struct Mark {
    std::uint32_t values = 0;
    std::uint32_t steps = 0;

    friend bool operator==(const Mark& a, const Mark& b) {
      return a.values == b.values && a.steps == b.steps;
    }
  };

  void MakeNode(const Node& node);
  void AddKernel(const Node& node);
  void AddSources();
  void AddOutputs();
  std::unique_ptr<const Program> MakeProgram();

  ValueId AddValue(TensorId tensor, const Layout& layout);
  void AddStep(PlannedStep step, const std::string& name);
  void SetLayout(TensorId tensor, const Layout& layout);

  bool AddRelabelled(const Node& node);
  bool AddViews(const Node& node);
  std::optional<Layout> FindCommonLayout(const Node& node) const;
  std::int64_t GetBlock(TensorId tensor) const;
  bool AddJoin(const Node& node);
  bool CanLieInside(ValueId id) const;
  void PutInside(ValueId part, ValueId whole, std::uint64_t offset_bytes);
  void CopyInside(ValueId from, ValueId whole, std::uint64_t offset_bytes, const std::string& name);
  ValueId GetValue(TensorId tensor, const Layout& layout);
  bool PutIntoOutput(ValueId value, std::uint32_t index);
  void CopyToOutput(ValueId from, std::uint32_t index);

  const Graph& graph_;
  const Borders& borders_;
  CompilerArgs args_;
  std::vector<Layout> layouts_;  // of each tensor as it was first made
  std::vector<bool> is_read_;
  Values values_;
  std::vector<PlannedStep> steps_;
  MemoryOfValues memory_;
  std::vector<Mark> begins_;  // of each node, and of the outputs
  Mark next_;                 // what is added now; it is there already when a node is made again
  bool has_other_steps_ = false;
};

}  // namespace cpuacc
}  // namespace backplane
