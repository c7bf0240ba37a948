#include "threads/processors.hpp"
#include "threads/parallel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

namespace backplane {
namespace cpuacc {
namespace {

using ::testing::HasSubstr;

/// The numbers of those that this process may use.
Processors FindAllowed() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  EXPECT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  Processors processors;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<std::size_t>(i), &allowed)) processors.push_back(i);
  }
  return processors;
}

std::string FindRefusal(const std::string& text) {
  try {
    ReadProcessors(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(ProcessorLists, AreNumbersAndRanges) {
  const Processors allowed = FindAllowed();
  const std::string first = std::to_string(allowed.front());
  EXPECT_EQ(ReadProcessors(""), Processors());
  EXPECT_EQ(ReadProcessors(first), Processors{allowed.front()});
  EXPECT_EQ(ReadProcessors(first + "-" + first + "," + first), Processors{allowed.front()});
  std::string all;
  for (const int processor : allowed)
    all = std::to_string(processor) + (all.empty() ? "" : ",") + all;
  EXPECT_EQ(ReadProcessors(all), allowed);
}

TEST(ProcessorLists, OfOtherTextsSayWhatIsWrong) {
  for (const char* text : {"x", ",", "0,", "0,,0", "-1", "0-", "0 1", "0;1", "0-x", " 0", "0x1"}) {
    EXPECT_THAT(FindRefusal(text), HasSubstr("expected numbers of processors")) << text;
    EXPECT_THAT(FindRefusal(text), HasSubstr('"' + std::string(text) + '"'));
  }
  EXPECT_THAT(FindRefusal("1-0"), HasSubstr("ends before it begins"));
  for (const char* text : {"1024", "99999999999999999999", "0-4000000000"}) {
    EXPECT_THAT(FindRefusal(text), HasSubstr("at most 1024")) << text;
  }
  const auto beyond = sysconf(_SC_NPROCESSORS_CONF);
  EXPECT_THAT(FindRefusal(std::to_string(beyond)),
              HasSubstr("processor " + std::to_string(beyond) + ", which it may not"));
}

TEST(ProcessorLists, SayWhereHelpersRun) {
  for (const int processor : FindAllowed()) {
    ThreadPool pool({processor});
    std::atomic<int> num_by_helpers{0};
    std::atomic<int> num_elsewhere{0};
    const auto caller = std::this_thread::get_id();
    // As long as it takes until helpers have come.
    while (num_by_helpers == 0) {
      Threads(pool, 3).ForEach(64, [&](int /*piece*/) {
        std::this_thread::yield();
        if (std::this_thread::get_id() == caller) return;
        ++num_by_helpers;
        if (sched_getcpu() != processor) ++num_elsewhere;
      });
    }
    EXPECT_EQ(num_elsewhere, 0);
  }
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
