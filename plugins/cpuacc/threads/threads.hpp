#pragma once

#include "cpu_layers/run_end.hpp"
#include "threads/thread_pool.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

using cpu_layers::RunEnd;

/// How many threads a loop may have, and who they are: the caller and helpers of a pool. Nobody but
/// the caller without a pool; the pieces of a loop are the same then.
///
/// Ownership: the pool is borrowed, and so is the end of the run.
class Threads {
 public:
  Threads() = default;
  Threads(ThreadPool& pool, int count) : pool_(&pool), count_(count) {}

  /// The same, in a run that may end before it is done.
  Threads Until(const RunEnd& end) const {
    Threads threads = *this;
    threads.end_ = end.CanCome() ? &end : nullptr;
    return threads;
  }
  bool MayBeStopped() const { return end_ != nullptr; }
  /// Whether the run is to end. What a kernel leaves undone then is not read, so it may stop
  /// wherever it writes nothing that it uses as an address.
  bool AreStopped() const { return end_ != nullptr && end_->HasCome(); }
  /// For compiling: see RunEnd::RequireTime.
  void RequireTime() const {
    if (end_ != nullptr) end_->RequireTime();
  }
  /// Whether something may have been left undone.
  bool WereStopped() const { return end_ != nullptr && end_->WasSeen(); }

  int GetCount() const { return count_; }
  Threads AtMost(int count) const {
    Threads fewer = *this;
    fewer.count_ = std::min(count_, count);
    return fewer;
  }

  /// Calls `body(piece)` for each piece, on at most so many threads.
  template <typename Body>
  void ForEach(int num_pieces, const Body& body) const {
    if (pool_ == nullptr || count_ <= 1 || num_pieces <= 1) {
      for (int piece = 0; piece < num_pieces; ++piece) body(piece);
      return;
    }
    const auto call = [](const void* of_body, int piece) {
      (*static_cast<const Body*>(of_body))(piece);
    };
    pool_->Run(count_, num_pieces, {call, &body});
  }

 private:
  ThreadPool* pool_ = nullptr;
  int count_ = 1;
  const RunEnd* end_ = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
