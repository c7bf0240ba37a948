#include "compile/compiler.hpp"

#include "compile/views.hpp"
#include "compile/worthwhile_threads.hpp"
#include "kernels/kernel_table.hpp"
#include "layout/channel_blocks.hpp"
#include "moves/copy.hpp"
#include "moves/reorder.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The layout of input or output `index` of a graph.
Layout GetBorder(const std::vector<Layout>& borders, std::uint32_t index) {
  return index < borders.size() ? borders[index] : Layout();
}

/// Whether tensors of the same extents lie in two ways.
bool LieOtherwise(const Layout& a, const Layout& b) {
  if (a.IsPlain() || b.IsPlain()) return a.IsPlain() != b.IsPlain();
  return a != b && a.GetBlocked().dims() == b.GetBlocked().dims();
}

}  // namespace

Compiler::Compiler(const Graph& graph, const Borders& borders, const CompilerArgs& args)
    : graph_(graph),
      borders_(borders),
      args_(args),
      layouts_(graph.tensors.size()),
      is_read_(graph.tensors.size()),
      values_(graph.tensors.size()) {
  steps_.reserve(graph.nodes.size());
  begins_.reserve(graph.nodes.size() + 1);
  AddSources();
}

void Compiler::AddNode(std::size_t index) {
  begins_.push_back(next_);
  MakeNode(graph_.nodes[index]);
}

std::unique_ptr<const Program> Compiler::Finish() {
  begins_.push_back(next_);
  AddOutputs();
  return MakeProgram();
}

std::unique_ptr<const Program> Compiler::Remake(const std::vector<std::size_t>& changed,
                                                const CompilerArgs& args) {
  args_ = args;
  const Mark end{values_.GetCount(), static_cast<std::uint32_t>(steps_.size())};
  next_ = {};
  AddSources();
  for (const std::size_t index : changed) {
    next_ = begins_[index];
    MakeNode(graph_.nodes[index]);
    has_other_steps_ = has_other_steps_ || !(next_ == begins_[index + 1]);
    if (has_other_steps_) return nullptr;
  }
  next_ = begins_.back();
  AddOutputs();
  return has_other_steps_ || !(next_ == end) ? nullptr : MakeProgram();
}

std::unique_ptr<const Program> Compiler::MakeProgram() {
  return cpuacc::MakeProgram(graph_, values_, steps_, *args_.constants, args_.threads.GetCount(),
                             memory_);
}

void Compiler::MakeNode(const Node& node) {
  args_.threads.RequireTime();
  if (node.is_removed || AddViews(node) || AddJoin(node)) return;
  AddKernel(node);
}

void Compiler::AddKernel(const Node& node) {
  PlannedStep step;
  step.num_threads = ChooseThreads(graph_, node, args_.threads.GetCount());
  KernelMaker maker(graph_, node, layouts_, *args_.constants, *args_.options,
                    args_.threads.AtMost(step.num_threads));
  step.kernel = MakeKernel(maker);
  for (std::uint32_t index = 0; index < node.inputs.size(); ++index) {
    step.inputs.push_back(maker.GetIgnored()[index]
                              ? kNoValue
                              : GetValue(node.inputs[index], maker.GetInputLayouts()[index]));
  }
  for (std::uint32_t index = 0; index < node.outputs.size(); ++index) {
    const TensorId tensor = node.outputs[index];
    SetLayout(tensor, maker.GetOutputLayouts()[index]);
    step.outputs.push_back(AddValue(tensor, layouts_[tensor]));
  }
  AddStep(std::move(step), node.name);
}

/// A value that is there already keeps its place inside of another one, or in an output.
ValueId Compiler::AddValue(TensorId tensor, const Layout& layout) {
  const ValueId id = next_.values++;
  if (id == values_.GetCount()) return values_.Add(graph_.tensors[tensor], tensor, layout);
  Value& value = values_[id];
  has_other_steps_ = has_other_steps_ || value.tensor != tensor;
  value.layout = layout;
  value.size_bytes = layout.GetSizeBytes(graph_.tensors[tensor].info);
  return id;
}

/// A step that is there already has its name.
void Compiler::AddStep(PlannedStep step, const std::string& name) {
  const std::uint32_t index = next_.steps++;
  if (index == steps_.size()) {
    step.name = std::make_shared<const std::string>(name);
    steps_.push_back(std::move(step));
    return;
  }
  PlannedStep& known = steps_[index];
  has_other_steps_ =
      has_other_steps_ || known.inputs != step.inputs || known.outputs != step.outputs;
  known.kernel = std::move(step.kernel);
  known.num_threads = step.num_threads;
}

/// Nodes that read a tensor whose extents stay the same are not made again.
void Compiler::SetLayout(TensorId tensor, const Layout& layout) {
  const bool is_again = next_.values < values_.GetCount();
  has_other_steps_ = has_other_steps_ || (is_again && LieOtherwise(layouts_[tensor], layout));
  layouts_[tensor] = layout;
}

void Compiler::AddSources() {
  for (TensorId tensor = 0; tensor < graph_.tensors.size(); ++tensor) {
    if (!graph_.tensors[tensor].IsConstant()) continue;
    Value& value = values_[AddValue(tensor, Layout())];
    value.kind = Place::Kind::kConstant;
    value.index = tensor;
  }
  for (std::uint32_t index = 0; index < graph_.inputs.size(); ++index) {
    const TensorId tensor = graph_.inputs[index];
    SetLayout(tensor, GetBorder(borders_.inputs, index));
    Value& value = values_[AddValue(tensor, layouts_[tensor])];
    value.kind = Place::Kind::kInput;
    value.index = index;
  }
}

/// The output of the node is its input with other names for the axes.
bool Compiler::AddRelabelled(const Node& node) {
  const Layout from = layouts_[node.inputs[0]];
  const auto to = FindRelabelledLayout(graph_, node, from);
  if (!to) return false;
  const ValueId whole = GetValue(node.inputs[0], from);
  SetLayout(node.outputs[0], *to);
  PutInside(AddValue(node.outputs[0], *to), whole, 0);
  return true;
}

/// All outputs of the node are pieces of its input. One that is not plain is better cut as it is.
bool Compiler::AddViews(const Node& node) {
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
    PutInside(AddValue(node.outputs[output], Layout()), whole, offsets[output]);
  }
  return true;
}

/// The layout that all inputs of the node have already, plain or in blocks of channels.
std::optional<Layout> Compiler::FindCommonLayout(const Node& node) const {
  const Layout& first = layouts_[node.inputs[0]];
  const std::int64_t block = GetBlock(node.inputs[0]);
  const bool is_common = std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId id) {
    return layouts_[id].IsPlain() == first.IsPlain() && GetBlock(id) == block;
  });
  if (!is_common || (block == 0 && !first.IsPlain())) return {};
  return first;
}

std::int64_t Compiler::GetBlock(TensorId tensor) const {
  return GetChannelBlock(graph_.tensors[tensor].info, layouts_[tensor]);
}

/// The inputs of a Concat lie in its output, or are copied there.
bool Compiler::AddJoin(const Node& node) {
  if (node.kind != NodeKind::kLayer || node.type != LayerType::kConcat) return false;
  const std::optional<Layout> common = FindCommonLayout(node);
  if (!common) return false;
  const std::vector<std::uint64_t> offsets = FindOffsetsInJoin(graph_, node, *common);
  if (offsets.empty()) return false;
  const bool is_plain = common->IsPlain();
  SetLayout(
      node.outputs[0],
      is_plain ? *common : *MakeChannelBlocks(graph_.Output(node).info, GetBlock(node.inputs[0])));
  const ValueId whole = AddValue(node.outputs[0], layouts_[node.outputs[0]]);
  std::set<ValueId> parts;
  for (std::size_t index = 0; index < node.inputs.size(); ++index) {
    const TensorId tensor = node.inputs[index];
    const ValueId part = GetValue(tensor, is_plain ? *common : layouts_[tensor]);
    const bool is_first = parts.insert(part).second;
    if (CanLieInside(part) || (is_first && values_[part].whole == whole)) {
      PutInside(part, whole, offsets[index]);
    } else {
      CopyInside(part, whole, offsets[index], node.name);
    }
  }
  return true;
}

/// Only what has memory of its own can be put elsewhere. A value is put into one join at most;
/// a join can be put into another.
bool Compiler::CanLieInside(ValueId id) const {
  return values_[id].whole == kNoValue && values_[id].kind == Place::Kind::kArena;
}

void Compiler::PutInside(ValueId part, ValueId whole, std::uint64_t offset_bytes) {
  values_[part].whole = whole;
  values_[part].offset_bytes = offset_bytes;
}

void Compiler::CopyInside(ValueId from, ValueId whole, std::uint64_t offset_bytes,
                          const std::string& name) {
  const ValueId part = AddValue(values_[from].tensor, values_[from].layout);
  PutInside(part, whole, offset_bytes);
  AddStep({MakeCopy(values_[from].size_bytes), {from}, {part}}, name);
}

/// The tensor in a layout; where it is not there yet, a step makes it.
ValueId Compiler::GetValue(TensorId tensor, const Layout& layout) {
  is_read_[tensor] = true;
  const ValueId known = values_.Find(tensor, layout, next_.values);
  if (known != kNoValue) return known;
  const ValueId first = values_.GetFirst(tensor);
  const ValueId value = AddValue(tensor, layout);
  const int num_threads = ChooseThreads(values_[value].size_bytes, args_.threads.GetCount());
  AddStep({MakeReorder(graph_.tensors[tensor].info, values_[first].layout, layout, num_threads),
           {first},
           {value},
           num_threads},
          "Reorder");
  return value;
}

void Compiler::AddOutputs() {
  for (std::uint32_t index = 0; index < graph_.outputs.size(); ++index) {
    const ValueId value = GetValue(graph_.outputs[index], GetBorder(borders_.outputs, index));
    if (!PutIntoOutput(value, index)) CopyToOutput(value, index);
  }
}

/// Lets a value lie in the output: one with memory of its own, or the one that it is a view of all
/// of.
bool Compiler::PutIntoOutput(ValueId value, std::uint32_t index) {
  const Root root = values_.FindRoot(value);
  Value& whole = values_[root.value];
  const bool is_there = whole.kind == Place::Kind::kOutput && whole.index == index;
  if ((whole.kind != Place::Kind::kArena && !is_there) || root.offset_bytes != 0 ||
      whole.size_bytes != values_[value].size_bytes) {
    return false;
  }
  whole.kind = Place::Kind::kOutput;
  whole.index = index;
  return true;
}

void Compiler::CopyToOutput(ValueId from, std::uint32_t index) {
  const ValueId copy = AddValue(values_[from].tensor, values_[from].layout);
  values_[copy].kind = Place::Kind::kOutput;
  values_[copy].index = index;
  AddStep({MakeCopy(values_[from].size_bytes), {from}, {copy}}, "Copy");
}

}  // namespace cpuacc
}  // namespace backplane
