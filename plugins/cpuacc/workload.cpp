#include "workload.hpp"

#include "cpu_layers/fences.hpp"

#include <array>
#include <atomic>
#include <new>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// The addresses of tensors in this run; on the stack when they are few.
class Addresses {
 public:
  explicit Addresses(RunTensorList tensors) {
    const std::uint32_t count = tensors.GetCount();
    if (count > few_.size()) many_.resize(count);
    for (std::uint32_t index = 0; index < count; ++index) Get()[index] = tensors[index].GetData();
  }

  void** Get() { return many_.empty() ? few_.data() : many_.data(); }

 private:
  std::array<void*, 16> few_;
  std::vector<void*> many_;
};

/// Working memories are numbered over the process: several networks may be run at once.
std::string MakeLane() {
  static std::atomic<std::uint32_t> count{0};
  return "CpuAcc steps " + std::to_string(++count);
}

}  // namespace

ExecutionState::ExecutionState(const std::vector<std::shared_ptr<const CompiledGraph>>& graphs,
                               std::shared_ptr<ArenaPool> arenas, std::uint64_t arena_bytes)
    : lane_(MakeLane()), arenas_(std::move(arenas), arena_bytes) {
  const ArenaPool::Lease arena(arenas_, nullptr);
  for (const auto& graph : graphs) {
    states_.push_back(std::make_unique<CompiledGraphState>(*graph, arena.Get()));
  }
  last_arena_ = arena.Get();
}

Workload::Workload(const WorkloadArgs& args, std::shared_ptr<const CompiledGraph> graph,
                   std::size_t position, std::shared_ptr<const Timeline> timeline,
                   std::shared_ptr<ThreadPool> threads)
    : graph_(std::move(graph)),
      position_(position),
      timeline_(std::move(timeline)),
      threads_(std::move(threads)),
      inputs_(cpu_layers::GetSizes(args.inputs, args.num_inputs)),
      outputs_(cpu_layers::GetSizes(args.outputs, args.num_outputs)) {}

Status Workload::Execute(const ExecuteArgs& args) const {
  auto* state = static_cast<ExecutionState*>(args.GetState());
  if (state == nullptr || state->GetCount() <= position_ ||
      !cpu_layers::AreUsable(args.GetInputs(), inputs_) ||
      !cpu_layers::AreUsable(args.GetOutputs(), outputs_)) {
    return Status::kInvalidArgument;
  }
  const Status status = cpu_layers::WaitForFences(args.GetWaitFences(), args.GetNumWaitFences());
  if (status != Status::kSuccess) return status;
  Addresses inputs(args.GetInputs());
  Addresses outputs(args.GetOutputs());
  return Run(inputs.Get(), outputs.Get(), *state, RunEnd(args));
}

Status Workload::Run(void* const* inputs, void* const* outputs, ExecutionState& state,
                     const RunEnd& end) const try {
  const ArenaPool::Lease arena(state.GetArenaUser(), state.GetLastArena());
  state.SetLastArena(arena.Get());
  CompiledGraphState& own = state.Get(position_);
  own.UseArena(*graph_, arena.Get());
  const bool is_done = graph_->Run(inputs, outputs, own,
                                   StepReporter(timeline_->Get(), state.GetLane()), *threads_, end);
  return is_done ? Status::kSuccess : Status::kCancelled;
} catch (const std::bad_alloc&) {
  return Status::kOutOfMemory;
}

}  // namespace cpuacc
}  // namespace backplane
