#include "program/compiled_graph.hpp"

#include "threads/running_threads.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {

CompiledGraphState::CompiledGraphState(const CompiledGraph& graph, unsigned char* arena)
    : with_all_threads_(*graph.with_all_threads_, arena) {
  if (graph.with_one_thread_) {
    with_one_thread_ = std::make_unique<ProgramState>(*graph.with_one_thread_, arena);
  }
}

CompiledGraph::CompiledGraph(std::unique_ptr<const Program> with_all_threads,
                             std::unique_ptr<const Program> with_one_thread)
    : with_all_threads_(std::move(with_all_threads)),
      with_one_thread_(std::move(with_one_thread)) {}

std::uint64_t CompiledGraph::GetMemoryBytes() const {
  return std::max(with_all_threads_->GetMemoryBytes(),
                  with_one_thread_ ? with_one_thread_->GetMemoryBytes() : 0);
}

void CompiledGraph::Run(void* const* inputs, void* const* outputs, CompiledGraphState& state,
                        const StepReporter& reporter, OwnThreads& own_threads) const {
  if (!with_one_thread_) {
    const RunningThreads threads(with_all_threads_->GetNumThreads());
    return with_all_threads_->Run(inputs, outputs, state.with_all_threads_, reporter);
  }
  ContendedRun run(contention_);
  const RunningThreads threads(run.WantsOneThread() ? 1 : with_all_threads_->GetNumThreads());
  if (threads.GetCount() == 1) {
    with_one_thread_->Run(inputs, outputs, *state.with_one_thread_, reporter);
    return run.Finish(1);
  }
  own_threads.Run([&] {
    with_all_threads_->Run(inputs, outputs, state.with_all_threads_, reporter);
    run.Finish(threads.GetCount());
  });
}

}  // namespace cpuacc
}  // namespace backplane
