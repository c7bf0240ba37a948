#include "execution/working_memory_pool.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace backplane {
namespace {

class WorkingMemoryPoolTest : public testing::Test {
 protected:
  std::unique_ptr<WorkingMemory> Make() {
    ++num_made_;
    return std::make_unique<WorkingMemory>(sources_);
  }

  const ExecutionPlan plan_;
  const KindTable table_;
  const KindObjects objects_;
  TransferLedger ledger_{{}, {}};
  const WorkingMemorySources sources_{&plan_, &table_, &objects_, &ledger_, {}, {}, {}};
  std::atomic<int> num_made_{0};
  WorkingMemoryPool pool_{[this] { return Make(); }};
};

TEST_F(WorkingMemoryPoolTest, MakesTheFirstAtOnce) {
  EXPECT_EQ(num_made_, 1);
}

TEST_F(WorkingMemoryPoolTest, GivesAThreadTheOneItHadBefore) {
  std::unique_ptr<WorkingMemory> first = pool_.Take();
  std::unique_ptr<WorkingMemory> second = pool_.Take();
  const WorkingMemory* had = second.get();
  pool_.GiveBack(std::move(second));
  pool_.GiveBack(std::move(first));
  EXPECT_EQ(pool_.Take().get(), had);
}

// More than there are places.
TEST_F(WorkingMemoryPoolTest, MakesAsManyAsAreTakenAtOnce) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<WorkingMemory>> taken;
    std::set<const WorkingMemory*> different;
    for (int i = 0; i < 40; ++i) {
      taken.push_back(pool_.Take());
      different.insert(taken.back().get());
    }
    EXPECT_EQ(different.size(), 40U);
    for (auto& memory : taken) pool_.GiveBack(std::move(memory));
    EXPECT_EQ(num_made_, 40);
  }
}

TEST_F(WorkingMemoryPoolTest, ThreadsNeverShareOneAndNeverNeedMoreThanThereAreThreads) {
  constexpr int kThreads = 6;
  std::mutex mutex;
  std::set<const WorkingMemory*> in_use;
  std::atomic<int> num_shared{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int run = 0; run < 2000; ++run) {
        const WorkingMemoryPool::Lease lease(pool_);
        {
          const std::lock_guard<std::mutex> lock(mutex);
          if (!in_use.insert(&*lease).second) ++num_shared;
        }
        if (run % 16 == 0) std::this_thread::yield();
        const std::lock_guard<std::mutex> lock(mutex);
        in_use.erase(&*lease);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_shared, 0);
  EXPECT_LE(num_made_, kThreads);
}

}  // namespace
}  // namespace backplane
