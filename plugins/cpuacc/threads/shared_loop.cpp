#include "threads/shared_loop.hpp"

#include "threads/bounded_spin.hpp"

#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Pieces are a few microseconds to a millisecond long.
constexpr std::chrono::microseconds kMostWait(100);

}  // namespace

void SharedLoop::Open(const LoopBody& body, int num_pieces, int most_helpers) {
  body_ = body;
  num_pieces_ = num_pieces;
  for (int piece = 0; piece < num_pieces; ++piece) {
    is_claimed_[static_cast<std::size_t>(piece)].store(false, std::memory_order_relaxed);
  }
  num_unclaimed_.store(num_pieces, std::memory_order_relaxed);
  state_.store(kIsOpen | static_cast<std::uint32_t>(most_helpers) * kOnePlace,
               std::memory_order_release);
}

bool SharedLoop::Join() {
  std::uint32_t state = state_.load(std::memory_order_acquire);
  while ((state & kIsOpen) != 0) {
    if (num_unclaimed_.load(std::memory_order_relaxed) <= 0) return false;
    if ((state & ~kIsOpen) < kOnePlace) return false;
    if (state_.compare_exchange_weak(state, state - kOnePlace + 1, std::memory_order_acquire)) {
      return true;
    }
  }
  return false;
}

void SharedLoop::Work(int part, int num_parts) {
  const int first = static_cast<int>(std::int64_t{num_pieces_} * (part % num_parts) / num_parts);
  for (int index = 0; index < num_pieces_; ++index) {
    if (num_unclaimed_.load(std::memory_order_relaxed) <= 0) return;
    const int piece = (first + index) % num_pieces_;
    auto& is_claimed = is_claimed_[static_cast<std::size_t>(piece)];
    if (is_claimed.load(std::memory_order_relaxed) ||
        is_claimed.exchange(true, std::memory_order_relaxed)) {
      continue;
    }
    num_unclaimed_.fetch_sub(1, std::memory_order_relaxed);
    Do(piece);
  }
}

void SharedLoop::Do(int piece) {
  try {
    body_.call(body_.body, piece);
  } catch (...) {
    if (!has_thrown_.exchange(true)) thrown_ = std::current_exception();
  }
}

void SharedLoop::Leave() {
  const std::uint32_t before = state_.fetch_add(kOnePlace - 1);
  const bool was_last = (before & kIsOpen) == 0 && (before & kInside) == 1;
  if (!was_last || !owner_sleeps_.load()) return;
  { const std::lock_guard<std::mutex> lock(mutex_); }
  is_empty_.notify_one();
}

void SharedLoop::Close() {
  if ((state_.fetch_and(~kIsOpen) & kInside) != 0) WaitUntilEmpty();
  if (!has_thrown_.load()) return;
  has_thrown_.store(false);
  std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void SharedLoop::WaitUntilEmpty() {
  const auto is_empty = [this] { return (state_.load() & kInside) == 0; };
  if (SpinFor(kMostWait, is_empty)) return;
  std::unique_lock<std::mutex> lock(mutex_);
  owner_sleeps_.store(true);
  is_empty_.wait(lock, is_empty);
  owner_sleeps_.store(false);
}

}  // namespace cpuacc
}  // namespace backplane
