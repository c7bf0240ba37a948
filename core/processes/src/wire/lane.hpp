#pragma once

/// How runs are handed over: memory that both sides have mapped, one for each working memory. The
/// host writes which workloads are to run, in their order; one thread of the other side runs them.
/// Neither trusts the other with more than the content of tensors: whatever is read here may be
/// another value a moment later, so each word is read once, into memory of its own, and then
/// judged.

#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace backplane::wire {

enum class OperandKind : std::uint32_t {
  kNone = 0,
  kShared = 1,  // memory in an area: `object` is the area's id
  kHandle = 2,  // a handle of a factory of the backend: `object` is its id
};

/// Which tensor a workload reads or writes.
struct LaneOperand {
  std::uint64_t version = 0;  // changes with each of the fields below
  OperandKind kind = OperandKind::kNone;
  std::uint32_t has_import = 0;      // of kHandle: it has to be imported what `view` describes
  std::uint64_t object = 0;          // an area, or a handle
  std::uint64_t import_version = 0;  // of kHandle: changes with what it has imported
  std::uint64_t import_area = 0;
  std::uint64_t offset_bytes = 0;  // of the memory in its area
  MemoryView view;                 // of that memory; without address and descriptor
};

/// One workload that is to run.
struct LaneEntry {
  std::uint32_t workload = 0;  // its number in the lane
  std::uint32_t run = 0;
};

constexpr std::uint32_t kLaneEntries = 1024;  // a power of two
constexpr std::size_t kMaxLaneText = 2048;    // of what was thrown, as DescribeThrown writes it

struct LaneHeader {
  alignas(64) std::atomic<std::uint32_t> submitted;  // by the host: how many entries until now
  std::atomic<std::uint32_t> is_worker_asleep;
  std::atomic<std::uint32_t> is_closed;              // the host needs the lane no more
  std::atomic<std::uint32_t> cancelled_run;          // of which nothing is begun any more; 0: none
  std::atomic<std::uint64_t> run_number;             // of bp_run_info
  alignas(64) std::atomic<std::uint32_t> completed;  // by the other side
  std::atomic<std::uint32_t> is_host_asleep;
  std::atomic<std::uint32_t> running;      // the workload that runs, counted from 1; 0: none
  std::atomic<std::uint64_t> num_notices;  // that were sent until the last completion
  std::atomic<std::uint32_t> is_broken;  // something stands here that the host cannot have written
  // The first workload that failed; those that follow it in the same run are not run.
  alignas(64) std::atomic<std::uint32_t> failed_run;  // 0: none
  std::atomic<std::uint32_t> failed_workload;
  std::atomic<Status> failed_status;
  std::atomic<std::uint32_t> is_thrown;
  std::atomic<std::uint32_t> text_bytes;
  char text[kMaxLaneText];
  LaneEntry entries[kLaneEntries];
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// The operands stand behind the header, which fills whole lines of 64 bytes.
inline LaneOperand* GetOperands(LaneHeader* lane) {
  return reinterpret_cast<LaneOperand*>(lane + 1);
}

inline std::uint64_t GetLaneBytes(std::size_t num_operands) {
  return sizeof(LaneHeader) + num_operands * sizeof(LaneOperand);
}

/// Waits until `word` is not `seen` any more, or somebody wakes, or the time is up.
void WaitForWord(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
                 std::uint64_t timeout_ns);
/// Wakes all who wait for it, in whichever process.
void WakeWord(const std::atomic<std::uint32_t>& word);

/// How long somebody who waits spins before sleeping: as long as pays, by what came before.
class SpinLimit {
 public:
  /// Spins until `is_done`, or the limit is reached. Returns whether it is done.
  template <typename IsDone>
  bool Spin(const IsDone& is_done) {
    for (std::uint32_t round = 0; round < rounds_; ++round) {
      if (is_done()) {
        rounds_ = kMaxRounds;
        return true;
      }
      // Threads that have work to do and no processor get this one.
      if (round % kRoundsPerYield == kRoundsPerYield - 1) sched_yield();
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      asm volatile("yield");
#endif
    }
    // It did not pay; after some times it is not worth a look.
    rounds_ = rounds_ / 2 < kMinRounds ? kMinRounds : rounds_ / 2;
    return is_done();
  }

 private:
  std::uint32_t rounds_ = kMaxRounds;
  static constexpr std::uint32_t kMaxRounds = 4000;
  static constexpr std::uint32_t kMinRounds = 16;
  static constexpr std::uint32_t kRoundsPerYield = 32;
};

}  // namespace backplane::wire
