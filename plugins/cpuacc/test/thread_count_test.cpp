#include "threads/thread_count.hpp"
#include "threads/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

TEST(ThreadCount, IsPutBack) {
  const int before = omp_get_max_threads();
  {
    ThreadCount threads(before + 1);
    EXPECT_EQ(omp_get_max_threads(), before + 1);
    threads.Set(before + 2);
    EXPECT_EQ(omp_get_max_threads(), before + 2);
  }
  EXPECT_EQ(omp_get_max_threads(), before);
}

/// Memory that belongs to pieces is found by these numbers.
TEST(ParallelForPieces, NumbersPiecesFromZeroInsideOfOtherRegionsToo) {
  std::vector<std::int64_t> largest(3, -1);
#pragma omp parallel num_threads(3)
  for (const int num_threads : {1, 2}) {
    ParallelForPieces(num_threads, 10, 1, [&](std::int64_t piece, std::int64_t, std::int64_t) {
#pragma omp critical
      largest[static_cast<std::size_t>(num_threads)] =
          std::max(largest[static_cast<std::size_t>(num_threads)], piece);
    });
  }
  EXPECT_EQ(largest[1], 0);
  EXPECT_EQ(largest[2], 1);
}

TEST(ThreadCount, IsNotAdjusted) {
  const int before = omp_get_dynamic();
  omp_set_dynamic(1);
  {
    const ThreadCount threads(2);
    EXPECT_EQ(omp_get_dynamic(), 0);
  }
  EXPECT_NE(omp_get_dynamic(), 0);
  omp_set_dynamic(before);
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
