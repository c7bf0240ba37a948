/// Processes of backends that lie, play dead or never stop, as the host meets them.

#include "isolation/worker_life.hpp"
#include "support/sanitized.hpp"
#include "thread_worker.hpp"

#include <backplane/host/logging.hpp>

#include <gmock/gmock.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

namespace backplane::test {
namespace {

using isolation::WorkerLife;
using isolation::WorkerPlan;
using ::testing::HasSubstr;
using wire::Function;
using wire::MessageKind;
using wire::Writer;

/// Counts what a backend logs.
class CountingLogger final : public ILogger {
 public:
  bool IsEnabled(LogLevel /*level*/) const override { return true; }
  Status Log(LogLevel /*level*/, const char* message) override {
    ++num_lines_;
    std::this_thread::sleep_for(sleep_);
    if (std::strstr(message, "left out") != nullptr) tells_what_is_left_out_ = true;
    return Status::kSuccess;
  }
  void SleepInEachLine(std::chrono::milliseconds time) { sleep_ = time; }
  std::int64_t GetNumLines() const { return num_lines_; }
  bool TellsWhatIsLeftOut() const { return tells_what_is_left_out_; }

 private:
  std::atomic<std::int64_t> num_lines_{0};
  std::atomic<bool> tells_what_is_left_out_{false};
  std::chrono::milliseconds sleep_{0};
};

std::size_t CountDescriptors() {
  std::size_t count = 0;
  DIR* const stream = opendir("/proc/self/fd");
  while (readdir(stream) != nullptr) ++count;
  closedir(stream);
  return count;
}

/// The number that the next descriptor gets. Whoever started the tests may have left some open that
/// have high numbers.
int FindFreeDescriptor() {
  const wire::FileDescriptor next(open("/dev/null", O_RDONLY | O_CLOEXEC));
  return next.Get();
}

class WorkerLifeTest : public ::testing::Test {
 protected:
  std::shared_ptr<WorkerLife> MakeLife(ThreadWorker::Play play, int timeout_ms = 200) const {
    WorkerPlan plan;
    plan.backend_id = "Liar";
    plan.settings.call_timeout = std::chrono::milliseconds(timeout_ms);
    plan.settings.max_deaths = 1'000;
    plan.logger = logger_;
    plan.starter = PlayInThread(std::move(play));
    return std::make_shared<WorkerLife>(std::move(plan));
  }

  /// Asks, and gives the words of the failure; fails the test when there is none.
  static std::string AskAndFail(WorkerLife& life, const Writer& body = Writer()) {
    try {
      life.Get()->Call(Function::kGetCapabilities, body);
    } catch (const DiagnosticException& exception) {
      EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kWorkerEnded);
      return ToText(exception.GetDiagnostic());
    }
    ADD_FAILURE() << "the call was answered";
    return {};
  }

  const std::shared_ptr<CountingLogger> logger_ = std::make_shared<CountingLogger>();
};

constexpr char kHalfAHeader[] = "1MPB\4\0\0\0";

void WaitForStop(WorkerEnds& ends) {
  while (ends.Receive()) continue;
}

TEST_F(WorkerLifeTest, AHalfNoticeKeepsNobodyFromTheAnswers) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    send(ends.notices.Get(), kHalfAHeader, 8, MSG_NOSIGNAL);
    ends.AnswerOpen();
    if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer());
    WaitForStop(ends);
  });
  EXPECT_NO_THROW(life->Get()->Call(Function::kGetCapabilities, Writer()));
}

TEST_F(WorkerLifeTest, AHalfNoticeKeepsNobodyFromTheEnd) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    send(ends.notices.Get(), kHalfAHeader, 8, MSG_NOSIGNAL);
    ends.AnswerOpen();
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("did not answer GetCapabilities within 200 ms"));
}

TEST_F(WorkerLifeTest, WhoDoesNotTakeWhatIsSentIsEnded) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    while (!ends.IsStopped()) std::this_thread::yield();
  });
  const Writer long_body = Writer().PutText(std::string(std::size_t{8} << 20U, 'x'));
  EXPECT_THAT(AskAndFail(*life, long_body), HasSubstr("did not answer"));
}

TEST_F(WorkerLifeTest, WhoAnswersByteForByteIsEndedInTime) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    std::string bytes("1MPB\2\0\0\0", 8);
    bytes.resize(std::size_t{1} << 20U, '\0');
    for (std::size_t i = 0; i < bytes.size() && !ends.IsStopped(); ++i) {
      send(ends.calls.Get(), &bytes[i], 1, MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("Liar"));
}

TEST_F(WorkerLifeTest, WhoAsksWithoutAnEndIsEnded) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    while (wire::Send(ends.calls.Get(), MessageKind::kCall, Function::kAddLayer, "") &&
           ends.Receive()) {
      continue;
    }
  });
  try {
    life->Get()->Call(Function::kOptimizeSubgraph, Writer(), {},
                      [](const wire::Message&) { return std::string(); });
    FAIL() << "the call was answered";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(exception.what(), HasSubstr("OptimizeSubgraph"));
  }
}

TEST_F(WorkerLifeTest, OutputWithoutAnEndKeepsNobodyFromTheEnd) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    const std::string frame("o\4\0one\n", 7);
    while (!ends.IsStopped() && write(ends.output.Get(), frame.data(), frame.size()) > 0) continue;
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("did not answer"));
  EXPECT_TRUE(logger_->TellsWhatIsLeftOut());
}

TEST_F(WorkerLifeTest, WhoClosesItsOutputKeepsNoProcessorBusy) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.output = wire::FileDescriptor();
    WaitForStop(ends);
  });
  ASSERT_EQ(life->Start(), nullptr);
  const std::clock_t before = std::clock();  // of processors
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 10);
}

TEST_F(WorkerLifeTest, LinesWithoutAnEndDoNotFillTheLog) {
  const auto life = MakeLife(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.Receive();
        const Writer line = Writer().Put(LogLevel::kInfo).PutText("one of very many");
        constexpr int kNumLines = 100'000;
        for (int i = 0; i < kNumLines; ++i) {
          wire::Send(ends.notices.Get(), MessageKind::kNotice, Function::kLogLine, line.Get());
        }
        ends.Answer(Function::kGetCapabilities, Writer(), kNumLines);
        WaitForStop(ends);
      },
      600'000);
  life->Get()->Call(Function::kGetCapabilities, Writer());
  EXPECT_GE(logger_->GetNumLines(), isolation::LineBudget::kMostAtOnce);
  EXPECT_LT(logger_->GetNumLines(), 100'000);
}

TEST_F(WorkerLifeTest, WhoCountsNoticesThatDoNotComeIsEnded) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer(), 1'000);
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("counts more log lines"));
}

TEST_F(WorkerLifeTest, NoticesThatWereNotSentAreNotWaitedFor) {
  const auto life = MakeLife(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        send(ends.notices.Get(), kHalfAHeader, 8, MSG_NOSIGNAL);
        if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer(), 1);
        WaitForStop(ends);
      },
      600'000);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(AskAndFail(*life), HasSubstr("counts more log lines"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
}

TEST_F(WorkerLifeTest, MoreNoticesThanASocketHoldsAreNotWaitedFor) {
  const auto life = MakeLife(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        if (!ends.Receive()) return;
        ends.Answer(Function::kGetCapabilities, Writer(), std::uint64_t{1} << 60U);
        const Writer line = Writer().Put(LogLevel::kInfo).PutText("one of very many");
        while (!ends.IsStopped()) {
          wire::Send(ends.notices.Get(), MessageKind::kNotice, Function::kLogLine, line.Get());
        }
      },
      600'000);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(AskAndFail(*life), HasSubstr("counts more log lines"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
}

TEST_F(WorkerLifeTest, ASlowLogIsNotTheFaultOfWhoWritesIt) {
  logger_->SleepInEachLine(std::chrono::milliseconds(300));
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (!ends.Receive()) return;
    const Writer line = Writer().Put(LogLevel::kInfo).PutText("a line");
    wire::Send(ends.notices.Get(), MessageKind::kNotice, Function::kLogLine, line.Get());
    ends.Answer(Function::kGetCapabilities, Writer(), 1);
    WaitForStop(ends);
  });
  EXPECT_NO_THROW(life->Get()->Call(Function::kGetCapabilities, Writer()));
}

TEST_F(WorkerLifeTest, NoticesThatCannotComeAreNotWaitedFor) {
  const auto life = MakeLife(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.CloseNotices();
        if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer(), 1'000);
        WaitForStop(ends);
      },
      600'000);
  EXPECT_THAT(AskAndFail(*life), HasSubstr("counts more log lines"));
}

TEST_F(WorkerLifeTest, AnAnswerToAnotherQuestionIsNone) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (ends.Receive()) ends.Answer(Function::kGetOptionSchemas, Writer());
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("no answer to GetCapabilities"));
}

TEST_F(WorkerLifeTest, AnAnswerThatIsTooShortEndsTheProcess) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    wire::Send(ends.calls.Get(), MessageKind::kAnswer, Function::kGetCapabilities, "short");
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("GetCapabilities is not whole"));
}

TEST_F(WorkerLifeTest, WhoCannotBeOpenedIsEnded) {
  std::atomic<int> num_starts{0};
  const auto life = MakeLife([&](WorkerEnds& ends) {
    if (++num_starts > 1) return ends.AnswerOpen(), WaitForStop(ends);
    ends.Receive();
    wire::Send(ends.calls.Get(), MessageKind::kThrown, Function::kOpen, "");
    WaitForStop(ends);
  });
  EXPECT_NE(life->Start(), nullptr);
  EXPECT_EQ(life->Start(), nullptr);
  EXPECT_EQ(life->GetNumStarts(), 2U);
}

// Whoever sends a signal to process 0 or -1 sends it to many.
TEST_F(WorkerLifeTest, WhoSaysThatItIsNoProcessIsEnded) {
  for (const Writer& answer : {Writer().Put(std::int64_t{0}), Writer().Put(std::int64_t{-1}),
                               Writer().Put(std::int32_t{7})}) {
    const auto life = MakeLife([&](WorkerEnds& ends) {
      if (ends.Receive()) ends.Answer(Function::kOpen, answer);
      WaitForStop(ends);
    });
    EXPECT_NE(life->Start(), nullptr);
    EXPECT_EQ(life->GetProcessId(), -1);
  }
}

TEST_F(WorkerLifeTest, ALengthThatLiesTakesNoMemory) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    std::string header("1MPB\2\0\0\0", 8);
    header.resize(16, '\0');
    header += std::string("\0\0\0\0\0\1\0\0", 8);
    send(ends.calls.Get(), header.data(), header.size(), MSG_NOSIGNAL);
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("Liar"));
}

TEST_F(WorkerLifeTest, DescriptorsThatNobodyWantsAreClosed) {
  const std::size_t before = CountDescriptors();
  {
    const auto life = MakeLife([](WorkerEnds& ends) {
      ends.AnswerOpen();
      const Writer body = Writer().Put(std::uint64_t{0});
      while (ends.Receive()) {
        wire::Send(ends.calls.Get(), MessageKind::kAnswer, Function::kGetCapabilities, body.Get(),
                   std::vector<int>(64, ends.calls.Get()));
      }
    });
    for (int i = 0; i < 10; ++i) life->Get()->Call(Function::kGetCapabilities, Writer());
    EXPECT_LT(CountDescriptors(), before + 32);
  }
  EXPECT_EQ(CountDescriptors(), before);
}

TEST_F(WorkerLifeTest, WhoSpeaksUnaskedIsReplacedBeforeTheNextCall) {
  std::atomic<int> num_starts{0};
  std::atomic<bool> has_spoken{false};
  const auto life = MakeLife([&](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (++num_starts == 1) send(ends.calls.Get(), "what nobody asked", 17, MSG_NOSIGNAL);
    has_spoken = true;
    while (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer());
  });
  life->Start();
  while (!has_spoken) std::this_thread::yield();
  EXPECT_NO_THROW(life->Get()->Call(Function::kGetCapabilities, Writer()));
  EXPECT_EQ(life->GetNumStarts(), 2U);
}

TEST_F(WorkerLifeTest, WhoClosesTheSocketOfNoticesIsEnded) {
  const auto life = MakeLife(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.CloseNotices();
        WaitForStop(ends);
      },
      600'000);
  EXPECT_THAT(AskAndFail(*life), HasSubstr("closed the socket of its log lines"));
}

// As a child does that the plugin forked.
TEST_F(WorkerLifeTest, WhoKeepsTheSocketsOfTheDeadKeepsNobodyWaiting) {
  wire::FileDescriptor kept_calls;
  wire::FileDescriptor kept_notices;
  const auto life = MakeLife([&](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    kept_calls = wire::FileDescriptor(dup(ends.calls.Get()));
    kept_notices = wire::FileDescriptor(dup(ends.notices.Get()));
  });
  EXPECT_THAT(AskAndFail(*life), HasSubstr("Liar"));
}

// The thread that ends it for that must not be the last to hold it.
TEST_F(WorkerLifeTest, MayGoWhileItsProcessTalksNonsense) {
  for (int i = 0; i < 1'500; ++i) {
    const auto life = MakeLife([](WorkerEnds& ends) {
      ends.AnswerOpen();
      send(ends.notices.Get(), "what is no message at all", 25, MSG_NOSIGNAL);
      WaitForStop(ends);
    });
    ASSERT_EQ(life->Start(), nullptr);
  }
}

// A service waits for its signals in a thread of its own, and no other may take them.
TEST_F(WorkerLifeTest, TheThreadThatWatchesTakesNoSignals) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    WaitForStop(ends);
  });
  ASSERT_EQ(life->Start(), nullptr);
  int num_watching = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name != "backplane-child") continue;
    ++num_watching;
    std::ifstream status(task.path() / "status");
    std::uint64_t blocked = 0;
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("SigBlk:", 0) == 0) blocked = std::stoull(line.substr(7), nullptr, 16);
    }
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD}) {
      EXPECT_NE(blocked & (std::uint64_t{1} << (signal - 1)), 0U) << strsignal(signal);
    }
  }
  EXPECT_GT(num_watching, 0);
}

/// Is reached once it was asked for long enough.
class ShortLimit final : public WorkLimit {
 public:
  explicit ShortLimit(std::chrono::milliseconds time)
      : end_(std::chrono::steady_clock::now() + time) {}
  std::chrono::nanoseconds GetWait() noexcept override {
    const auto now = std::chrono::steady_clock::now();
    return end_ > now ? end_ - now : std::chrono::nanoseconds(0);
  }
  bool IsReached() noexcept override { return std::chrono::steady_clock::now() >= end_; }
  const char* GetReason() const noexcept override { return "its run was over"; }

 private:
  const std::chrono::steady_clock::time_point end_;
};

TEST_F(WorkerLifeTest, ARunWaitsForCallsOfOtherThreadsAsLongAsItMay) {
  std::atomic<bool> is_asked{false};
  std::atomic<bool> may_answer{false};
  const auto life = MakeLife(
      [&](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.Receive();
        is_asked = true;
        while (!may_answer && !ends.IsStopped()) std::this_thread::yield();
        ends.Answer(Function::kGetCapabilities, Writer().Put(std::uint64_t{0}));
        WaitForStop(ends);
      },
      600'000);
  std::thread compiling([&] { life->Get()->Call(Function::kGetCapabilities, Writer()); });
  while (!is_asked) std::this_thread::yield();
  ShortLimit limit(std::chrono::milliseconds(50));
  {
    const WorkLimitScope bound(&limit);
    EXPECT_THROW(life->Get()->Show(SharedArea::Make(4096)), isolation::LimitReached);
  }
  may_answer = true;
  compiling.join();
  EXPECT_EQ(life->GetNumStarts(), 1U) << "the process did nothing wrong";
}

TEST_F(WorkerLifeTest, ARunWaitsForAStartAsLongAsItMay) {
  std::atomic<bool> may_answer{false};
  const auto life = MakeLife(
      [&](WorkerEnds& ends) {
        while (!may_answer && !ends.IsStopped()) std::this_thread::yield();
        ends.AnswerOpen();
        WaitForStop(ends);
      },
      20'000);
  std::thread starting([&] { EXPECT_EQ(life->Start(), nullptr); });
  while (life->GetNumStarts() == 0) std::this_thread::yield();
  ShortLimit limit(std::chrono::milliseconds(50));
  {
    const WorkLimitScope bound(&limit);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_THROW(life->Get()->Call(Function::kGetCapabilities, Writer()), isolation::LimitReached);
  }
  may_answer = true;
  starting.join();
  EXPECT_EQ(life->GetNumStarts(), 1U);
}

TEST_F(WorkerLifeTest, WhatARunEndsIsNoDeath) {
  constexpr int kRuns = 5;
  WorkerPlan plan;
  plan.backend_id = "Slow";
  plan.settings.max_deaths = 1;
  plan.logger = logger_;
  plan.starter = PlayInThread([](WorkerEnds& ends) {
    ends.AnswerOpen();
    WaitForStop(ends);
  });
  const auto life = std::make_shared<WorkerLife>(std::move(plan));
  for (int run = 0; run < kRuns; ++run) {
    const std::shared_ptr<isolation::Worker> worker = life->Get();
    ShortLimit limit(std::chrono::milliseconds(1));
    const WorkLimitScope bound(&limit);
    EXPECT_THROW(worker->Call(Function::kGetCapabilities, Writer()), isolation::LimitReached);
    EXPECT_THAT(ToText(worker->GetDeath()), HasSubstr("its run was over"));
  }
  EXPECT_EQ(life->GetNumStarts(), std::uint32_t{kRuns});
}

TEST_F(WorkerLifeTest, AnAnswerThatThrowsHereLeavesBothSidesInStep) {
  const auto life = MakeLife(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.Receive();
        wire::Send(ends.calls.Get(), MessageKind::kCall, Function::kAddLayer, "a layer");
        const auto answer = ends.Receive();
        const bool is_failure =
            answer && wire::Reader(answer->body).Take<Status>() == Status::kFailure;
        ends.Answer(Function::kOptimizeSubgraph, Writer().Put(is_failure));
        while (ends.Receive()) {
          ends.Answer(Function::kGetCapabilities, Writer().Put(std::uint64_t{0}));
        }
      },
      600'000);
  EXPECT_THROW(
      life->Get()->Call(Function::kOptimizeSubgraph, Writer(), {},
                        [](const wire::Message&) -> std::string { throw std::bad_alloc(); }),
      std::bad_alloc);
  EXPECT_NO_THROW(life->Get()->Call(Function::kGetCapabilities, Writer()));
  EXPECT_EQ(life->GetNumStarts(), 1U);
}

// What was made in a process is asked for no more than the process itself.
TEST_F(WorkerLifeTest, WhatIsAskedOfAProcessThatHasEndedTellsHow) {
  const auto life = MakeLife([](WorkerEnds& ends) {
    ends.AnswerOpen();
    WaitForStop(ends);
  });
  const std::shared_ptr<isolation::Worker> first = life->Get();
  EXPECT_FALSE(life->HasEnded(1));
  first->End("a test ends it");
  EXPECT_THAT(ToText(first->GetDeath()), HasSubstr("a test ends it"));
  const std::shared_ptr<isolation::Worker> second = life->Get();
  EXPECT_NE(first, second);
  EXPECT_TRUE(life->HasEnded(1));
  EXPECT_FALSE(life->HasEnded(2));
  try {
    first->Call(Function::kGetCapabilities, Writer());
    FAIL() << "the call was answered";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(exception.what(), HasSubstr("a test ends it"));
  }
  first->Destroy(1);
  EXPECT_FALSE(second->HasEnded());
}

// An error path that leaves one end open has this process wait for itself.
TEST_F(WorkerLifeTest, WithoutDescriptorsNothingIsWaitedFor) {
  if (HasAddressSanitizer() || HasThreadSanitizer()) {
    GTEST_SKIP() << "sanitizers need descriptors of their own";
  }
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const int first_free = FindFreeDescriptor();
  int num_refused = 0;
  for (int room = 0; room < 12; ++room) {
    const auto life = MakeLife(
        [](WorkerEnds& ends) {
          ends.AnswerOpen();
          WaitForStop(ends);
        },
        600'000);
    rlimit lower = before;
    lower.rlim_cur = static_cast<rlim_t>(first_free + room);
    setrlimit(RLIMIT_NOFILE, &lower);
    const auto begin = std::chrono::steady_clock::now();
    const auto refused = life->Start();
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
    if (refused) ++num_refused;
  }
  EXPECT_GT(num_refused, 0);
}

TEST_F(WorkerLifeTest, TheNextProcessIsAskedAfterALie) {
  std::atomic<int> num_starts{0};
  const auto life = MakeLife([&](WorkerEnds& ends) {
    ends.AnswerOpen();
    const bool lies = ++num_starts == 1;
    while (ends.Receive()) {
      ends.Answer(lies ? Function::kOpen : Function::kGetCapabilities,
                  Writer().Put(std::uint64_t{0}));
    }
  });
  AskAndFail(*life);
  const auto reply = life->Get()->Call(Function::kGetCapabilities, Writer());
  EXPECT_TRUE(reply->reader.Take<std::vector<BackendOption>>().empty());
  EXPECT_EQ(life->GetNumStarts(), 2U);
}

}  // namespace
}  // namespace backplane::test
