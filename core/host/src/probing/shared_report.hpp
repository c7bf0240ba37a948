#pragma once

/// What the process that runs a plugin leaves for the one that watches it: memory that both have
/// mapped, so that nothing the plugin does to its descriptors can lose it.

#include "spawn/shared_text.hpp"

#include <backplane/host/load_report.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace backplane::probing {

/// Fatal signals and exceptions write from wherever they happen, so this is plain memory, and a
/// plugin can overwrite it. Readers bound lengths and numbers, and decode the body as they would
/// any text from outside; that what it says is true they cannot know.
struct SharedReport {
  /// Where a process that serves a backend is when it was asked nothing: lanes run meanwhile, and
  /// what the backend started.
  static constexpr char kBesides[] = "a run or in a thread of the backend";
  static constexpr std::size_t kMaxCallBytes = 96;
  static constexpr std::size_t kMaxThrownBytes = 1024;
  static constexpr std::size_t kMaxBodyBytes = std::size_t{1} << 20U;

  std::atomic<std::uint32_t> stage;
  std::atomic<std::uint32_t> member;  // whose turn it is: a library of the request, or then a file
  // The function of the backend that is running; "" between them.
  spawn::SharedText<kMaxCallBytes> call;
  std::atomic<std::uint32_t> call_thread;  // which thread runs it

  std::atomic<std::uint32_t> has_fault;    // the fields of the fault are set
  std::atomic<std::uint32_t> dead_thread;  // which met it, or threw; 0: it is not known
  std::uint64_t fault_address;             // of SIGSYS: the number of the system call
  std::uint32_t is_stack_overflow;
  spawn::SharedText<kMaxThrownBytes> thrown;  // what an exception that nobody caught says

  std::atomic<std::uint32_t> has_copy;  // the plugin forked, and the copy came back to the host
  // 0: the report was not finished; more than kMaxBodyBytes: it did not fit, and is not there.
  std::atomic<std::uint32_t> body_bytes;
  std::atomic<std::uint32_t> is_closed;  // the library was closed too, or must stay open
  std::atomic<std::uint32_t> is_ended;   // so have the handlers run that the plugin left behind
  char body[kMaxBodyBytes];
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace backplane::probing
