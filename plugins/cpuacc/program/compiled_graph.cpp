#include "program/compiled_graph.hpp"

#include "threads/runs_now.hpp"

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

void CompiledGraphState::UseArena(const CompiledGraph& graph, unsigned char* arena) {
  with_all_threads_.UseArena(*graph.with_all_threads_, arena);
  if (with_one_thread_) with_one_thread_->UseArena(*graph.with_one_thread_, arena);
}

CompiledGraph::CompiledGraph(std::unique_ptr<const Program> with_all_threads,
                             std::unique_ptr<const Program> with_one_thread,
                             std::uint64_t constant_bytes)
    : with_all_threads_(std::move(with_all_threads)),
      with_one_thread_(std::move(with_one_thread)),
      constant_bytes_(constant_bytes) {}

std::uint64_t CompiledGraph::GetMemoryBytes() const {
  return std::max(with_all_threads_->GetMemoryBytes(),
                  with_one_thread_ ? with_one_thread_->GetMemoryBytes() : 0);
}

std::vector<InPlacePair> CompiledGraph::GetInPlacePairs() const {
  std::vector<InPlacePair> pairs = with_all_threads_->GetInPlacePairs();
  if (!with_one_thread_) return pairs;
  const std::vector<InPlacePair>& others = with_one_thread_->GetInPlacePairs();
  const auto is_missing = [&](const InPlacePair& pair) {
    return std::none_of(others.begin(), others.end(), [&](const InPlacePair& other) {
      return other.input == pair.input && other.output == pair.output;
    });
  };
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), is_missing), pairs.end());
  return pairs;
}

bool CompiledGraph::Run(void* const* inputs, void* const* outputs, CompiledGraphState& state,
                        const StepReporter& reporter, ThreadPool& pool, const RunEnd& end) const {
  const CountedRun run;
  if (with_one_thread_ && CountHelpersAllowed(1) == 0) {
    return with_one_thread_->Run(inputs, outputs, *state.with_one_thread_, reporter,
                                 Threads().Until(end));
  }
  return with_all_threads_->Run(inputs, outputs, state.with_all_threads_, reporter,
                                Threads(pool, with_all_threads_->GetNumThreads()).Until(end));
}

}  // namespace cpuacc
}  // namespace backplane
