#include "threads/thread_pool.hpp"

#include "threads/parallel.hpp"
#include "threads/runs_now.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// How often each piece was done.
std::vector<int> CountPieces(const Threads& threads, int num_pieces) {
  std::vector<std::atomic<int>> counts(static_cast<std::size_t>(num_pieces));
  threads.ForEach(num_pieces, [&](int piece) { ++counts[static_cast<std::size_t>(piece)]; });
  return {counts.begin(), counts.end()};
}

TEST(ThreadPool, DoesEachPieceOnce) {
  ThreadPool pool;
  for (const int num_threads : {1, 2, 3, 8}) {
    for (int num_pieces = 0; num_pieces <= SharedLoop::kMostPieces; ++num_pieces) {
      EXPECT_EQ(CountPieces(Threads(pool, num_threads), num_pieces),
                std::vector<int>(static_cast<std::size_t>(num_pieces), 1));
    }
  }
}

TEST(ThreadPool, HasOneHelperFewerThanThreads) {
  ThreadPool pool;
  CountPieces(Threads(pool, 1), 8);
  EXPECT_EQ(pool.CountHelpers(), 0);
  CountPieces(Threads(pool, 3), 8);
  EXPECT_EQ(pool.CountHelpers(), 2);
  CountPieces(Threads(pool, 2), 8);
  EXPECT_EQ(pool.CountHelpers(), 2);
}

TEST(ThreadPool, LetsHelpersTakePart) {
  ThreadPool pool;
  std::atomic<int> num_inside{0};
  Threads(pool, 2).ForEach(2, [&](int) {
    ++num_inside;
    while (num_inside < 2) std::this_thread::yield();
  });
  EXPECT_EQ(num_inside, 2);
}

// A service waits for its signals in a thread of its own, and no other may take them.
TEST(ThreadPool, LeavesSignalsToTheApplication) {
  ThreadPool pool;
  std::atomic<int> num_inside{0};
  std::atomic<int> num_blocking{0};
  Threads(pool, 2).ForEach(2, [&](int) {
    ++num_inside;
    while (num_inside < 2) std::this_thread::yield();
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    if (sigismember(&blocked, SIGTERM) == 1) ++num_blocking;
  });
  EXPECT_EQ(num_blocking, 1);
}

TEST(ThreadPool, LetsNoMoreThreadsWorkThanALoopMayHave) {
  ThreadPool pool;
  CountPieces(Threads(pool, 6), 16);
  std::atomic<int> num_inside{0};
  std::atomic<int> most_inside{0};
  for (int loop = 0; loop < 50; ++loop) {
    Threads(pool, 2).ForEach(64, [&](int) {
      const int now = ++num_inside;
      if (now > most_inside) most_inside = now;
      --num_inside;
    });
  }
  EXPECT_LE(most_inside, 2);
}

TEST(ThreadPool, HasNoMoreThreadsForManyCallers) {
  constexpr int kCallers = 16;
  ThreadPool pool;
  std::mutex mutex;
  std::set<std::thread::id> ids;
  std::vector<std::thread> callers;
  std::atomic<int> sum{0};
  for (int caller = 0; caller < kCallers; ++caller) {
    callers.emplace_back([&] {
      for (int loop = 0; loop < 200; ++loop) {
        Threads(pool, 3).ForEach(6, [&](int) {
          ++sum;
          const std::lock_guard<std::mutex> lock(mutex);
          ids.insert(std::this_thread::get_id());
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, kCallers * 200 * 6);
  EXPECT_EQ(pool.CountHelpers(), 2);
  EXPECT_LE(ids.size(), static_cast<std::size_t>(kCallers + 2));
}

TEST(ThreadPool, DoesLoopsInsideOfLoops) {
  ThreadPool pool;
  const Threads threads(pool, 4);
  std::atomic<int> sum{0};
  threads.ForEach(
      64, [&](int) { threads.ForEach(8, [&](int) { threads.ForEach(3, [&](int) { ++sum; }); }); });
  EXPECT_EQ(sum, 64 * 8 * 3);
}

TEST(ThreadPool, PassesOnWhatAPieceThrows) {
  ThreadPool pool;
  for (const int num_threads : {1, 2, 4}) {
    const Threads threads(pool, num_threads);
    for (const int culprit : {0, 7}) {
      EXPECT_THROW(threads.ForEach(8,
                                   [&](int piece) {
                                     if (piece == culprit) throw std::runtime_error("boom");
                                   }),
                   std::runtime_error);
    }
    EXPECT_EQ(CountPieces(threads, 5), std::vector<int>(5, 1));
  }
}

TEST(ThreadPool, IsNotMissedInACopyOfTheProcess) {
  auto pool = std::make_unique<ThreadPool>();
  const Threads threads(*pool, 3);
  CountPieces(threads, 8);
  const pid_t process = fork();
  if (process == 0) {
    std::set<std::thread::id> ids;
    int sum = 0;
    threads.ForEach(8, [&](int piece) {
      ids.insert(std::this_thread::get_id());
      sum += piece;
    });
    pool.reset();
    _exit(sum == 28 && ids == std::set<std::thread::id>{std::this_thread::get_id()} ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(CountPieces(threads, 8), std::vector<int>(8, 1));
}

TEST(ThreadPool, EndsItsHelpersAwakeOrAsleep) {
  for (int time = 0; time < 50; ++time) {
    ThreadPool pool;
    CountPieces(Threads(pool, 1 + time % 4), 8);
    if (time % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(RunsNow, LeaveProcessorsToEachOther) {
  const CountedRun first;
  EXPECT_EQ(CountHelpersAllowed(1000), 1000);
  const CountedRun second;
  EXPECT_LT(CountHelpersAllowed(1000), 1000);
  EXPECT_GE(CountHelpersAllowed(1000), 0);
}

/// The pieces: where each begins, and where it ends.
using Pieces = std::vector<std::pair<std::int64_t, std::int64_t>>;

Pieces FindPieces(const Threads& threads, std::int64_t count, std::int64_t grain) {
  Pieces pieces(static_cast<std::size_t>(threads.GetCount()), {0, 0});
  ParallelForPieces(threads, count, grain,
                    [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
                      pieces[static_cast<std::size_t>(piece)] = {begin, end};
                    });
  return pieces;
}

TEST(ParallelForPieces, CutsTheSamePiecesWhoeverHelps) {
  ThreadPool pool;
  EXPECT_EQ(FindPieces(Threads(pool, 3), 10, 1), (Pieces{{0, 3}, {3, 6}, {6, 10}}));
  const CountedRun others[3];
  EXPECT_EQ(FindPieces(Threads(pool, 3), 10, 1), (Pieces{{0, 3}, {3, 6}, {6, 10}}));
  EXPECT_EQ(FindPieces(Threads(pool, 3), 10, 5), (Pieces{{0, 5}, {5, 10}, {0, 0}}));
  EXPECT_EQ(FindPieces(Threads(), 10, 1), (Pieces{{0, 10}}));
}

TEST(ParallelFor, CoversEverything) {
  ThreadPool pool;
  for (const int num_threads : {1, 2, 5}) {
    for (const std::int64_t grain : {1, 7, 1000}) {
      std::vector<std::atomic<int>> counts(100);
      ParallelFor(Threads(pool, num_threads), 100, grain,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (; begin < end; ++begin) ++counts[static_cast<std::size_t>(begin)];
                  });
      for (const std::atomic<int>& count : counts) EXPECT_EQ(count, 1);
    }
  }
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
