#pragma once

#include <backplane/host/forks.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace backplane::loading {

/// Memory for values between stages, which is used again. What is kept for later is never more than
/// was in use at once. What processes share is not used again in a forked one: its parent does.
///
/// Threads: any.
class StageMemory : public std::enable_shared_from_this<StageMemory> {
 public:
  /// From now on, great blocks are memory that a process of an isolated backend can use as it is.
  void Share();

  /// Aligned to 64 bytes. May outlive this object. Errors: std::bad_alloc.
  std::shared_ptr<void> Allocate(std::uint64_t size_bytes);

 private:
  using Block = std::shared_ptr<void>;

  Block Take(std::uint64_t size_bytes);
  void GiveBack(Block block, std::uint64_t size_bytes) noexcept;
  bool IsParents() const { return is_shared_ && num_forks_ != CountForks(); }

  std::mutex mutex_;
  const std::uint32_t num_forks_ = CountForks();
  bool is_shared_ = false;
  std::multimap<std::uint64_t, Block> free_;  // by size
  std::uint64_t used_bytes_ = 0;
  std::uint64_t free_bytes_ = 0;
  std::uint64_t most_used_bytes_ = 0;
};

}  // namespace backplane::loading
