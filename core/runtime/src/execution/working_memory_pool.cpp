#include "execution/working_memory_pool.hpp"

#include <utility>

namespace backplane {

WorkingMemoryPool::WorkingMemoryPool(Make make) : make_(std::move(make)) {
  GiveBack(Take());
}

std::unique_ptr<WorkingMemory> WorkingMemoryPool::Take() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<WorkingMemory> memory = std::move(idle_.back());
      idle_.pop_back();
      return memory;
    }
  }
  // Made without the lock: other runs go on.
  std::unique_ptr<WorkingMemory> memory = make_();
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.reserve(num_made_ + 1);
  ++num_made_;
  return memory;
}

void WorkingMemoryPool::GiveBack(std::unique_ptr<WorkingMemory> memory) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(memory));
}

}  // namespace backplane
