#pragma once

/// One loop whose pieces several threads claim.

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>

namespace backplane {
namespace cpuacc {

/// What a loop does for one piece. Borrowed while the loop goes on.
struct LoopBody {
  void (*call)(const void* body, int piece) = nullptr;
  const void* body = nullptr;
};

/// The thread that opens a loop is its owner. It takes part, and does all that nobody else has
/// claimed: a thread that gets no processor costs it nothing, unless it has begun a piece.
///
/// Threads: the owner calls Open, Work and Close; others call Join, and when that succeeds Work and
/// Leave.
class SharedLoop {
 public:
  static constexpr int kMostPieces = 256;

  void Open(const LoopBody& body, int num_pieces, int most_helpers);
  /// Claims pieces, first those from `part` of `num_parts` on, and does them. So threads that come
  /// again and again find in their caches what they made in the loop before.
  void Work(int part, int num_parts);
  /// Lets nobody else in, and waits for those inside. Throws what a piece has thrown.
  void Close();

  bool Join();
  void Leave();

 private:
  static constexpr std::uint32_t kIsOpen = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kOnePlace = std::uint32_t{1} << 12;
  static constexpr std::uint32_t kInside = kOnePlace - 1;

  void Do(int piece);
  void WaitUntilEmpty();

  LoopBody body_;
  int num_pieces_ = 0;
  std::atomic<int> num_unclaimed_{0};
  std::array<std::atomic<bool>, kMostPieces> is_claimed_{};
  // How many helpers are inside, how many more may come in steps of kOnePlace, and kIsOpen.
  std::atomic<std::uint32_t> state_{0};
  std::atomic<bool> owner_sleeps_{false};
  std::atomic<bool> has_thrown_{false};
  std::exception_ptr thrown_;
  std::mutex mutex_;
  std::condition_variable is_empty_;
};

}  // namespace cpuacc
}  // namespace backplane
