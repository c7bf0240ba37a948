/// Processes of backends that lie, play dead or never stop, as the host meets them.

#include "isolation/worker_link.hpp"
#include "thread_worker.hpp"

#include <backplane/host/logging.hpp>

#include <gmock/gmock.h>

#include <dirent.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

namespace backplane::test {
namespace {

using isolation::WorkerLink;
using isolation::WorkerPlan;
using messages::Function;
using messages::MessageKind;
using messages::Writer;
using ::testing::HasSubstr;

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

class WorkerLinkTest : public ::testing::Test {
 protected:
  std::shared_ptr<WorkerLink> MakeLink(ThreadWorker::Play play, int timeout_ms = 200) const {
    WorkerPlan plan;
    plan.backend_id = "Liar";
    plan.settings.call_timeout = std::chrono::milliseconds(timeout_ms);
    plan.settings.max_deaths = 1'000;
    plan.logger = logger_;
    plan.starter = PlayInThread(std::move(play));
    return std::make_shared<WorkerLink>(std::move(plan));
  }

  /// Asks, and gives the words of the failure; fails the test when there is none.
  static std::string AskAndFail(WorkerLink& link, const Writer& body = Writer()) {
    try {
      link.Call(Function::kGetCapabilities, body);
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

TEST_F(WorkerLinkTest, AHalfNoticeKeepsNobodyFromTheAnswers) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    send(ends.notices.Get(), kHalfAHeader, 8, MSG_NOSIGNAL);
    ends.AnswerOpen();
    if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer());
    WaitForStop(ends);
  });
  EXPECT_NO_THROW(link->Call(Function::kGetCapabilities, Writer()));
}

TEST_F(WorkerLinkTest, AHalfNoticeKeepsNobodyFromTheEnd) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    send(ends.notices.Get(), kHalfAHeader, 8, MSG_NOSIGNAL);
    ends.AnswerOpen();
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("did not answer GetCapabilities within 200 ms"));
}

TEST_F(WorkerLinkTest, WhoDoesNotTakeWhatIsSentIsEnded) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    while (!ends.IsStopped()) std::this_thread::yield();
  });
  const Writer long_body = Writer().PutText(std::string(std::size_t{8} << 20U, 'x'));
  EXPECT_THAT(AskAndFail(*link, long_body), HasSubstr("did not answer"));
}

TEST_F(WorkerLinkTest, WhoAnswersByteForByteIsEndedInTime) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    std::string bytes("1MPB\2\0\0\0", 8);
    bytes.resize(std::size_t{1} << 20U, '\0');
    for (std::size_t i = 0; i < bytes.size() && !ends.IsStopped(); ++i) {
      send(ends.calls.Get(), &bytes[i], 1, MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("Liar"));
}

TEST_F(WorkerLinkTest, WhoAsksWithoutAnEndIsEnded) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    while (messages::Send(ends.calls.Get(), MessageKind::kCall, Function::kAddLayer, "") &&
           ends.Receive()) {
      continue;
    }
  });
  const auto step = std::make_shared<isolation::Step>();
  step->function = Function::kOptimizeSubgraph;
  try {
    link->CallAndKeep(step, [](const messages::Message&) { return std::string(); });
    FAIL() << "the call was answered";
  } catch (const DiagnosticException& exception) {
    EXPECT_THAT(exception.what(), HasSubstr("OptimizeSubgraph"));
  }
}

TEST_F(WorkerLinkTest, OutputWithoutAnEndKeepsNobodyFromTheEnd) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    const std::string frame("o\4\0one\n", 7);
    while (!ends.IsStopped() && write(ends.output.Get(), frame.data(), frame.size()) > 0) continue;
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("did not answer"));
  EXPECT_TRUE(logger_->TellsWhatIsLeftOut());
}

TEST_F(WorkerLinkTest, WhoClosesItsOutputKeepsNoProcessorBusy) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.output = discovery::FileDescriptor();
    WaitForStop(ends);
  });
  ASSERT_EQ(link->Start(), nullptr);
  const std::clock_t before = std::clock();  // of processors
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 10);
}

TEST_F(WorkerLinkTest, LinesWithoutAnEndDoNotFillTheLog) {
  const auto link = MakeLink(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.Receive();
        const Writer line = Writer().Put(LogLevel::kInfo).PutText("one of very many");
        constexpr int kNumLines = 100'000;
        for (int i = 0; i < kNumLines; ++i) {
          messages::Send(ends.notices.Get(), MessageKind::kNotice, Function::kLogLine, line.Get());
        }
        ends.Answer(Function::kGetCapabilities, Writer(), kNumLines);
        WaitForStop(ends);
      },
      600'000);
  link->Call(Function::kGetCapabilities, Writer());
  EXPECT_GE(logger_->GetNumLines(), isolation::LineBudget::kMostAtOnce);
  EXPECT_LT(logger_->GetNumLines(), 100'000);
}

TEST_F(WorkerLinkTest, WhoCountsNoticesThatDoNotComeIsEnded) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer(), 1'000);
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("counts more log lines"));
}

TEST_F(WorkerLinkTest, NoticesThatWereNotSentAreNotWaitedFor) {
  const auto link = MakeLink(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        send(ends.notices.Get(), kHalfAHeader, 8, MSG_NOSIGNAL);
        if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer(), 1);
        WaitForStop(ends);
      },
      600'000);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(AskAndFail(*link), HasSubstr("counts more log lines"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
}

TEST_F(WorkerLinkTest, MoreNoticesThanASocketHoldsAreNotWaitedFor) {
  const auto link = MakeLink(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        if (!ends.Receive()) return;
        ends.Answer(Function::kGetCapabilities, Writer(), std::uint64_t{1} << 60U);
        const Writer line = Writer().Put(LogLevel::kInfo).PutText("one of very many");
        while (!ends.IsStopped()) {
          messages::Send(ends.notices.Get(), MessageKind::kNotice, Function::kLogLine, line.Get());
        }
      },
      600'000);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(AskAndFail(*link), HasSubstr("counts more log lines"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
}

TEST_F(WorkerLinkTest, ASlowLogIsNotTheFaultOfWhoWritesIt) {
  logger_->SleepInEachLine(std::chrono::milliseconds(300));
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (!ends.Receive()) return;
    const Writer line = Writer().Put(LogLevel::kInfo).PutText("a line");
    messages::Send(ends.notices.Get(), MessageKind::kNotice, Function::kLogLine, line.Get());
    ends.Answer(Function::kGetCapabilities, Writer(), 1);
    WaitForStop(ends);
  });
  EXPECT_NO_THROW(link->Call(Function::kGetCapabilities, Writer()));
}

TEST_F(WorkerLinkTest, NoticesThatCannotComeAreNotWaitedFor) {
  const auto link = MakeLink(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.CloseNotices();
        if (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer(), 1'000);
        WaitForStop(ends);
      },
      600'000);
  EXPECT_THAT(AskAndFail(*link), HasSubstr("counts more log lines"));
}

TEST_F(WorkerLinkTest, AnAnswerToAnotherQuestionIsNone) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (ends.Receive()) ends.Answer(Function::kGetOptionSchemas, Writer());
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("no answer to GetCapabilities"));
}

TEST_F(WorkerLinkTest, AnAnswerThatIsTooShortEndsTheProcess) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    messages::Send(ends.calls.Get(), MessageKind::kAnswer, Function::kGetCapabilities, "short");
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("GetCapabilities is not whole"));
}

TEST_F(WorkerLinkTest, WhoCannotBeOpenedIsEnded) {
  std::atomic<int> num_starts{0};
  const auto link = MakeLink([&](WorkerEnds& ends) {
    if (++num_starts > 1) return ends.AnswerOpen(), WaitForStop(ends);
    ends.Receive();
    messages::Send(ends.calls.Get(), MessageKind::kThrown, Function::kOpen, "");
    WaitForStop(ends);
  });
  EXPECT_NE(link->Start(), nullptr);
  EXPECT_EQ(link->Start(), nullptr);
  EXPECT_EQ(link->GetNumStarts(), 2U);
}

// Whoever sends a signal to process 0 or -1 sends it to many.
TEST_F(WorkerLinkTest, WhoSaysThatItIsNoProcessIsEnded) {
  for (const Writer& answer : {Writer().Put(std::int64_t{0}), Writer().Put(std::int64_t{-1}),
                               Writer().Put(std::int32_t{7})}) {
    const auto link = MakeLink([&](WorkerEnds& ends) {
      if (ends.Receive()) ends.Answer(Function::kOpen, answer);
      WaitForStop(ends);
    });
    EXPECT_NE(link->Start(), nullptr);
    EXPECT_EQ(link->GetProcessId(), -1);
  }
}

TEST_F(WorkerLinkTest, ALengthThatLiesTakesNoMemory) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    std::string header("1MPB\2\0\0\0", 8);
    header.resize(16, '\0');
    header += std::string("\0\0\0\0\0\1\0\0", 8);
    send(ends.calls.Get(), header.data(), header.size(), MSG_NOSIGNAL);
    WaitForStop(ends);
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("Liar"));
}

TEST_F(WorkerLinkTest, DescriptorsThatNobodyWantsAreClosed) {
  const std::size_t before = CountDescriptors();
  {
    const auto link = MakeLink([](WorkerEnds& ends) {
      ends.AnswerOpen();
      const Writer body = Writer().Put(std::uint64_t{0});
      while (ends.Receive()) {
        messages::Send(ends.calls.Get(), MessageKind::kAnswer, Function::kGetCapabilities,
                       body.Get(), std::vector<int>(64, ends.calls.Get()));
      }
    });
    for (int i = 0; i < 10; ++i) link->Call(Function::kGetCapabilities, Writer());
    EXPECT_LT(CountDescriptors(), before + 32);
  }
  EXPECT_EQ(CountDescriptors(), before);
}

TEST_F(WorkerLinkTest, WhoSpeaksUnaskedIsReplacedBeforeTheNextCall) {
  std::atomic<int> num_starts{0};
  std::atomic<bool> has_spoken{false};
  const auto link = MakeLink([&](WorkerEnds& ends) {
    ends.AnswerOpen();
    if (++num_starts == 1) send(ends.calls.Get(), "what nobody asked", 17, MSG_NOSIGNAL);
    has_spoken = true;
    while (ends.Receive()) ends.Answer(Function::kGetCapabilities, Writer());
  });
  link->Start();
  while (!has_spoken) std::this_thread::yield();
  EXPECT_NO_THROW(link->Call(Function::kGetCapabilities, Writer()));
  EXPECT_EQ(link->GetNumStarts(), 2U);
}

TEST_F(WorkerLinkTest, WhoClosesTheSocketOfNoticesIsEnded) {
  const auto link = MakeLink(
      [](WorkerEnds& ends) {
        ends.AnswerOpen();
        ends.CloseNotices();
        WaitForStop(ends);
      },
      600'000);
  EXPECT_THAT(AskAndFail(*link), HasSubstr("closed the socket of its log lines"));
}

// As a child does that the plugin forked.
TEST_F(WorkerLinkTest, WhoKeepsTheSocketsOfTheDeadKeepsNobodyWaiting) {
  discovery::FileDescriptor kept_calls;
  discovery::FileDescriptor kept_notices;
  const auto link = MakeLink([&](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    kept_calls = discovery::FileDescriptor(dup(ends.calls.Get()));
    kept_notices = discovery::FileDescriptor(dup(ends.notices.Get()));
  });
  EXPECT_THAT(AskAndFail(*link), HasSubstr("Liar"));
}

// The thread that ends it for that must not be the last to hold it.
TEST_F(WorkerLinkTest, MayGoWhileItsProcessTalksNonsense) {
  for (int i = 0; i < 4'000; ++i) {
    const auto link = MakeLink([](WorkerEnds& ends) {
      ends.AnswerOpen();
      send(ends.notices.Get(), "what is no message at all", 25, MSG_NOSIGNAL);
      WaitForStop(ends);
    });
    ASSERT_EQ(link->Start(), nullptr);
  }
}

// A service waits for its signals in a thread of its own, and no other may take them.
TEST_F(WorkerLinkTest, TheThreadThatWatchesTakesNoSignals) {
  const auto link = MakeLink([](WorkerEnds& ends) {
    ends.AnswerOpen();
    WaitForStop(ends);
  });
  ASSERT_EQ(link->Start(), nullptr);
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
  EXPECT_EQ(num_watching, 1);
}

TEST_F(WorkerLinkTest, TheNextProcessIsAskedAfterALie) {
  std::atomic<int> num_starts{0};
  const auto link = MakeLink([&](WorkerEnds& ends) {
    ends.AnswerOpen();
    const bool lies = ++num_starts == 1;
    while (ends.Receive()) {
      ends.Answer(lies ? Function::kOpen : Function::kGetCapabilities,
                  Writer().Put(std::uint64_t{0}));
    }
  });
  AskAndFail(*link);
  const auto reply = link->Call(Function::kGetCapabilities, Writer());
  EXPECT_TRUE(messages::TakeOptions(reply->reader).empty());
  EXPECT_EQ(link->GetNumStarts(), 2U);
}

}  // namespace
}  // namespace backplane::test
