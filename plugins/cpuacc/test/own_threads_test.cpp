#include "threads/own_threads.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::OwnThreads;

std::thread::id FindThread(OwnThreads& threads) {
  std::thread::id id;
  threads.Run([&] { id = std::this_thread::get_id(); });
  return id;
}

TEST(OwnThreads, AreTheSameForEveryCaller) {
  OwnThreads threads;
  const std::thread::id first = FindThread(threads);
  EXPECT_NE(first, std::this_thread::get_id());
  for (int i = 0; i < 16; ++i) {
    std::thread caller([&] { EXPECT_EQ(FindThread(threads), first); });
    caller.join();
  }
}

TEST(OwnThreads, AreAsManyAsRunsGoOnAtOnce) {
  OwnThreads threads;
  std::atomic<int> num_inside{0};
  std::thread::id ids[2];
  const auto meet = [&](std::thread::id* id) {
    threads.Run([&] {
      *id = std::this_thread::get_id();
      ++num_inside;
      while (num_inside < 2) std::this_thread::yield();
    });
  };
  std::thread other([&] { meet(&ids[0]); });
  meet(&ids[1]);
  other.join();
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_EQ(std::set<std::thread::id>({ids[0], ids[1]}).count(FindThread(threads)), 1U);
}

TEST(OwnThreads, PassOnWhatIsThrown) {
  OwnThreads threads;
  EXPECT_THROW(threads.Run([] { throw std::runtime_error("boom"); }), std::runtime_error);
  int value = 0;
  threads.Run([&] { value = 5; });
  EXPECT_EQ(value, 5);
}

TEST(OwnThreads, AreNotMissedInACopyOfTheProcess) {
  OwnThreads threads;
  FindThread(threads);
  const pid_t process = fork();
  if (process == 0) {
    const bool is_here = FindThread(threads) == std::this_thread::get_id();
    threads.~OwnThreads();
    _exit(is_here ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
}

TEST(OwnThreads, ServeManyCallersAtOnce) {
  OwnThreads threads;
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int run = 0; run < 200; ++run) threads.Run([&] { ++sum; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 1600);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
