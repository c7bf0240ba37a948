#pragma once

#include "execution/working_memory.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace backplane {

/// The working memories of one loaded network. Each run takes one; a new one is made when all are
/// taken, so that there are as many as there were runs at once. A thread gets the one that it had
/// before when it can, because that is in the caches of its processor; no run waits for another.
///
/// Threads: any.
class WorkingMemoryPool {
 public:
  using Make = std::function<std::unique_ptr<WorkingMemory>()>;

  /// Makes the first working memory. Errors: as `make`.
  explicit WorkingMemoryPool(Make make);
  ~WorkingMemoryPool();
  WorkingMemoryPool(const WorkingMemoryPool&) = delete;
  WorkingMemoryPool& operator=(const WorkingMemoryPool&) = delete;

  /// Takes a working memory, for the life of a Lease. Errors: as `make`.
  std::unique_ptr<WorkingMemory> Take();
  void GiveBack(std::unique_ptr<WorkingMemory> memory) noexcept;

  /// Takes one and gives it back.
  class Lease {
   public:
    explicit Lease(WorkingMemoryPool& pool) : pool_(pool), memory_(pool.Take()) {}
    ~Lease() { pool_.GiveBack(std::move(memory_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    WorkingMemory& operator*() const { return *memory_; }

   private:
    WorkingMemoryPool& pool_;
    std::unique_ptr<WorkingMemory> memory_;
  };

  /// Where the runs are that are in a layer at the moment, or were left there.
  std::vector<RunPlace> GetPlaces() const;

 private:
  static constexpr std::size_t kNumPlaces = 16;
  static constexpr std::size_t kCacheLineBytes = 64;

  // A line for each, so that threads at neighbouring places do not slow each other down.
  struct alignas(kCacheLineBytes) Place {
    std::atomic<WorkingMemory*> memory{nullptr};
  };

  std::unique_ptr<WorkingMemory> TakeIdle() noexcept;
  std::unique_ptr<WorkingMemory> TakeFromCrowd() noexcept;
  std::unique_ptr<WorkingMemory> MakeAnother();

  const Make make_;
  std::vector<const WorkingMemory*> made_;  // all that there are; guarded by the mutex
  std::array<Place, kNumPlaces> places_;
  // How many are idle and spoken for by nobody; raised after one has been put somewhere.
  alignas(kCacheLineBytes) std::atomic<std::size_t> num_idle_{0};
  alignas(kCacheLineBytes) mutable std::mutex mutex_;  // of the rest
  std::vector<std::unique_ptr<WorkingMemory>> crowd_;  // no place was free; has room for all
};

}  // namespace backplane
