#include "subgraphs/resizable_graph.hpp"

#include "graph/offered_constants.hpp"
#include "passes/can_run.hpp"
#include "passes/passes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

Graph WithoutContent(const Graph& graph, const std::set<TensorId>& tensors) {
  Graph result = graph;
  for (const TensorId tensor : tensors) result.tensors[tensor].content.reset();
  return result;
}

ExtentMap MakeMap(const ResizeArgs& args) {
  ExtentMap extents;
  for (std::uint32_t i = 0; i < args.num_changes; ++i) {
    extents.numbers[args.changes[i].before] = args.changes[i].after;
  }
  return extents;
}

/// The nodes that are layers for which there are kernels. What passes made always runs.
std::vector<bool> FindRunLayers(const Graph& graph) {
  std::vector<bool> is_run;
  for (const Node& node : graph.nodes) {
    const bool is_layer = node.kind == NodeKind::kLayer && !node.is_removed;
    is_run.push_back(is_layer && CanRun(graph, node));
  }
  return is_run;
}

/// Where some tensors are read.
std::map<TensorId, std::vector<std::size_t>> FindReaders(const Graph& graph,
                                                         const std::set<TensorId>& tensors) {
  std::map<TensorId, std::vector<std::size_t>> readers;
  for (std::size_t index = 0; index < graph.nodes.size(); ++index) {
    if (graph.nodes[index].is_removed) continue;
    for (const TensorId input : graph.nodes[index].inputs) {
      if (tensors.count(input) != 0) readers[input].push_back(index);
    }
  }
  for (const TensorId output : graph.outputs) {
    if (tensors.count(output) != 0) readers[output];
  }
  return readers;
}

/// The graph as the passes leave it.
Graph MakeForm(const Graph& offered, const std::set<TensorId>& changing,
               const std::set<std::int64_t>& extents, const RunEnd& end) {
  Graph graph = WithoutContent(offered, changing);
  LeaveComputed(extents, graph);
  RunPasses(graph, end);
  return graph;
}

/// In how many equal steps of whole numbers all extents become what they are. 0: none changes.
std::int64_t CountSteps(const ExtentMap& extents) {
  std::int64_t steps = 0;
  for (const auto& [before, after] : extents.numbers) steps = std::gcd(steps, after - before);
  return steps;
}

/// How many steps more can be made, with no extent more than four times, or less than a quarter, of
/// what it was. `made`: how many were.
std::int64_t CountFurtherSteps(const ExtentMap& extents, std::int64_t made) {
  constexpr std::int64_t kMostTimes = 4;
  std::int64_t further = made == 0 ? 0 : std::numeric_limits<std::int64_t>::max();
  for (const auto& [before, after] : extents.numbers) {
    if (before == after) continue;
    const std::int64_t step = (after - before) / made;
    const std::int64_t last =
        step > 0 ? before * kMostTimes : std::max(before / kMostTimes, std::int64_t{2});
    further = std::min(further, std::max((last - after) / step, std::int64_t{0}));
  }
  return further;
}

/// The extents that become others.
std::set<std::int64_t> FindChanging(const ExtentMap& extents) {
  std::set<std::int64_t> changing;
  for (const auto& [before, after] : extents.numbers) {
    if (before != after) changing.insert(before);
  }
  return changing;
}

}  // namespace

ResizableGraph::Form::Form(const Graph& offered, const std::set<TensorId>& changing,
                           std::set<std::int64_t> changing_extents, const RunEnd& end)
    : extents(std::move(changing_extents)),
      graph(MakeForm(offered, changing, extents, end)),
      graph_extents(graph),
      readers(FindReaders(graph, changing)),
      is_run(FindRunLayers(graph)),
      is_changed(graph.nodes.size()) {
  // `graph_extents` has seen their extents, which may be those of what they were folded into.
  DropUnreadConstants(graph);
}

/// Constants that change have no content until all else is known to be right.
bool ResizableGraph::Form::ChangeExtents(const Change& change) {
  for (const auto& constant : change.constants) graph.tensors[constant.first].content.reset();
  return graph_extents.Change(change.with_products, is_changed);
}

// Some kernels have limits.
bool ResizableGraph::Form::CanStillRun() const {
  for (std::size_t index = 0; index < is_run.size(); ++index) {
    const bool is_other = is_run[index] && is_changed[index];
    if (is_other && !CanRun(graph, graph.nodes[index])) return false;
  }
  return true;
}

bool ResizableGraph::Form::ChangeConstants(const Change& change) {
  for (const auto& [tensor, constant] : change.constants) {
    if (graph.tensors[tensor].info != constant.info) return false;
    const auto of_tensor = readers.find(tensor);
    if (of_tensor == readers.end()) continue;
    GraphTensor& known = constants[tensor];
    if (!known.IsConstant() || known.info != constant.info || !IsSameContent(known, constant)) {
      known = constant;
      for (const std::size_t reader : of_tensor->second) is_changed[reader] = true;
    }
    graph.tensors[tensor].content = known.content;
  }
  return true;
}

const std::shared_ptr<ResizableGraph::Form>& ResizableGraph::FindForm(const Change& change,
                                                                      const RunEnd& end) {
  std::set<TensorId> changing;
  for (const auto& constant : change.constants) changing.insert(constant.first);
  std::shared_ptr<Form>& form = forms_[changing];
  std::set<std::int64_t> all = form ? form->extents : std::set<std::int64_t>();
  for (const auto& number : change.extents.numbers) all.insert(number.first);
  if (!form || form->extents != all) {
    form = std::make_shared<Form>(offered_, changing, std::move(all), end);
  }
  return form;
}

ResizableGraph::ResizableGraph(Graph graph, const std::vector<LayerId>& layers)
    : offered_(std::move(graph)), num_readers_(offered_.tensors.size()), products_(offered_) {
  for (std::size_t index = 0; index < layers.size(); ++index) nodes_[layers[index]] = index;
  for (const Node& node : offered_.nodes) {
    for (const TensorId input : node.inputs) ++num_readers_[input];
  }
}

std::optional<ResizableGraph::Change> ResizableGraph::FindChange(const ResizeArgs& args) const {
  Change change;
  change.extents = MakeMap(args);
  auto with_products = products_.AddTo(change.extents);
  if (!with_products) return {};
  change.with_products = *std::move(with_products);
  std::map<TensorId, std::size_t> num_readers;
  std::map<TensorId, const void*> given;
  for (std::uint32_t i = 0; i < args.num_constants; ++i) {
    const auto found = nodes_.find(args.readers[i].layer);
    if (found == nodes_.end()) return {};
    const Node& node = offered_.nodes[found->second];
    if (args.readers[i].index >= node.inputs.size()) return {};
    const TensorId tensor = node.inputs[args.readers[i].index];
    const ConstTensor& constant = *args.constants[i];
    ++num_readers[tensor];
    // Two that had one content may have two now.
    if (given.emplace(tensor, constant.data).first->second != constant.data) return {};
    GraphTensor& copy = change.constants[tensor];
    if (!copy.IsConstant()) copy = {constant.info, CopyContent(constant)};
  }
  const bool all_are_read =
      std::all_of(num_readers.begin(), num_readers.end(),
                  [&](const auto& read) { return num_readers_[read.first] == read.second; });
  if (!all_are_read) return {};
  return change;
}

void ResizableGraph::Resize(Change& change, const RunEnd& end, const CompileResized& compile) {
  const std::lock_guard<std::mutex> lock(mutex_);
  change.form = FindForm(change, end);
  Form& form = *change.form;
  if (form.is_wrong || !form.ChangeExtents(change) || !Check(form, change, end) ||
      !form.CanStillRun() || !form.ChangeConstants(change)) {
    return;
  }
  std::vector<std::size_t> changed;
  for (std::size_t index = 0; index < form.is_changed.size(); ++index) {
    if (form.is_changed[index]) changed.push_back(index);
  }
  compile(form.graph, changed, form.compiler);
  form.is_changed.assign(form.is_changed.size(), false);
}

Graph ResizableGraph::MakeResized(const Change& change) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Form& form = *change.form;
  static_cast<void>(form.ChangeExtents(change) && form.ChangeConstants(change));
  return form.graph;
}

bool ResizableGraph::Form::HasSeen(const Change& change) const {
  const auto of_these = seen.find(FindChanging(change.extents));
  if (of_these == seen.end()) return false;
  const auto& all = change.with_products.numbers;
  return std::all_of(all.begin(), all.end(), [&](const auto& number) {
    const auto range = of_these->second.find(number.first);
    return range != of_these->second.end() && range->second.first <= number.second &&
           number.second <= range->second.second;
  });
}

void ResizableGraph::Form::Note(const Change& change) {
  auto& of_these = seen[FindChanging(change.extents)];
  for (const auto& [before, after] : change.with_products.numbers) {
    auto& [least, greatest] = of_these.emplace(before, std::pair(before, before)).first->second;
    least = std::min(least, after);
    greatest = std::max(greatest, after);
  }
}

bool ResizableGraph::Check(Form& form, const Change& change, const RunEnd& end) const {
  if (form.HasSeen(change) || CheckFurther(form, change, end)) return true;
  form.is_wrong = !IsAsAnew(form, change, end);
  if (!form.is_wrong) form.Note(change);
  return !form.is_wrong;
}

/// Whether the passes make the graph of the form of the one that was offered, with other extents.
bool ResizableGraph::IsAsAnew(const Form& form, const Change& change, const RunEnd& end) const {
  Graph anew = offered_;
  for (const auto& constant : change.constants) anew.tensors[constant.first].content.reset();
  LeaveComputed(form.extents, anew);
  std::vector<bool> changed(anew.nodes.size());
  if (!GraphExtents(anew).Change(change.extents, changed)) return false;
  RunPasses(anew, end);
  return IsSame(form.graph, anew);
}

/// Checks extents that have changed as much as they may, so that a length that grows is checked
/// once. Where the passes make another graph of those, it checks a quarter as far, and so on.
bool ResizableGraph::CheckFurther(Form& form, const Change& change, const RunEnd& end) const {
  const std::int64_t most_steps = CountSteps(change.extents);
  bool is_right = false;
  for (auto steps = CountFurtherSteps(change.extents, most_steps); steps > 0 && !is_right;
       steps /= 4) {
    Change further = change;
    for (auto& [before, after] : further.extents.numbers) {
      after += (after - before) / most_steps * steps;
    }
    auto with_products = products_.AddTo(further.extents);
    if (!with_products) continue;
    further.with_products = *std::move(with_products);
    is_right = form.ChangeExtents(further) && IsAsAnew(form, further, end);
    if (is_right) form.Note(further);
  }
  form.ChangeExtents(change);
  return is_right;
}

}  // namespace cpuacc
}  // namespace backplane
