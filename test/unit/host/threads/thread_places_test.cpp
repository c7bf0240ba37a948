#include <backplane/host/thread_places.hpp>

#include <backplane/host/crash_notes.hpp>

#include "threads/place_table.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace backplane {
namespace {

using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using threads::PlaceTable;

class ThreadPlacesTest : public ::testing::Test {
 protected:
  const std::shared_ptr<void> notes_ = TurnOnCrashNotes({});
};

NetworkPlaceTexts MakeTexts() {
  NetworkPlaceTexts texts;
  texts.network = "network \"n\"";
  texts.steps = {"layer \"a\" of network \"n\" on backend \"X\"",
                 "layer \"b\" of network \"n\" on backend \"Y\""};
  texts.bindings = {"input \"i\"", "output \"o\""};
  return texts;
}

/// Of this thread; "" when it is in none.
std::string GetOwnPlace() {
  const std::int32_t own = threads::GetOwnThread();
  for (const ThreadPlace& place : GetThreadPlaces()) {
    if (place.thread == own) return place.place;
  }
  return "";
}

/// A cell where notes find it.
class OwnCell {
 public:
  OwnCell() : memory_(AllocateForPlaces(sizeof(StepCell))) { new (memory_.get()) StepCell; }
  StepCell& operator*() const { return *static_cast<StepCell*>(memory_.get()); }
  StepCell* operator->() const { return &**this; }

 private:
  std::shared_ptr<void> memory_;
};

TEST(ThreadPlaces, AreNotKeptWhileNotesAreOff) {
  bool is_described = false;
  const CallScope scope([&] {
    is_described = true;
    return "in a backend";
  });
  EXPECT_FALSE(is_described);
  EXPECT_THAT(GetThreadPlaces(), IsEmpty());
}

TEST_F(ThreadPlacesTest, AreTheInnermostCall) {
  EXPECT_EQ(GetOwnPlace(), "");
  {
    const CallScope outer([] { return "in one"; });
    EXPECT_EQ(GetOwnPlace(), "in one");
    {
      const CallScope inner([] { return "in another"; });
      EXPECT_EQ(GetOwnPlace(), "in another");
    }
    EXPECT_EQ(GetOwnPlace(), "in one");
  }
  EXPECT_EQ(GetOwnPlace(), "");
}

TEST_F(ThreadPlacesTest, AreTheLastOnesThatFitWhereCallsAreTooDeep) {
  std::vector<std::unique_ptr<CallScope>> scopes;
  for (int depth = 0; depth < 10; ++depth) {
    scopes.push_back(std::make_unique<CallScope>([&] { return "at " + std::to_string(depth); }));
  }
  EXPECT_EQ(GetOwnPlace(), "at 3");
  while (scopes.size() > 2) scopes.pop_back();
  EXPECT_EQ(GetOwnPlace(), "at 1");
  while (!scopes.empty()) scopes.pop_back();
  EXPECT_EQ(GetOwnPlace(), "");
}

TEST_F(ThreadPlacesTest, OfCallsAreCutWhereTheyAreTooLong) {
  const CallScope scope([] { return std::string(5000, 'x'); });
  EXPECT_THAT(GetOwnPlace(), MatchesRegex("x+"));
  EXPECT_LT(GetOwnPlace().size(), 300U);
}

TEST_F(ThreadPlacesTest, HaveNoControlCharacters) {
  const CallScope scope([] { return "in \x1b[31mred\nSIGSEGV"; });
  EXPECT_EQ(GetOwnPlace(), "in ?[31mred?SIGSEGV");
}

TEST_F(ThreadPlacesTest, OfARunAreItsStep) {
  const NetworkPlaces places(MakeTexts());
  const OwnCell cell;
  RunScope scope(&places);
  EXPECT_EQ(GetOwnPlace(), "in a run of network \"n\", in which layer is not known");
  scope.SetCell(&*cell);
  EXPECT_EQ(GetOwnPlace(), "in a run of network \"n\", at none of its layers");
  scope.EnterBinding(1);
  EXPECT_EQ(GetOwnPlace(), "at output \"o\"");
  scope.LeaveBindings();
  cell->Set(1);
  EXPECT_EQ(GetOwnPlace(), "in layer \"b\" of network \"n\" on backend \"Y\"");
  cell->Set(0 | StepCell::kAtFence);
  EXPECT_EQ(GetOwnPlace(),
            "waiting for the fence of layer \"a\" of network \"n\" on backend \"X\"");
  cell->Set(7);
  EXPECT_EQ(GetOwnPlace(), "in step 7 of a network");
}

TEST_F(ThreadPlacesTest, OfARunAreItsStepWhereANameHasAZero) {
  NetworkPlaceTexts texts = MakeTexts();
  texts.steps[0] = std::string("layer \"\0\"", 9);
  const NetworkPlaces places(texts);
  const OwnCell cell;
  RunScope scope(&places);
  scope.SetCell(&*cell);
  cell->Set(0);
  EXPECT_EQ(GetOwnPlace(), "in layer \"?\"");
  cell->Set(1);
  EXPECT_EQ(GetOwnPlace(), "in layer \"b\" of network \"n\" on backend \"Y\"");
}

TEST_F(ThreadPlacesTest, OfARunWithoutRoomForItsWordsAreTold) {
  NetworkPlaceTexts texts = MakeTexts();
  texts.steps.emplace_back(std::size_t{64} << 20U, 'x');
  const NetworkPlaces places(texts);
  const OwnCell cell;
  RunScope scope(&places);
  scope.SetCell(&*cell);
  cell->Set(1);
  EXPECT_EQ(GetOwnPlace(), "in step 1 of a network");
}

TEST_F(ThreadPlacesTest, OfARunWhoseCellLiesElsewhereAreTheNetwork) {
  const NetworkPlaces places(MakeTexts());
  StepCell elsewhere;
  elsewhere.Set(0);
  RunScope scope(&places);
  scope.SetCell(&elsewhere);
  EXPECT_EQ(GetOwnPlace(), "in a run of network \"n\", in which layer is not known");
}

TEST_F(ThreadPlacesTest, HaveRoomAgainWhenNetworksAreGone) {
  NetworkPlaceTexts texts = MakeTexts();
  texts.steps[0] = std::string(std::size_t{1} << 20U, 'x');
  for (int i = 0; i < 100; ++i) {
    const NetworkPlaces places(texts);
    const RunScope scope(&places);
    ASSERT_THAT(GetOwnPlace(), MatchesRegex("in a run of network \"n\".*")) << i;
  }
}

TEST_F(ThreadPlacesTest, AreGivenBackByThreadsThatEnd) {
  for (std::uint32_t i = 0; i < PlaceTable::kNumSlots + 10; ++i) {
    std::string place;
    std::thread([&] {
      const CallScope scope([] { return "in a thread"; });
      place = GetOwnPlace();
    }).join();
    ASSERT_EQ(place, "in a thread") << i;
  }
  EXPECT_THAT(GetThreadPlaces(), IsEmpty());
}

// Each thread is right about itself at every moment; a reader sees only whole threads.
TEST_F(ThreadPlacesTest, OfManyThreadsAreReadWhileTheyChange) {
  constexpr int kNumThreads = 12;
  constexpr int kNumRounds = 300;
  const NetworkPlaces places(MakeTexts());
  std::atomic<int> num_wrong{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kNumThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const std::string own = "in thread " + std::to_string(thread);
      const OwnCell cell;
      for (int round = 0; round < kNumRounds; ++round) {
        const CallScope call([&] { return own; });
        if (GetOwnPlace() != own) ++num_wrong;
        RunScope run(&places);
        run.SetCell(&*cell);
        cell->Set(static_cast<std::uint32_t>(thread % 2));
        if (GetOwnPlace() != "in " + MakeTexts().steps[thread % 2]) ++num_wrong;
      }
    });
  }
  for (int round = 0; round < kNumRounds; ++round) {
    for (const ThreadPlace& place : GetThreadPlaces()) {
      EXPECT_THAT(place.place, MatchesRegex("(in|at|waiting) .*"));
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_wrong, 0);
  EXPECT_THAT(GetThreadPlaces(), IsEmpty());
}

// Backends may write where they like.
TEST_F(ThreadPlacesTest, AreReadFromOverwrittenMemoryWithoutAFault) {
  const NetworkPlaces places(MakeTexts());
  const OwnCell cell;
  RunScope scope(&places);
  scope.SetCell(&*cell);
  const pid_t process = fork();
  if (process == 0) {
    PlaceTable& table = *threads::FindTable();
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round) {
      auto* const slot = reinterpret_cast<unsigned char*>(&table.slots[random() % 8]);
      slot[random() % sizeof(table.slots[0])] = static_cast<unsigned char>(random());
      table.room[random() % 4096] = static_cast<unsigned char>(random());
      GetThreadPlaces();
    }
    _exit(42);
  }
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

}  // namespace
}  // namespace backplane
