#include "threads/place_table.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <csignal>

namespace backplane::threads {
namespace {

// Without destructors, so that they can be read until the very end of a thread.
thread_local ThreadSlot* own_slot = nullptr;
thread_local bool has_no_more = false;

ThreadSlot* FindFree(PlaceTable& table) {
  const std::int32_t thread = GetOwnThread();
  for (ThreadSlot& slot : table.slots) {
    std::int32_t none = 0;
    if (slot.thread.load(std::memory_order_relaxed) != 0) continue;
    if (slot.thread.compare_exchange_strong(none, thread, std::memory_order_acq_rel)) return &slot;
  }
  return nullptr;
}

// The former handler runs on it too.
constexpr std::size_t kStackBytes = std::size_t{256} << 10U;
constexpr std::size_t kGuardBytes = std::size_t{64} << 10U;  // a multiple of every page size

/// A stack for handlers of signals of the thread that makes it, unless the thread has one already.
/// Made and destroyed by that thread.
class HandlerStack {
 public:
  HandlerStack() {
    stack_t found{};
    if (sigaltstack(nullptr, &found) != 0 || (found.ss_flags & SS_DISABLE) == 0) return;
    void* memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    mprotect(memory, kGuardBytes, PROT_NONE);
    stack_t stack{};
    stack.ss_sp = static_cast<char*>(memory) + kGuardBytes;
    stack.ss_size = kStackBytes;
    if (sigaltstack(&stack, nullptr) == 0) {
      memory_ = memory;
    } else {
      munmap(memory, kGuardBytes + kStackBytes);
    }
  }
  // One that another has put there since is left, and so is this one then: it may be put back.
  ~HandlerStack() {
    stack_t found{};
    if (memory_ == nullptr || sigaltstack(nullptr, &found) != 0) return;
    if (found.ss_sp != static_cast<char*>(memory_) + kGuardBytes) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    if (sigaltstack(&none, nullptr) == 0) munmap(memory_, kGuardBytes + kStackBytes);
  }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  void* memory_ = nullptr;  // null: the thread's own, or there is no memory
};

/// The slot of one thread and the stack of its handlers.
class Holder {
 public:
  // In a place still, it ends with the process: exit was called there, and the note comes later.
  ~Holder() {
    if (own_slot != nullptr && own_slot->depth.load(std::memory_order_relaxed) != 0) return;
    has_no_more = true;
    if (own_slot == nullptr) return;
    own_slot->thread.store(0, std::memory_order_release);
    own_slot = nullptr;
  }

 private:
  HandlerStack stack_;
};

/// A table that is shared is that of the process from before. In one that was copied, the thread
/// that forked goes on where it was, under another id, and all others are gone.
void FollowFork() {
  PlaceTable& table = *FindTable();
  if (table.is_shared.load() != 0) {
    own_slot = nullptr;
    has_no_more = true;
    return;
  }
  table.process.store(getpid());
  for (ThreadSlot& slot : table.slots) {
    if (&slot == own_slot) {
      slot.thread.store(GetOwnThread());
    } else if (slot.thread.load() != 0) {
      slot.depth.store(0);
      slot.thread.store(0);
    }
  }
}

ThreadSlot* TakeSlot() {
  PlaceTable* const table = FindTable();
  if (table == nullptr || has_no_more) return nullptr;
  static const int kIsFollowed = pthread_atfork(nullptr, nullptr, &FollowFork);
  static_cast<void>(kIsFollowed);
  thread_local Holder holder;
  own_slot = FindFree(*table);
  if (own_slot == nullptr) has_no_more = true;
  return own_slot;
}

}  // namespace

ThreadSlot* GetOwnSlot() {
  return own_slot != nullptr ? own_slot : TakeSlot();
}

}  // namespace backplane::threads
