#pragma once

/// A graph compiled for as many threads as its network may use, and for one.

#include "program/program.hpp"
#include "threads/contention.hpp"
#include "threads/own_threads.hpp"

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

class CompiledGraph;

/// What one run at a time changes.
class CompiledGraphState {
 public:
  /// Ownership: the arena is borrowed and has the bytes that the graph asks for.
  CompiledGraphState(const CompiledGraph& graph, unsigned char* arena);

 private:
  friend class CompiledGraph;

  ProgramState with_all_threads_;
  std::unique_ptr<ProgramState> with_one_thread_;
};

/// Immutable, but for what it learns about the machine.
///
/// Threads: any; several runs at once, each with its own state.
class CompiledGraph {
 public:
  /// Null: `with_one_thread` when the other has one thread already.
  CompiledGraph(std::unique_ptr<const Program> with_all_threads,
                std::unique_ptr<const Program> with_one_thread);

  std::uint64_t GetMemoryBytes() const;

  /// Runs with all threads, which are not the caller's; on the caller when others that run now
  /// leave no more than one, or several have been slower than one.
  void Run(void* const* inputs, void* const* outputs, CompiledGraphState& state,
           const StepReporter& reporter, OwnThreads& own_threads) const;

 private:
  friend class CompiledGraphState;

  std::unique_ptr<const Program> with_all_threads_;
  std::unique_ptr<const Program> with_one_thread_;
  mutable Contention contention_;
};

}  // namespace cpuacc
}  // namespace backplane
