#pragma once

/// What code that runs on a thread can leave changed there, from the table thread_states.def.

#include <backplane/host/export.hpp>

#include <clocale>
#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

enum class ThreadStatePart : std::uint32_t {
#define BACKPLANE_THREAD_STATE(name, ...) k##name,
#include <backplane/host/thread_states.def>
#undef BACKPLANE_THREAD_STATE
};

/// "the rounding of floating-point numbers". Static storage. [any thread]
BACKPLANE_HOST_API const char* GetThreadStateText(ThreadStatePart part);
/// What comes of a change; a sentence without a full stop. Static storage. [any thread]
BACKPLANE_HOST_API const char* GetThreadStateConsequence(ThreadStatePart part);

struct ThreadStateChange {
  ThreadStatePart part = ThreadStatePart::kRounding;
  std::string before;  // "to nearest"
  std::string after;   // "upward"
};

/// The state of one thread at one moment. What arithmetic itself changes, such as the flags that
/// say what has happened, is no part of it.
class BACKPLANE_HOST_API ThreadState {
 public:
  /// That of the calling thread. [any thread]
  static ThreadState Read() noexcept;

  /// Whether the calling thread has this state. Costs one system call. [any thread]
  bool IsCurrent() const noexcept;

  /// Gives the calling thread this state, and says what was another; with as little memory as there
  /// may be, the state is put back first.
  /// Errors: std::bad_alloc.
  /// [any thread]
  std::vector<ThreadStateChange> Restore() const;

  /// One part, for people: "to nearest". [any thread]
  std::string Describe(ThreadStatePart part) const;

 private:
  ThreadState() = default;

  std::uint64_t float_control_[2] = {};  // as the processor has it
  sigset_t blocked_ = {};
  locale_t locale_ = nullptr;
};

}  // namespace backplane
