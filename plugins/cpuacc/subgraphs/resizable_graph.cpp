#include "subgraphs/resizable_graph.hpp"

#include "memory/aligned_memory.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

Graph WithoutContent(const Graph& graph, const std::set<TensorId>& tensors) {
  Graph result = graph;
  for (const TensorId tensor : tensors) result.tensors[tensor].content.reset();
  return result;
}

bool IsSameContent(const GraphTensor& a, const GraphTensor& b) {
  if (a.IsConstant() != b.IsConstant() || a.content == b.content) {
    return a.IsConstant() == b.IsConstant();
  }
  return std::memcmp(a.content.get(), b.content.get(), a.info.GetSizeBytes()) == 0;
}

bool IsSame(const ElementOp& a, const ElementOp& b) {
  return a.kind == b.kind && a.activation == b.activation && a.unary == b.unary &&
         a.binary == b.binary && a.alpha == b.alpha && a.beta == b.beta && a.operand == b.operand &&
         a.operand_is_first == b.operand_is_first;
}

bool IsSame(const Node& a, const Node& b) {
  return a.kind == b.kind && a.type == b.type && a.descriptor == b.descriptor &&
         a.inputs == b.inputs && a.outputs == b.outputs && a.reads_bfloat16 == b.reads_bfloat16 &&
         a.is_removed == b.is_removed &&
         std::equal(a.chain.begin(), a.chain.end(), b.chain.begin(), b.chain.end(),
                    [](const ElementOp& x, const ElementOp& y) { return IsSame(x, y); });
}

/// Whether two graphs compute the same.
bool IsSame(const Graph& a, const Graph& b) {
  std::vector<bool> is_used(a.tensors.size());
  for (const Node& node : a.nodes) {
    for (const TensorId input : node.inputs) is_used[input] = true;
    for (const TensorId output : node.outputs) is_used[output] = true;
  }
  for (const TensorId output : a.outputs) is_used[output] = true;
  if (a.tensors.size() != b.tensors.size() || a.nodes.size() != b.nodes.size() ||
      a.inputs != b.inputs || a.outputs != b.outputs) {
    return false;
  }
  for (TensorId tensor = 0; tensor < a.tensors.size(); ++tensor) {
    const bool is_same = a.tensors[tensor].info == b.tensors[tensor].info &&
                         IsSameContent(a.tensors[tensor], b.tensors[tensor]);
    if (is_used[tensor] && !is_same) return false;
  }
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(),
                    [](const Node& x, const Node& y) { return IsSame(x, y); });
}

ExtentMap MakeMap(const ResizeArgs& args) {
  ExtentMap extents;
  for (std::uint32_t i = 0; i < args.num_changes; ++i) {
    extents.numbers[args.changes[i].before] = args.changes[i].after;
  }
  return extents;
}

/// The layers for which there are kernels. Others were made by passes, and run as these say.
std::vector<std::size_t> FindRunLayers(const Graph& graph) {
  std::vector<std::size_t> layers;
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    const Node& node = graph.nodes[index];
    const bool is_layer = node.kind == NodeKind::kLayer && !node.is_removed;
    if (is_layer && CanRun(graph, node)) layers.push_back(index);
  }
  return layers;
}

std::shared_ptr<const void> CopyContent(const ConstTensor& constant) {
  const std::uint64_t size_bytes = constant.info.GetSizeBytes();
  std::shared_ptr<void> content = AllocateAligned(size_bytes);
  if (size_bytes != 0) std::memcpy(content.get(), constant.data, size_bytes);
  return content;
}

}  // namespace

ResizableGraph::Form::Form(const Graph& offered, const std::set<TensorId>& changing,
                           std::set<std::int64_t> changing_extents)
    : graph(WithoutContent(offered, changing)), extents(std::move(changing_extents)) {
  LeaveComputed(extents, graph);
  RunPasses(graph);
  run_layers = FindRunLayers(graph);
}

// Some kernels have limits.
bool ResizableGraph::Form::CanStillRun(const Graph& resized) const {
  return std::all_of(run_layers.begin(), run_layers.end(),
                     [&](std::size_t index) { return CanRun(resized, resized.nodes[index]); });
}

ResizableGraph::Form& ResizableGraph::FindForm(const std::set<TensorId>& changing,
                                               const ExtentMap& extents) {
  std::unique_ptr<Form>& form = forms_[changing];
  std::set<std::int64_t> all = form ? form->extents : std::set<std::int64_t>();
  for (const auto& change : extents.numbers) all.insert(change.first);
  if (!form || form->extents != all) {
    form = std::make_unique<Form>(offered_, changing, std::move(all));
  }
  return *form;
}

ResizableGraph::ResizableGraph(Graph graph, std::vector<LayerId> layers)
    : offered_(std::move(graph)), layers_(std::move(layers)), products_(offered_) {}

void ResizableGraph::Resize(const ResizeArgs& args, const CompileResized& compile) {
  const ExtentMap extents = MakeMap(args);
  const auto all = products_.AddTo(extents);
  const auto constants = FindConstants(args);
  if (!all || !constants) return;
  std::set<TensorId> changing;
  for (const auto& [tensor, constant] : *constants) changing.insert(tensor);
  const std::lock_guard<std::mutex> lock(mutex_);
  Form& form = FindForm(changing, extents);
  Graph resized = form.graph;
  if (form.is_wrong || !ChangeExtents(*all, resized)) return;
  if (!Check(form, extents, changing, resized) || !form.CanStillRun(resized)) return;
  for (const auto& [tensor, constant] : *constants) {
    if (resized.tensors[tensor].info != constant->info) return;
    resized.tensors[tensor].content = CopyContent(*constant);
  }
  DropUnreadConstants(resized);
  compile(std::move(resized), form.memo);
}

std::optional<std::map<TensorId, const ConstTensor*>> ResizableGraph::FindConstants(
    const ResizeArgs& args) const {
  std::map<TensorId, const ConstTensor*> constants;
  std::map<TensorId, std::size_t> num_readers;
  for (std::uint32_t i = 0; i < args.num_constants; ++i) {
    const auto found = std::find(layers_.begin(), layers_.end(), args.readers[i].layer);
    if (found == layers_.end()) return {};
    const Node& node = offered_.nodes[static_cast<std::size_t>(found - layers_.begin())];
    if (args.readers[i].index >= node.inputs.size()) return {};
    const TensorId tensor = node.inputs[args.readers[i].index];
    const ConstTensor*& constant = constants[tensor];
    // Two that had one content may have two now.
    if (constant != nullptr && constant->data != args.constants[i]->data) return {};
    constant = args.constants[i];
    ++num_readers[tensor];
  }
  for (const Node& node : offered_.nodes) {
    for (const TensorId input : node.inputs) {
      const auto found = num_readers.find(input);
      if (found != num_readers.end() && found->second-- == 0) return {};
    }
  }
  const bool all_are_read = std::all_of(num_readers.begin(), num_readers.end(),
                                        [](const auto& left) { return left.second == 0; });
  if (!all_are_read) return {};
  return constants;
}

bool ResizableGraph::Check(Form& form, const ExtentMap& extents, const std::set<TensorId>& changing,
                           const Graph& resized) const {
  const auto is_checked = [&](const auto& change) { return form.checked.count(change.first) != 0; };
  if (std::all_of(extents.numbers.begin(), extents.numbers.end(), is_checked)) return true;
  Graph anew = WithoutContent(offered_, changing);
  LeaveComputed(form.extents, anew);
  form.is_wrong = !ChangeExtents(extents, anew);
  if (!form.is_wrong) {
    RunPasses(anew);
    form.is_wrong = !IsSame(resized, anew);
  }
  for (const auto& change : extents.numbers) form.checked.insert(change.first);
  return !form.is_wrong;
}

}  // namespace cpuacc
}  // namespace backplane
