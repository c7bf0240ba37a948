#pragma once

/// How the kernel of a node is made: it looks at the layouts of the inputs, asks for others where
/// it wants them, says which layout its outputs have, and packs constants.

#include "graph/graph.hpp"
#include "kernel_builders/kernel.hpp"
#include "layout/layout.hpp"
#include "options/options.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Constants in layouts that kernels want, each made once for all programs of a graph.
class PackedConstants;

class KernelMaker {
 public:
  KernelMaker(const Graph& graph, const Node& node, const std::vector<Layout>& layouts,
              PackedConstants& constants, const Options& options, const Threads& threads);

  const Graph& GetGraph() const { return graph_; }
  const Node& GetNode() const { return node_; }
  const Options& GetOptions() const { return options_; }
  /// How many threads the kernel may use.
  const Threads& GetThreads() const { return threads_; }
  int GetNumThreads() const { return threads_.GetCount(); }

  std::uint32_t GetNumInputs() const { return static_cast<std::uint32_t>(node_.inputs.size()); }
  const GraphTensor& GetInput(std::uint32_t index) const { return graph_.Input(node_, index); }
  const GraphTensor& GetOutput(std::uint32_t index = 0) const {
    return graph_.Output(node_, index);
  }

  /// The layout in which input `index` is there now. Constants are plain.
  const Layout& GetLayout(std::uint32_t index) const;

  /// The layout in which the kernel will read input `index`. Without it, that of GetLayout. Where
  /// they differ, the compiler puts a reorder before the kernel.
  void WantInput(std::uint32_t index, const Layout& layout) { input_layouts_[index] = layout; }
  /// As WantInput, plain.
  void WantPlain(std::uint32_t index) { WantInput(index, Layout()); }
  void WantAllPlain();

  /// The layout in which the kernel writes output `index`. Without it, plain.
  void SetOutput(std::uint32_t index, const Layout& layout) { output_layouts_[index] = layout; }

  /// The content of constant input `index` in this layout, made once and shared. The kernel keeps
  /// it; the program passes the plain content, or null once every reader has it packed.
  std::shared_ptr<const void> Pack(std::uint32_t index, const dnnl::memory::desc& from,
                                   const dnnl::memory::desc& to);

  /// What `make` makes of constant inputs, in the form that `purpose` names; made once and shared,
  /// as by Pack.
  std::shared_ptr<const void> PackTogether(
      const std::vector<std::uint32_t>& inputs, const std::string& purpose,
      const std::function<std::shared_ptr<const void>()>& make);

  /// Says that the kernel does not read input `index` from KernelRun.
  void IgnoreInput(std::uint32_t index) { is_ignored_[index] = true; }

  /// Says that the kernel does the first `count` operations of the chain itself. The others run
  /// behind it, on the output in its layout.
  void TakeOps(std::size_t count) { num_taken_ops_ = count; }
  std::size_t GetNumTakenOps() const { return num_taken_ops_; }
  const Layout& GetOutputLayout(std::uint32_t index = 0) const { return output_layouts_[index]; }

  // What the compiler takes over.
  const std::vector<Layout>& GetInputLayouts() const { return input_layouts_; }
  const std::vector<Layout>& GetOutputLayouts() const { return output_layouts_; }
  const std::vector<bool>& GetIgnored() const { return is_ignored_; }

 private:
  const Graph& graph_;
  const Node& node_;
  PackedConstants& constants_;
  const Options& options_;
  Threads threads_;
  std::size_t num_taken_ops_ = 0;
  std::vector<Layout> current_layouts_;
  std::vector<Layout> input_layouts_;
  std::vector<Layout> output_layouts_;
  std::vector<bool> is_ignored_;
  /// Kept while ways are tried out, so that nothing is packed again for the one that is chosen.
  std::vector<std::shared_ptr<const void>> packed_;
};

}  // namespace cpuacc
}  // namespace backplane
