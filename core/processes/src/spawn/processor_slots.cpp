#include "spawn/processor_slots.hpp"

namespace backplane::spawn {

void ProcessorSlots::Take() {
  std::unique_lock<std::mutex> lock(mutex_);
  is_free_.wait(lock, [this] { return num_free_ > 0; });
  --num_free_;
}

void ProcessorSlots::TakeAtOnce() {
  const std::lock_guard<std::mutex> lock(mutex_);
  --num_free_;
}

void ProcessorSlots::GiveBack() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++num_free_;
  is_free_.notify_one();
}

void HeldSlot::SetAsleep(bool is_asleep) {
  if (is_asleep == is_asleep_) return;
  is_asleep_ = is_asleep;
  if (is_asleep) {
    places_.GiveBack();
  } else {
    places_.TakeAtOnce();
  }
}

}  // namespace backplane::spawn
