#include "memory/arena_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <thread>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::ArenaPool;

constexpr std::uint64_t kSmall = 4096;
constexpr std::uint64_t kLarge = 65536;

TEST(ArenaPool, HasOneArenaForAllWhoRunOneAfterTheOther) {
  const auto pool = std::make_shared<ArenaPool>();
  const ArenaPool::User small(pool, kSmall);
  const ArenaPool::User large(pool, kLarge);
  const ArenaPool::User other(pool, kSmall);
  EXPECT_EQ(pool->GetSizeBytes(), kLarge);
  for (const ArenaPool::User* user : {&small, &large, &other}) {
    const ArenaPool::Lease lease(*user, nullptr);
    std::memset(lease.Get(), 1, kSmall);
  }
  EXPECT_EQ(pool->GetSizeBytes(), kLarge);
}

TEST(ArenaPool, HasAsManyAsRunAtOnce) {
  const auto pool = std::make_shared<ArenaPool>();
  const ArenaPool::User user(pool, kSmall);
  const unsigned char* first = nullptr;
  {
    const ArenaPool::Lease one(user, nullptr);
    const ArenaPool::Lease two(user, nullptr);
    EXPECT_NE(one.Get(), two.Get());
    first = one.Get();
    EXPECT_EQ(pool->GetSizeBytes(), 2 * kSmall);
  }
  const ArenaPool::Lease again(user, first);
  EXPECT_EQ(again.Get(), first);
  EXPECT_EQ(pool->GetSizeBytes(), 2 * kSmall);
}

TEST(ArenaPool, GrowsWhileARunIsInASmallerArena) {
  const auto pool = std::make_shared<ArenaPool>();
  const ArenaPool::User small(pool, kSmall);
  std::optional<ArenaPool::User> large;
  {
    const ArenaPool::Lease running(small, nullptr);
    large.emplace(pool, kLarge);
    const ArenaPool::Lease beside(*large, nullptr);
    std::memset(running.Get(), 1, kSmall);
    std::memset(beside.Get(), 2, kLarge);
    EXPECT_EQ(running.Get()[kSmall - 1], 1);
  }
  EXPECT_EQ(pool->GetSizeBytes(), kLarge);
}

TEST(ArenaPool, GivesUpWhatNobodyNeeds) {
  const auto pool = std::make_shared<ArenaPool>();
  std::optional<ArenaPool::User> large;
  const ArenaPool::User small(pool, kSmall);
  large.emplace(pool, kLarge);
  large.reset();
  const ArenaPool::Lease lease(small, nullptr);
  EXPECT_EQ(pool->GetSizeBytes(), kSmall);
}

TEST(ArenaPool, IsAsItWasWhenThereIsNoMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the process instead";
#endif
  const auto pool = std::make_shared<ArenaPool>();
  const ArenaPool::User small(pool, kSmall);
  EXPECT_THROW(ArenaPool::User(pool, std::numeric_limits<std::uint64_t>::max() / 4),
               std::bad_alloc);
  const ArenaPool::Lease lease(small, nullptr);
  EXPECT_EQ(pool->GetSizeBytes(), kSmall);
}

TEST(ArenaPool, IsSharedByThreads) {
  const auto pool = std::make_shared<ArenaPool>();
  std::vector<std::thread> threads;
  for (unsigned char number = 1; number <= 4; ++number) {
    threads.emplace_back([&pool, number] {
      for (std::uint64_t round = 0; round < 200; ++round) {
        const ArenaPool::User user(pool, kSmall * (1 + (round + number) % 5));
        const ArenaPool::Lease lease(user, nullptr);
        std::memset(lease.Get(), number, kSmall);
        EXPECT_EQ(lease.Get()[kSmall - 1], number);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool->GetSizeBytes(), 0U);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
