#include "thread_places/own_slot.hpp"

#include "thread_places/handler_stack.hpp"
#include "thread_places/own_thread.hpp"

#include <pthread.h>
#include <unistd.h>

namespace backplane::thread_places {
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

/// Of one thread: its slot and the stack of its handlers.
class Holder {
 public:
  Holder() = default;
  // In a place still, it ends with the process: exit was called there, and the note comes later.
  ~Holder() {
    if (own_slot != nullptr && own_slot->depth.load(std::memory_order_relaxed) != 0) return;
    has_no_more = true;
    if (own_slot == nullptr) return;
    own_slot->thread.store(0, std::memory_order_release);
    own_slot = nullptr;
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  void Take(PlaceTable& table) { own_slot = FindFree(table); }

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
  holder.Take(*table);
  if (own_slot == nullptr) has_no_more = true;
  return own_slot;
}

}  // namespace

ThreadSlot* GetOwnSlot() {
  return own_slot != nullptr ? own_slot : TakeSlot();
}

}  // namespace backplane::thread_places
