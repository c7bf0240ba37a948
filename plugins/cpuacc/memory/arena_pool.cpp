#include "memory/arena_pool.hpp"

#include "memory/aligned_memory.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {

ArenaPool::User::User(std::shared_ptr<ArenaPool> pool, std::uint64_t size_bytes)
    : pool_(std::move(pool)), size_bytes_(RoundUp(std::max<std::uint64_t>(size_bytes, 1))) {
  pool_->Add(size_bytes_);
}

ArenaPool::User::~User() {
  pool_->Remove(size_bytes_);
}

ArenaPool::Lease::Lease(const User& user, const void* wanted)
    : pool_(user.GetPool()), arena_(pool_.Take(wanted)) {}

ArenaPool::Lease::~Lease() {
  pool_.GiveBack(std::move(arena_));
}

std::uint64_t ArenaPool::GetSizeBytes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return total_bytes_;
}

void ArenaPool::Add(std::uint64_t size_bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto added = needed_.insert(size_bytes);
  try {
    DropUnfit();
    free_.reserve(num_taken_ + free_.size() + 1);
    if (free_.empty()) free_.push_back(Allocate());
  } catch (...) {
    needed_.erase(added);
    throw;
  }
}

void ArenaPool::Remove(std::uint64_t size_bytes) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  needed_.erase(needed_.find(size_bytes));
  DropUnfit();
}

ArenaPool::Arena ArenaPool::Take(const void* wanted) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_.reserve(num_taken_ + free_.size() + 1);
  if (free_.empty()) free_.push_back(Allocate());
  auto found = std::find_if(free_.begin(), free_.end(),
                            [&](const Arena& arena) { return arena.get() == wanted; });
  if (found == free_.end()) --found;
  Arena arena = std::move(*found);
  free_.erase(found);
  ++num_taken_;
  return arena;
}

void ArenaPool::GiveBack(Arena arena) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  --num_taken_;
  free_.push_back(std::move(arena));  // has room
  DropUnfit();
}

ArenaPool::Arena ArenaPool::Allocate() {
  Arena arena = AllocateAligned(GetMostBytes());
  total_bytes_ += GetAllocatedBytes(arena);
  return arena;
}

// Those that are too small for one of the networks, and those that are larger than any needs.
void ArenaPool::DropUnfit() noexcept {
  const std::uint64_t wanted = GetMostBytes();
  const auto unfit = std::remove_if(free_.begin(), free_.end(), [&](const Arena& arena) {
    const std::uint64_t size_bytes = GetAllocatedBytes(arena);
    if (size_bytes == wanted) return false;
    total_bytes_ -= size_bytes;
    return true;
  });
  free_.erase(unfit, free_.end());
}

}  // namespace cpuacc
}  // namespace backplane
