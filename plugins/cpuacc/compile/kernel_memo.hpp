#pragma once

/// Kernels of a graph that is compiled again with other extents.

#include "graph/graph.hpp"
#include "layout/layout.hpp"
#include "making/kernel.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// A kernel with how it reads and writes.
struct MadeKernel {
  std::shared_ptr<const Kernel> kernel;
  std::vector<Layout> input_layouts;
  std::vector<Layout> output_layouts;
  std::vector<bool> is_ignored;  // inputs that are not read
};

/// The kernels that were made when the graph was compiled last. A node finds its kernel again when
/// its tensors, the constants among them, are the same as then.
class KernelMemo {
 public:
  /// `layouts` are those of all tensors now; `num_threads` those of the program.
  /// Null: it is to be made.
  std::shared_ptr<const MadeKernel> Find(const Graph& graph, const Node& node,
                                         const std::vector<Layout>& layouts, int num_threads) const;
  void Keep(const Graph& graph, const Node& node, const std::vector<Layout>& layouts,
            int num_threads, std::shared_ptr<const MadeKernel> made);

 private:
  /// All that a kernel depends on.
  struct Question {
    std::vector<unsigned char> descriptor;
    std::vector<TensorInfo> infos;                       // of inputs, then of outputs
    std::vector<std::shared_ptr<const void>> constants;  // of inputs; null for others
    std::vector<Layout> layouts;                         // of inputs
  };
  struct Known {
    Question question;
    std::shared_ptr<const MadeKernel> made;  // null: it was not made yet
  };

  static bool Is(const Question& question, const Graph& graph, const Node& node,
                 const std::vector<Layout>& layouts);

  std::map<int, std::vector<Known>> known_;  // by threads of the program, for each node
};

}  // namespace cpuacc
}  // namespace backplane
