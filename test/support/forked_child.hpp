#pragma once

/// Forked copies of a process of tests.

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

namespace backplane::test {

/// How long a child may take: longer than anything does, on any machine. Then SIGALRM ends it.
constexpr unsigned kLongestChildSeconds = 120;

/// A child that does something and ends by _exit.
class ForkedChild {
 public:
  explicit ForkedChild(const std::function<void()>& act) : process_(fork()) {
    if (process_ != 0) return;
    alarm(kLongestChildSeconds);
    act();
    std::fflush(stdout);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  /// Fails the test unless it ended with 0; one that hung has the status of SIGALRM.
  ~ForkedChild() {
    int status = -1;
    EXPECT_EQ(waitpid(process_, &status, 0), process_);
    EXPECT_EQ(status, 0);
  }
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;

 private:
  const pid_t process_;
};

}  // namespace backplane::test
