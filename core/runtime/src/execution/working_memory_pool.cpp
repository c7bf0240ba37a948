#include "execution/working_memory_pool.hpp"

#include <thread>
#include <utility>

namespace backplane {

namespace {

// Where a thread looks first.
std::size_t GetHome(std::size_t num_places) {
  return std::hash<std::thread::id>()(std::this_thread::get_id()) % num_places;
}

}  // namespace

WorkingMemoryPool::WorkingMemoryPool(Make make) : make_(std::move(make)) {
  GiveBack(Take());
}

WorkingMemoryPool::~WorkingMemoryPool() {
  for (Place& place : places_) delete place.memory.load();
}

std::unique_ptr<WorkingMemory> WorkingMemoryPool::Take() {
  std::size_t idle = num_idle_.load();
  while (idle != 0) {
    if (!num_idle_.compare_exchange_weak(idle, idle - 1)) continue;
    return TakeIdle();
  }
  return MakeAnother();
}

void WorkingMemoryPool::GiveBack(std::unique_ptr<WorkingMemory> memory) noexcept {
  const std::size_t home = GetHome(kNumPlaces);
  for (std::size_t i = 0; i < kNumPlaces; ++i) {
    WorkingMemory* free = nullptr;
    Place& place = places_[(home + i) % kNumPlaces];
    if (!place.memory.compare_exchange_strong(free, memory.get())) continue;
    static_cast<void>(memory.release());
    ++num_idle_;
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    crowd_.push_back(std::move(memory));
  }
  ++num_idle_;
}

// One of the idle ones is this thread's, so the search ends, wherever others put them meanwhile.
std::unique_ptr<WorkingMemory> WorkingMemoryPool::TakeIdle() noexcept {
  const std::size_t home = GetHome(kNumPlaces);
  for (;;) {
    for (std::size_t i = 0; i < kNumPlaces; ++i) {
      Place& place = places_[(home + i) % kNumPlaces];
      // Looking first leaves the line to others when there is nothing.
      if (place.memory.load() == nullptr) continue;
      if (WorkingMemory* memory = place.memory.exchange(nullptr)) {
        return std::unique_ptr<WorkingMemory>(memory);
      }
    }
    if (auto memory = TakeFromCrowd()) return memory;
  }
}

std::unique_ptr<WorkingMemory> WorkingMemoryPool::TakeFromCrowd() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (crowd_.empty()) return nullptr;
  std::unique_ptr<WorkingMemory> memory = std::move(crowd_.back());
  crowd_.pop_back();
  return memory;
}

std::vector<RunPlace> WorkingMemoryPool::GetPlaces() const {
  std::vector<RunPlace> places;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const WorkingMemory* memory : made_) {
    if (const auto place = memory->GetProgress().Find()) places.push_back(*place);
  }
  return places;
}

std::unique_ptr<WorkingMemory> WorkingMemoryPool::MakeAnother() {
  std::unique_ptr<WorkingMemory> memory = make_();
  const std::lock_guard<std::mutex> lock(mutex_);
  crowd_.reserve(made_.size() + 1);
  made_.push_back(memory.get());
  return memory;
}

}  // namespace backplane
