#include "compile/planned_steps.hpp"

#include "compile/memory_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// The roots in the arena, in the order of their first use, and the steps between which each is
/// used. Their sizes are not looked at.
std::vector<Lifetime> FindLifetimes(const Values& values, const std::vector<PlannedStep>& steps,
                                    std::vector<ValueId>& roots) {
  std::vector<Lifetime> lifetimes;
  std::vector<std::uint32_t> pieces(values.GetCount(), kNone);
  const auto use = [&](ValueId id, std::uint32_t step) {
    if (id == kNoValue) return;
    const ValueId root = values.FindRoot(id).value;
    if (values[root].kind != Place::Kind::kArena) return;
    if (pieces[root] == kNone) {
      pieces[root] = static_cast<std::uint32_t>(lifetimes.size());
      lifetimes.push_back({0, step, step});
      roots.push_back(root);
    }
    lifetimes[pieces[root]].last = step;
  };
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    for (const ValueId id : steps[step].inputs) use(id, step);
    for (const ValueId id : steps[step].outputs) use(id, step);
  }
  return lifetimes;
}

/// The constants that steps read, each once.
class KeptConstants {
 public:
  KeptConstants(const Graph& graph, PackedConstants& packed)
      : graph_(graph), packed_(packed), indices_(graph.tensors.size(), kNone) {}

  std::uint32_t Keep(TensorId tensor) {
    std::uint32_t& index = indices_[tensor];
    if (index == kNone) {
      index = static_cast<std::uint32_t>(contents_.size());
      contents_.push_back(packed_.Keep(graph_.tensors[tensor]));
    }
    return index;
  }

  Constants Take() { return std::move(contents_); }

 private:
  const Graph& graph_;
  PackedConstants& packed_;
  std::vector<std::uint32_t> indices_;  // of each tensor
  Constants contents_;
};

Place FindPlace(const Values& values, ValueId id, const MemoryOfValues& memory,
                KeptConstants& constants) {
  if (id == kNoValue) return {};
  const Root root = values.FindRoot(id);
  const Value& whole = values[root.value];
  Place place{whole.kind, whole.index, root.offset_bytes};
  if (whole.kind == Place::Kind::kArena) place.offset_bytes += memory.GetOffset(root.value);
  if (whole.kind == Place::Kind::kConstant) place.index = constants.Keep(whole.index);
  return place;
}

/// Outputs that a step writes over its input 0, which no other step reads.
std::vector<InPlacePair> FindInPlacePairs(const Values& values,
                                          const std::vector<PlannedStep>& steps) {
  const auto find_whole = [&](ValueId id, Place::Kind kind) -> const Value* {
    if (id == kNoValue) return nullptr;
    const Value& whole = values[values.FindRoot(id).value];
    return whole.kind == kind && whole.size_bytes == values[id].size_bytes ? &whole : nullptr;
  };
  std::map<std::uint32_t, std::uint32_t> num_reads;  // of each input
  for (const PlannedStep& step : steps) {
    for (const ValueId id : step.inputs) {
      if (id == kNoValue) continue;
      const Value& whole = values[values.FindRoot(id).value];
      if (whole.kind == Place::Kind::kInput) ++num_reads[whole.index];
    }
  }
  std::vector<InPlacePair> pairs;
  for (const PlannedStep& step : steps) {
    if (!step.kernel->MayOverwriteInput()) continue;
    const Value* const input = find_whole(step.inputs[0], Place::Kind::kInput);
    const Value* const output = find_whole(step.outputs[0], Place::Kind::kOutput);
    if (input == nullptr || output == nullptr || num_reads[input->index] != 1) continue;
    pairs.push_back({input->index, output->index});
  }
  return pairs;
}

}  // namespace

bool MemoryOfValues::IsStillRight(const Values& values) const {
  std::uint64_t used_bytes = 0;
  std::uint64_t all_bytes = 0;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const std::uint64_t size_bytes = values[roots_[i]].size_bytes;
    if (size_bytes > rooms_[i]) return false;
    used_bytes += size_bytes;
    all_bytes += rooms_[i];
  }
  return !offsets_.empty() && used_bytes >= all_bytes / 2;
}

void MemoryOfValues::Plan(const Values& values, const std::vector<PlannedStep>& steps) {
  if (IsStillRight(values)) return;
  const bool is_first = offsets_.empty();
  roots_.clear();
  std::vector<Lifetime> lifetimes = FindLifetimes(values, steps, roots_);
  sizes_.resize(roots_.size());
  rooms_.resize(roots_.size());
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const std::uint64_t size_bytes = values[roots_[i]].size_bytes;
    const bool has_grown = !is_first && size_bytes > sizes_[i];
    rooms_[i] = has_grown ? size_bytes + size_bytes / 4 : size_bytes;
    sizes_[i] = size_bytes;
    lifetimes[i].size_bytes = rooms_[i];
  }
  const MemoryPlan plan = PlanMemory(lifetimes);
  size_bytes_ = plan.size_bytes;
  offsets_.assign(values.GetCount(), 0);
  for (std::size_t i = 0; i < roots_.size(); ++i) offsets_[roots_[i]] = plan.offsets[i];
}

std::unique_ptr<const Program> MakeProgram(const Graph& graph, const Values& values,
                                           const std::vector<PlannedStep>& steps,
                                           PackedConstants& constants, int num_threads,
                                           MemoryOfValues& memory) {
  memory.Plan(values, steps);
  KeptConstants kept(graph, constants);
  std::vector<Step> placed;
  std::vector<Place> places;
  placed.reserve(steps.size());
  for (const PlannedStep& step : steps) {
    for (const ValueId id : step.inputs) places.push_back(FindPlace(values, id, memory, kept));
    for (const ValueId id : step.outputs) places.push_back(FindPlace(values, id, memory, kept));
    placed.push_back({step.kernel, step.name, static_cast<std::uint32_t>(step.inputs.size()),
                      static_cast<std::uint32_t>(step.outputs.size()), step.num_threads});
  }
  return std::make_unique<const Program>(std::move(placed), std::move(places), kept.Take(),
                                         memory.GetSizeBytes(), num_threads,
                                         FindInPlacePairs(values, steps));
}

}  // namespace cpuacc
}  // namespace backplane
