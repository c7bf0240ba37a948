#include "threads/thread_pool.hpp"

#include "cpu_layers/blocked_signals.hpp"
#include "threads/bounded_spin.hpp"
#include "threads/runs_now.hpp"
#include "threads/thread_count.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

std::atomic<std::uint32_t> num_forks{0};

/// How often this process, and those that it is a copy of, were copied by fork since this was
/// called first. Only the thread that forks is in the copy.
std::uint32_t CountForks() {
  // The system forgets this when the library that asked for it is closed.
  static const int is_counted = pthread_atfork(nullptr, nullptr, [] { ++num_forks; });
  static_cast<void>(is_counted);
  return num_forks.load(std::memory_order_relaxed);
}

/// Steps that have one thread between others of several are seldom longer.
constexpr std::chrono::microseconds kMostLooking(100);

std::uint32_t GetBit(int loop) {
  return std::uint32_t{1} << loop;
}

}  // namespace

struct ThreadPool::Helpers {
  std::mutex mutex;
  std::condition_variable has_loops;
  std::vector<std::thread> threads;
};

ThreadPool::ThreadPool(Processors processors)
    : processors_(std::move(processors)),
      num_forks_(CountForks()),
      helpers_(std::make_unique<Helpers>()) {}

ThreadPool::~ThreadPool() {
  if (IsForked()) {
    // Its threads are not in this process, and what they waited for cannot be destroyed.
    static_cast<void>(helpers_.release());
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(helpers_->mutex);
    is_ending_.store(true);
  }
  helpers_->has_loops.notify_all();
  for (std::thread& thread : helpers_->threads) thread.join();
}

bool ThreadPool::IsForked() const {
  return CountForks() != num_forks_;
}

void ThreadPool::Run(int num_threads, int num_pieces, const LoopBody& body) {
  const int wanted = std::min(num_threads, num_pieces) - 1;
  const int num_helpers = wanted > 0 && !IsForked() ? CountHelpersAllowed(wanted) : 0;
  if (num_helpers > CountHelpers()) Grow(num_helpers);
  const int index = num_helpers > 0 && CountHelpers() > 0 ? TakeLoop() : -1;
  if (index < 0) {
    for (int piece = 0; piece < num_pieces; ++piece) body.call(body.body, piece);
    return;
  }
  SharedLoop& loop = loops_[static_cast<std::size_t>(index)];
  loop.Open(body, num_pieces, num_helpers);
  Announce(index, num_helpers);
  loop.Work(0, 1);
  open_.fetch_and(~GetBit(index), std::memory_order_relaxed);
  struct Return {
    ~Return() { taken.fetch_and(~bit, std::memory_order_release); }
    std::atomic<std::uint32_t>& taken;
    std::uint32_t bit;
  } at_end{taken_, GetBit(index)};
  loop.Close();
}

int ThreadPool::TakeLoop() {
  std::uint32_t taken = taken_.load(std::memory_order_relaxed);
  while (~taken != 0) {
    const int index = __builtin_ctz(~taken);
    if (taken_.compare_exchange_weak(taken, taken | GetBit(index), std::memory_order_acquire)) {
      return index;
    }
  }
  return -1;
}

void ThreadPool::Announce(int loop, int num_helpers) {
  open_.fetch_or(GetBit(loop), std::memory_order_release);
  num_announced_.fetch_add(1);
  const int num_asleep = num_asleep_.load();
  if (num_asleep == 0) return;
  { const std::lock_guard<std::mutex> lock(helpers_->mutex); }
  for (int i = 0; i < std::min(num_asleep, num_helpers); ++i) helpers_->has_loops.notify_one();
}

void ThreadPool::Grow(int num_helpers) {
  const std::lock_guard<std::mutex> lock(helpers_->mutex);
  std::vector<std::thread>& threads = helpers_->threads;
  const cpu_layers::BlockedSignals inherited;
  try {
    while (static_cast<int>(threads.size()) < num_helpers) {
      const int index = static_cast<int>(threads.size()) + 1;
      threads.emplace_back([this, index] { Help(index); });
    }
  } catch (const std::system_error&) {
    // The threads that there are do it.
  }
  num_helpers_.store(static_cast<int>(threads.size()), std::memory_order_relaxed);
}

void ThreadPool::Help(int index) {
  StayOn(processors_);
  const ThreadCount one(1);
  int first = index;
  while (!is_ending_.load()) {
    const std::uint32_t num_seen = num_announced_.load();
    if (!HelpFrom(first, index)) WaitForLoops(num_seen);
    first = (first + 1) % kMostLoops;
  }
}

/// Each time another loop is the first, so that all have a turn.
bool ThreadPool::HelpFrom(int first, int index) {
  const std::uint32_t open = open_.load(std::memory_order_acquire);
  for (int i = 0; open != 0 && i < kMostLoops; ++i) {
    const int number = (first + i) % kMostLoops;
    if ((open & GetBit(number)) == 0) continue;
    SharedLoop& loop = loops_[static_cast<std::size_t>(number)];
    if (!loop.Join()) continue;
    loop.Work(index, CountHelpers() + 1);
    loop.Leave();
    return true;
  }
  return false;
}

void ThreadPool::WaitForLoops(std::uint32_t num_seen) {
  const auto is_over = [&] { return num_announced_.load() != num_seen || is_ending_.load(); };
  if (SpinFor(kMostLooking, is_over)) return;
  std::unique_lock<std::mutex> lock(helpers_->mutex);
  num_asleep_.fetch_add(1);
  helpers_->has_loops.wait(lock, is_over);
  num_asleep_.fetch_sub(1);
}

}  // namespace cpuacc
}  // namespace backplane
