#include "compile/compile.hpp"

#include "compile/planned_steps.hpp"
#include "compile/values.hpp"
#include "compile/views.hpp"
#include "compile/worthwhile_threads.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/channel_blocks.hpp"
#include "moves/copy.hpp"
#include "moves/reorder.hpp"
#include "threads/thread_count.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

class Compiler {
 public:
  Compiler(const Graph& graph, const Borders& borders, PackedConstants& constants,
           const Options& options, KernelMemo* memo, const Threads& threads)
      : graph_(graph),
        borders_(borders),
        packed_(constants),
        options_(options),
        memo_(memo),
        threads_(threads),
        layouts_(graph.tensors.size()),
        is_read_(graph.tensors.size()),
        values_(graph.tensors.size()) {
    steps_.reserve(graph.nodes.size());
    AddSources();
  }

  /// Nodes are added in their order.
  void AddNode(const Node& node) {
    if (node.is_removed || AddViews(node) || AddJoin(node)) return;
    PlannedStep step;
    step.name = node.name;
    step.num_threads = ChooseThreads(graph_, node, threads_.GetCount());
    const std::shared_ptr<const MadeKernel> kernel = FindOrMake(node, step.num_threads);
    const MadeKernel& made = *kernel;
    step.kernel = made.kernel;
    for (std::uint32_t index = 0; index < node.inputs.size(); ++index) {
      step.inputs.push_back(made.is_ignored[index]
                                ? kNoValue
                                : GetValue(node.inputs[index], made.input_layouts[index]));
    }
    for (std::uint32_t index = 0; index < node.outputs.size(); ++index) {
      const TensorId tensor = node.outputs[index];
      layouts_[tensor] = made.output_layouts[index];
      step.outputs.push_back(AddValue(tensor, layouts_[tensor]));
    }
    steps_.push_back(std::move(step));
  }

  /// Whether a step reads the tensor as it is in the graph.
  bool IsRead(TensorId tensor) const { return is_read_[tensor]; }

  std::unique_ptr<const Program> Finish() {
    AddOutputs();
    return MakeProgram(graph_, values_, std::move(steps_), packed_, threads_.GetCount());
  }

 private:
  std::shared_ptr<const MadeKernel> FindOrMake(const Node& node, int num_threads) {
    auto known =
        memo_ != nullptr ? memo_->Find(graph_, node, layouts_, threads_.GetCount()) : nullptr;
    if (known != nullptr) return known;
    KernelMaker maker(graph_, node, layouts_, packed_, options_, threads_.AtMost(num_threads));
    auto made = std::make_shared<MadeKernel>();
    made->kernel = MakeKernel(maker);
    made->input_layouts = maker.GetInputLayouts();
    made->output_layouts = maker.GetOutputLayouts();
    made->is_ignored = maker.GetIgnored();
    if (memo_ != nullptr) memo_->Keep(graph_, node, layouts_, threads_.GetCount(), made);
    return made;
  }

  ValueId AddValue(TensorId tensor, const Layout& layout) {
    return values_.Add(graph_.tensors[tensor], tensor, layout);
  }

  void AddSources() {
    for (TensorId tensor = 0; tensor < graph_.tensors.size(); ++tensor) {
      if (!graph_.tensors[tensor].IsConstant()) continue;
      Value& value = values_[AddValue(tensor, Layout())];
      value.kind = Place::Kind::kConstant;
      value.index = tensor;
    }
    for (std::uint32_t index = 0; index < graph_.inputs.size(); ++index) {
      const Layout layout = index < borders_.inputs.size() ? borders_.inputs[index] : Layout();
      const TensorId tensor = graph_.inputs[index];
      layouts_[tensor] = layout;
      Value& value = values_[AddValue(tensor, layout)];
      value.kind = Place::Kind::kInput;
      value.index = index;
    }
  }

  /// The output of the node is its input with other names for the axes.
  bool AddRelabelled(const Node& node) {
    const Layout from = layouts_[node.inputs[0]];
    const auto to = FindRelabelledLayout(graph_, node, from);
    if (!to) return false;
    const ValueId whole = GetValue(node.inputs[0], from);
    layouts_[node.outputs[0]] = *to;
    values_[AddValue(node.outputs[0], *to)].whole = whole;
    return true;
  }

  /// All outputs of the node are pieces of its input. One that is not plain is better cut as it is.
  bool AddViews(const Node& node) {
    if (AddRelabelled(node)) return true;
    const bool cuts = node.type == LayerType::kSlice || node.type == LayerType::kSplit;
    if (cuts && !node.inputs.empty() && !layouts_[node.inputs[0]].IsPlain()) return false;
    std::vector<std::uint64_t> offsets;
    for (std::uint32_t output = 0; output < node.outputs.size(); ++output) {
      const auto offset = FindOffsetInInput(graph_, node, output);
      if (!offset) return false;
      offsets.push_back(*offset);
    }
    const ValueId whole = GetValue(node.inputs[0], Layout());
    for (std::uint32_t output = 0; output < node.outputs.size(); ++output) {
      Value& part = values_[AddValue(node.outputs[output], Layout())];
      part.whole = whole;
      part.offset_bytes = offsets[output];
    }
    return true;
  }

  /// The layout that all inputs of the node have already, plain or in blocks of channels.
  std::optional<Layout> FindCommonLayout(const Node& node) const {
    const Layout& first = layouts_[node.inputs[0]];
    const std::int64_t block = GetBlock(node.inputs[0]);
    const bool is_common = std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId id) {
      return layouts_[id].IsPlain() == first.IsPlain() && GetBlock(id) == block;
    });
    if (!is_common || (block == 0 && !first.IsPlain())) return {};
    return first;
  }

  std::int64_t GetBlock(TensorId tensor) const {
    return GetChannelBlock(graph_.tensors[tensor].info, layouts_[tensor]);
  }

  /// The inputs of a Concat lie in its output, or are copied there.
  bool AddJoin(const Node& node) {
    if (node.kind != NodeKind::kLayer || node.type != LayerType::kConcat) return false;
    const std::optional<Layout> common = FindCommonLayout(node);
    if (!common) return false;
    Layout layout = *common;
    std::vector<std::uint64_t> offsets = FindOffsetsInJoin(graph_, node, layout);
    if (offsets.empty()) return false;
    const GraphTensor& output = graph_.Output(node);
    const Layout joined =
        layout.IsPlain() ? layout : *MakeChannelBlocks(output.info, GetBlock(node.inputs[0]));
    layouts_[node.outputs[0]] = joined;
    const ValueId whole = AddValue(node.outputs[0], joined);
    for (std::size_t index = 0; index < node.inputs.size(); ++index) {
      const TensorId tensor = node.inputs[index];
      const ValueId part = GetValue(tensor, layout.IsPlain() ? layout : layouts_[tensor]);
      if (CanLieInside(part)) {
        PutInside(part, whole, offsets[index]);
      } else {
        CopyInside(part, whole, offsets[index], node.name);
      }
    }
    return true;
  }

  /// Only what has memory of its own can be put elsewhere. A value is put into one join at most;
  /// a join can be put into another.
  bool CanLieInside(ValueId id) const {
    return values_[id].whole == kNoValue && values_[id].kind == Place::Kind::kArena;
  }

  void PutInside(ValueId part, ValueId whole, std::uint64_t offset_bytes) {
    values_[part].whole = whole;
    values_[part].offset_bytes = offset_bytes;
  }

  void CopyInside(ValueId from, ValueId whole, std::uint64_t offset_bytes,
                  const std::string& name) {
    const ValueId part = AddValue(values_[from].tensor, values_[from].layout);
    PutInside(part, whole, offset_bytes);
    PlannedStep step;
    step.name = name;
    step.kernel = MakeCopy(values_[from].size_bytes);
    step.inputs = {from};
    step.outputs = {part};
    steps_.push_back(std::move(step));
  }

  /// The tensor in a layout; where it is not there yet, a step makes it.
  ValueId GetValue(TensorId tensor, const Layout& layout) {
    is_read_[tensor] = true;
    const ValueId known = values_.Find(tensor, layout);
    if (known != kNoValue) return known;
    const ValueId first = values_.GetFirst(tensor);
    const ValueId value = AddValue(tensor, layout);
    PlannedStep step;
    step.name = "Reorder";
    step.num_threads = ChooseThreads(values_[value].size_bytes, threads_.GetCount());
    step.kernel =
        MakeReorder(graph_.tensors[tensor].info, values_[first].layout, layout, step.num_threads);
    step.inputs = {first};
    step.outputs = {value};
    steps_.push_back(std::move(step));
    return value;
  }

  void AddOutputs() {
    for (std::uint32_t index = 0; index < graph_.outputs.size(); ++index) {
      const TensorId tensor = graph_.outputs[index];
      const Layout layout = index < borders_.outputs.size() ? borders_.outputs[index] : Layout();
      const ValueId value = GetValue(tensor, layout);
      if (CanLieInside(value)) {
        values_[value].kind = Place::Kind::kOutput;
        values_[value].index = index;
      } else if (!TryRoot(value, index)) {
        CopyToOutput(value, index);
      }
    }
  }

  /// A view of all of a value: that lies in the output then.
  bool TryRoot(ValueId value, std::uint32_t index) {
    const Root root = values_.FindRoot(value);
    Value& whole = values_[root.value];
    if (whole.kind != Place::Kind::kArena || root.offset_bytes != 0 ||
        whole.size_bytes != values_[value].size_bytes) {
      return false;
    }
    whole.kind = Place::Kind::kOutput;
    whole.index = index;
    return true;
  }

  void CopyToOutput(ValueId from, std::uint32_t index) {
    const ValueId copy = AddValue(values_[from].tensor, values_[from].layout);
    values_[copy].kind = Place::Kind::kOutput;
    values_[copy].index = index;
    PlannedStep step;
    step.name = "Copy";
    step.kernel = MakeCopy(values_[from].size_bytes);
    step.inputs = {from};
    step.outputs = {copy};
    steps_.push_back(std::move(step));
  }

  const Graph& graph_;
  const Borders& borders_;
  PackedConstants& packed_;
  const Options& options_;
  KernelMemo* const memo_;
  const Threads threads_;
  std::vector<Layout> layouts_;  // of each tensor as it was first made
  std::vector<bool> is_read_;
  Values values_;
  std::vector<PlannedStep> steps_;
};

/// For each tensor, the last node that has it as an input.
std::vector<std::size_t> FindLastReaders(const Graph& graph) {
  std::vector<std::size_t> last(graph.tensors.size(), 0);
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    if (graph.nodes[node].is_removed) continue;
    for (const TensorId input : graph.nodes[node].inputs) last[input] = node;
  }
  for (const TensorId output : graph.outputs) last[output] = graph.nodes.size();
  return last;
}

}  // namespace

std::vector<std::unique_ptr<const Program>> Compile(Graph graph, const Borders& borders,
                                                    PackedConstants& constants,
                                                    const Options& options,
                                                    const std::vector<Threads>& threads,
                                                    KernelMemo* memo) {
  const ThreadCount one(1);
  std::vector<Compiler> compilers;
  compilers.reserve(threads.size());
  for (const Threads& count : threads) {
    compilers.emplace_back(graph, borders, constants, options, memo, count);
  }
  const std::vector<std::size_t> last_readers = FindLastReaders(graph);
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    const Node& node = graph.nodes[index];
    for (Compiler& compiler : compilers) compiler.AddNode(node);
    for (const TensorId input : node.inputs) {
      const bool is_read = std::any_of(compilers.begin(), compilers.end(),
                                       [&](const Compiler& c) { return c.IsRead(input); });
      if (last_readers[input] == index && !is_read) graph.tensors[input].content.reset();
    }
  }
  std::vector<std::unique_ptr<const Program>> programs;
  for (Compiler& compiler : compilers) programs.push_back(compiler.Finish());
  return programs;
}

std::unique_ptr<const Program> Compile(const Graph& graph, const Borders& borders,
                                       PackedConstants& constants, const Options& options,
                                       const Threads& threads) {
  return std::move(
      Compile(graph, borders, constants, options, std::vector<Threads>{threads}).front());
}

}  // namespace cpuacc
}  // namespace backplane
