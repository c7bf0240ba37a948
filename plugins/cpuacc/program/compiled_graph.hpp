#pragma once

/// A graph compiled for as many threads as its network may use, and for one.

#include "program/program.hpp"
#include "threads/thread_pool.hpp"

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

  /// The next runs have another arena.
  void UseArena(const CompiledGraph& graph, unsigned char* arena);

 private:
  friend class CompiledGraph;

  ProgramState with_all_threads_;
  std::unique_ptr<ProgramState> with_one_thread_;
};

/// Immutable.
///
/// Threads: any; several runs at once, each with its own state.
class CompiledGraph {
 public:
  /// Null: `with_one_thread` when the other has one thread already, or runs alone too. What both
  /// hold of constants is `constant_bytes`.
  CompiledGraph(std::unique_ptr<const Program> with_all_threads,
                std::unique_ptr<const Program> with_one_thread, std::uint64_t constant_bytes);

  std::uint64_t GetMemoryBytes() const;
  std::uint64_t GetConstantBytes() const { return constant_bytes_; }
  /// The pairs of IPreCompiledObject::GetInPlacePairs, for any number of threads.
  std::vector<InPlacePair> GetInPlacePairs() const;

  /// Runs on the caller, with helpers of the pool where others that run now leave processors to
  /// them. False: it was stopped at its end, and outputs are undefined.
  bool Run(void* const* inputs, void* const* outputs, CompiledGraphState& state,
           const StepReporter& reporter, ThreadPool& pool, const RunEnd& end = RunEnd()) const;

 private:
  friend class CompiledGraphState;

  std::unique_ptr<const Program> with_all_threads_;
  std::unique_ptr<const Program> with_one_thread_;
  std::uint64_t constant_bytes_;
};

}  // namespace cpuacc
}  // namespace backplane
