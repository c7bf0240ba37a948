#include "compile/planned_steps.hpp"

#include "compile/memory_plan.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Where in the arena the values lie that have memory of their own there.
struct ArenaPlan {
  std::vector<std::uint64_t> offsets;  // of each value; 0 for those that are not there
  std::uint64_t size_bytes = 0;
};

ArenaPlan PlanArena(const Values& values, const std::vector<PlannedStep>& steps) {
  constexpr std::uint32_t kNoPiece = ~std::uint32_t{0};
  std::vector<Lifetime> lifetimes;
  std::vector<std::uint32_t> pieces(values.GetCount(), kNoPiece);
  const auto use = [&](ValueId id, std::uint32_t step) {
    if (id == kNoValue) return;
    const ValueId root = values.FindRoot(id).value;
    if (values[root].kind != Place::Kind::kArena) return;
    if (pieces[root] == kNoPiece) {
      pieces[root] = static_cast<std::uint32_t>(lifetimes.size());
      lifetimes.push_back({values[root].size_bytes, step, step});
    }
    lifetimes[pieces[root]].last = step;
  };
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    for (const ValueId id : steps[step].inputs) use(id, step);
    for (const ValueId id : steps[step].outputs) use(id, step);
  }
  const MemoryPlan memory = PlanMemory(lifetimes);
  ArenaPlan plan{std::vector<std::uint64_t>(values.GetCount(), 0), memory.size_bytes};
  for (ValueId id = 0; id < values.GetCount(); ++id) {
    if (pieces[id] != kNoPiece) plan.offsets[id] = memory.offsets[pieces[id]];
  }
  return plan;
}

/// The constants that steps read, each once.
class KeptConstants {
 public:
  KeptConstants(const Graph& graph, PackedConstants& packed) : graph_(graph), packed_(packed) {}

  std::uint32_t Keep(TensorId tensor) {
    const auto known = std::find(tensors_.begin(), tensors_.end(), tensor);
    const auto index = static_cast<std::uint32_t>(known - tensors_.begin());
    if (known == tensors_.end()) {
      tensors_.push_back(tensor);
      contents_.push_back(packed_.Keep(graph_.tensors[tensor]));
    }
    return index;
  }

  Constants Take() { return std::move(contents_); }

 private:
  const Graph& graph_;
  PackedConstants& packed_;
  std::vector<TensorId> tensors_;
  Constants contents_;
};

Place FindPlace(const Values& values, ValueId id, const ArenaPlan& arena,
                KeptConstants& constants) {
  if (id == kNoValue) return {};
  const Root root = values.FindRoot(id);
  const Value& whole = values[root.value];
  Place place{whole.kind, whole.index, root.offset_bytes};
  if (whole.kind == Place::Kind::kArena) place.offset_bytes += arena.offsets[root.value];
  if (whole.kind == Place::Kind::kConstant) place.index = constants.Keep(whole.index);
  return place;
}

}  // namespace

std::unique_ptr<const Program> MakeProgram(const Graph& graph, const Values& values,
                                           std::vector<PlannedStep> steps,
                                           PackedConstants& constants, int num_threads) {
  const ArenaPlan arena = PlanArena(values, steps);
  KeptConstants kept(graph, constants);
  const auto find_places = [&](const std::vector<ValueId>& ids) {
    std::vector<Place> places;
    for (const ValueId id : ids) places.push_back(FindPlace(values, id, arena, kept));
    return places;
  };
  std::vector<Step> placed;
  for (PlannedStep& planned : steps) {
    Step step;
    step.inputs = find_places(planned.inputs);
    step.outputs = find_places(planned.outputs);
    step.kernel = std::move(planned.kernel);
    step.name = std::move(planned.name);
    step.num_threads = planned.num_threads;
    placed.push_back(std::move(step));
  }
  return std::make_unique<const Program>(std::move(placed), kept.Take(), arena.size_bytes,
                                         num_threads);
}

}  // namespace cpuacc
}  // namespace backplane
