#include "threads/thread_count.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuacc {
namespace {

TEST(ThreadCount, IsPutBack) {
  const int before = omp_get_max_threads();
  {
    const ThreadCount threads(before + 1);
    EXPECT_EQ(omp_get_max_threads(), before + 1);
  }
  EXPECT_EQ(omp_get_max_threads(), before);
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
