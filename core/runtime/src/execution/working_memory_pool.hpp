#pragma once

#include "execution/working_memory.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace backplane {

/// The working memories of one loaded network. Each run takes one; a new one is made when all are
/// taken, so that there are as many as there were runs at once.
///
/// Threads: any.
class WorkingMemoryPool {
 public:
  using Make = std::function<std::unique_ptr<WorkingMemory>()>;

  /// Makes the first working memory. Errors: as `make`.
  explicit WorkingMemoryPool(Make make);

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

 private:
  const Make make_;
  std::mutex mutex_;
  std::size_t num_made_ = 0;
  std::vector<std::unique_ptr<WorkingMemory>> idle_;  // has room for all that were made
};

}  // namespace backplane
