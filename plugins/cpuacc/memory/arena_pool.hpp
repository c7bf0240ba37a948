#pragma once

/// Memory for tensors between steps, for all networks of a runtime.

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace backplane {
namespace cpuacc {

/// As many arenas as there were runs at once, each as large as the largest that one of the networks
/// needs: a network, or a plan of one for a shape, that does not run has none. A run gets the arena
/// that it had before when it can, because its addresses are known and it may be in caches.
///
/// Threads: any.
class ArenaPool {
 public:
  using Arena = std::shared_ptr<void>;

  /// One who will run with an arena of this size, as long as it exists. There is an arena for it
  /// from now on, unless more run at once. Ownership: keeps the pool.
  /// Errors: std::bad_alloc.
  class User {
   public:
    User(std::shared_ptr<ArenaPool> pool, std::uint64_t size_bytes);
    ~User();
    User(const User&) = delete;
    User& operator=(const User&) = delete;

    ArenaPool& GetPool() const { return *pool_; }

   private:
    const std::shared_ptr<ArenaPool> pool_;
    const std::uint64_t size_bytes_;
  };

  /// Takes an arena for a run, and gives it back.
  class Lease {
   public:
    /// `wanted` may be null, and is never read. Errors: std::bad_alloc.
    Lease(const User& user, const void* wanted);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    unsigned char* Get() const { return static_cast<unsigned char*>(arena_.get()); }

   private:
    ArenaPool& pool_;
    Arena arena_;
  };

  /// Of all arenas that there are.
  std::uint64_t GetSizeBytes() const;

 private:
  void Add(std::uint64_t size_bytes);
  void Remove(std::uint64_t size_bytes) noexcept;
  Arena Take(const void* wanted);
  void GiveBack(Arena arena) noexcept;

  /// All that follow are called with the mutex.
  std::uint64_t GetMostBytes() const { return needed_.empty() ? 0 : *needed_.rbegin(); }
  Arena Allocate();
  void DropUnfit() noexcept;

  mutable std::mutex mutex_;
  std::multiset<std::uint64_t> needed_;
  std::vector<Arena> free_;
  std::size_t num_taken_ = 0;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace cpuacc
}  // namespace backplane
