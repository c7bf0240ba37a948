#pragma once

/// What a kernel is: one step of a compiled program.

#include "threads/threads.hpp"

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// What a kernel keeps for one working memory, such as a library's handles.
class KernelState {
 public:
  virtual ~KernelState() = default;
};

/// One run of one kernel. Everything is borrowed until the call returns.
struct KernelRun {
  template <typename Element>
  const Element* Input(std::uint32_t index) const {
    return static_cast<const Element*>(inputs[index]);
  }
  template <typename Element>
  Element* Output(std::uint32_t index = 0) const {
    return static_cast<Element*>(outputs[index]);
  }
  template <typename Element>
  Element* GetScratch() const {
    return static_cast<Element*>(scratch);
  }

  void* const* inputs = nullptr;   // of the node, in order; constants too
  void* const* outputs = nullptr;  // of the node, in order
  void* scratch = nullptr;         // GetScratchBytes, aligned to 64 bytes
  KernelState* state = nullptr;    // what MakeState gave
  Threads threads;                 // for loops
};

/// The computation of one node, with all that can be known before the run. Allocates nothing while
/// it runs.
///
/// Threads: any; several runs at once, each with its own state.
class Kernel {
 public:
  virtual ~Kernel() = default;

  /// The scratch memory that a run needs.
  virtual std::uint64_t GetScratchBytes() const { return 0; }

  /// Null: nothing is kept.
  virtual std::unique_ptr<KernelState> MakeState() const { return nullptr; }

  /// Whether output 0 may lie exactly where input 0 lies.
  virtual bool MayOverwriteInput() const { return false; }

  virtual void Run(const KernelRun& run) const = 0;
};

}  // namespace cpuacc
}  // namespace backplane
