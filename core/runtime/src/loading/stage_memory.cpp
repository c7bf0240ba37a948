#include "loading/stage_memory.hpp"

#include "tensors/host_memory.hpp"
#include "tensors/tensor_size.hpp"

#include <backplane/host/shared_memory.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace backplane::loading {
namespace {

/// Backends in processes of their own need no copy of what is shared; each such block has an area
/// of its own.
constexpr std::uint64_t kLeastShared = std::uint64_t{1} << 18U;

/// Numbers and truths, of which a loop makes some in each round, lie beside their count of owners.
struct SmallBlock {
  static constexpr std::uint64_t kSizeBytes = 256;
  SmallBlock() {}  // what is in it stays as it is
  unsigned char bytes[kSizeBytes + kTensorAlignmentBytes];
};

std::shared_ptr<void> AllocateSmall() {
  const auto block = std::make_shared<SmallBlock>();
  const auto address = reinterpret_cast<std::uintptr_t>(block->bytes);
  return {block, block->bytes + (kTensorAlignmentBytes - address % kTensorAlignmentBytes)};
}

/// Sizes of shapes that grow step by step come in few classes, at most an eighth too large.
std::uint64_t RoundUp(std::uint64_t size_bytes) {
  std::uint64_t step = 4096;
  while (step * 16 < size_bytes) step *= 2;
  return (std::max<std::uint64_t>(size_bytes, 1) + step - 1) / step * step;
}

}  // namespace

std::shared_ptr<void> StageMemory::Allocate(std::uint64_t size_bytes) {
  if (size_bytes <= SmallBlock::kSizeBytes) return AllocateSmall();
  const std::uint64_t rounded = RoundUp(size_bytes);
  Block block = Take(rounded);
  void* const address = block.get();
  const std::weak_ptr<StageMemory> weak = weak_from_this();
  return {address, [weak, rounded, block = std::move(block)](void* /*address*/) mutable {
            if (const auto memory = weak.lock()) memory->GiveBack(std::move(block), rounded);
          }};
}

void StageMemory::Share() {
  std::multimap<std::uint64_t, Block> dropped;  // freed without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  if (std::exchange(is_shared_, true)) return;
  dropped.swap(free_);
  free_bytes_ = 0;
}

StageMemory::Block StageMemory::Take(std::uint64_t size_bytes) {
  bool is_shared = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    used_bytes_ += size_bytes;
    most_used_bytes_ = std::max(most_used_bytes_, used_bytes_);
    is_shared = is_shared_ && size_bytes >= kLeastShared && !IsParents();
    const auto found = free_.find(size_bytes);
    if (found != free_.end() && !IsParents()) {
      Block block = std::move(found->second);
      free_.erase(found);
      free_bytes_ -= size_bytes;
      return block;
    }
  }
  try {
    return is_shared ? AllocateSharedMemory(size_bytes) : AllocateHostMemory(size_bytes);
  } catch (const std::exception&) {
    const std::lock_guard<std::mutex> lock(mutex_);
    used_bytes_ -= size_bytes;
    throw;
  }
}

void StageMemory::GiveBack(Block block, std::uint64_t size_bytes) noexcept {
  std::multimap<std::uint64_t, Block> dropped;  // freed without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  used_bytes_ -= size_bytes;
  if (IsParents()) return;
  try {
    free_.emplace(size_bytes, std::move(block));
  } catch (const std::bad_alloc&) {
    return;
  }
  free_bytes_ += size_bytes;
  while (used_bytes_ + free_bytes_ > most_used_bytes_ && free_bytes_ > 0) {
    auto smallest = free_.extract(free_.begin());
    free_bytes_ -= smallest.key();
    dropped.insert(std::move(smallest));
  }
}

}  // namespace backplane::loading
