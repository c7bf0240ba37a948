/// What a scan whose code runs in processes of its own does to the process that asks for it:
/// nothing; and what becomes of those processes.

#include "mock_rows.hpp"
#include "probe_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// One that loads and one that crashes.
void ExpectGoodAndDeadly() {
  const LoadReport report =
      Scan(MakeChildScan({GetMockRow("ValidA").folder, GetMockRow("CrashInConstructor").folder}));
  ASSERT_EQ(report.candidates.size(), 2U);
  EXPECT_EQ(report.candidates[0].status, CandidateStatus::kLoaded);
  EXPECT_EQ(report.candidates[1].status, CandidateStatus::kRejected);
  EXPECT_NE(FindDiagnostic(report.candidates[1], DiagnosticCode::kPluginCrashed), nullptr);
}

void ReapEverything(int /*signal*/) {
  const int error = errno;
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  errno = error;
}

/// Sets what SIGCHLD does, for a while.
class ChildSignal {
 public:
  explicit ChildSignal(void (*handler)(int)) : before_(std::signal(SIGCHLD, handler)) {}
  ~ChildSignal() { std::signal(SIGCHLD, before_); }
  ChildSignal(const ChildSignal&) = delete;
  ChildSignal& operator=(const ChildSignal&) = delete;

 private:
  void (*before_)(int);
};

TEST(ProbeHost, MayIgnoreSigchld) {
  const ChildSignal ignored(SIG_IGN);
  ExpectGoodAndDeadly();
}

TEST(ProbeHost, MayReapEveryChildItself) {
  const ChildSignal reaped(ReapEverything);
  ExpectGoodAndDeadly();
}

TEST(ProbeHost, MayHaveClosedItsStandardDescriptors) {
  const ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder});
  for (const int first : {0, 1, 2}) {
    const int exit_code = RunInProcess([&] {
      for (int descriptor = first; descriptor <= 2; ++descriptor) close(descriptor);
      return CountCandidates(Scan(options), CandidateStatus::kLoaded) == 1 ? 0 : 1;
    });
    EXPECT_EQ(exit_code, 0) << "closed from " << first;
  }
}

TEST(ProbeHost, MayWaitAsLongAsItLikes) {
  ScanOptions options = MakeChildScan({GetMockRow("ValidA").folder});
  options.probe_settings.timeout = std::chrono::milliseconds::max();
  EXPECT_EQ(CountCandidates(Scan(options), CandidateStatus::kLoaded), 1U);
}

TEST(ProbeHost, IsLeftWithoutChildrenThreadsAndDescriptors) {
  std::thread([] {}).join();  // with the first thread a sanitizer starts one of its own
  const std::set<int> descriptors = ListNumbers("/proc/self/fd");
  const std::set<int> threads = ListNumbers("/proc/self/task");
  ExpectGoodAndDeadly();
  EXPECT_EQ(ListNumbers("/proc/self/fd"), descriptors);
  EXPECT_EQ(ListNumbers("/proc/self/task"), threads);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

std::map<int, std::string> ReadSignalActions() {
  std::map<int, std::string> actions;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    actions[signal] =
        std::string(reinterpret_cast<const char*>(&action.sa_handler), sizeof(action.sa_handler)) +
        std::to_string(action.sa_flags);
  }
  return actions;
}

/// What belongs to the whole process, as text.
std::string ReadOwnState() {
  std::ifstream status("/proc/self/status");
  std::string state;
  for (std::string line; std::getline(status, line);) {
    for (const char* field : {"Umask:", "SigBlk:", "SigIgn:", "SigCgt:"}) {
      if (line.rfind(field, 0) == 0) state += line + '\n';
    }
  }
  state += std::filesystem::current_path().string() + '\n';
  for (char** variable = environ; *variable != nullptr; ++variable) {
    state += std::string(*variable) + '\n';
  }
  for (const auto resource : {RLIMIT_NOFILE, RLIMIT_DATA, RLIMIT_CORE, RLIMIT_AS, RLIMIT_STACK}) {
    rlimit limit{};
    getrlimit(resource, &limit);
    state += std::to_string(limit.rlim_cur) + ' ' + std::to_string(limit.rlim_max) + '\n';
  }
  int is_subreaper = -1;
  prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper);
  return state + std::to_string(is_subreaper);
}

TEST(ProbeHost, IsNotChanged) {
  std::thread([] {}).join();  // with the first thread the C library installs a handler of its own
  const auto actions = ReadSignalActions();
  const std::string state = ReadOwnState();
  ExpectGoodAndDeadly();
  Scan(MakeChildScan({GetMockRow("ChangesState").folder}));
  EXPECT_EQ(ReadSignalActions(), actions);
  EXPECT_EQ(ReadOwnState(), state);
}

/// The signals that a thread of this process blocks.
std::uint64_t ReadBlockedSignals(int thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("SigBlk:", 0) == 0) return std::stoull(line.substr(7), nullptr, 16);
  }
  return 0;
}

TEST(ProbeHost, GetsNoSignalsInTheThreadsOfTheScan) {
  const MockDirectory directory;
  const std::string path = directory.Add("LoopInConstructor");
  ScanOptions options = MakeChildScan({directory.GetPath()});
  options.probe_settings.timeout = std::chrono::seconds(2);
  std::set<int> own = ListNumbers("/proc/self/task");
  std::map<int, std::uint64_t> blocked;
  std::thread observer([&] {
    own.insert(gettid());
    while (FindProcesses(path).empty()) std::this_thread::yield();
    for (const int thread : ListNumbers("/proc/self/task")) {
      if (own.count(thread) == 0) blocked[thread] = ReadBlockedSignals(thread);
    }
  });
  Scan(options);
  observer.join();
  EXPECT_FALSE(blocked.empty());
  for (const auto& [thread, signals] : blocked) {
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGUSR1}) {
      EXPECT_NE(signals & (std::uint64_t{1} << static_cast<unsigned>(signal - 1)), 0U) << signal;
    }
  }
}

TEST(ProbeHost, IsSparedAProcessThatLeftItsSession) {
  const MockDirectory directory;
  const std::string path = directory.Add("LeavesProcess");
  const LoadReport report = Scan(MakeChildScan({directory.GetPath()}));
  ASSERT_EQ(report.candidates.size(), 1U);
  const Diagnostic* left = FindDiagnostic(report.candidates[0], DiagnosticCode::kLeftProcesses);
  ASSERT_NE(left, nullptr) << "it started one";
  EXPECT_THAT(FindProcesses(path), IsEmpty());
}

TEST(ProbeHost, TakesTheProbeWithItWhenItIsKilled) {
  const MockDirectory directory;
  const std::string path = directory.Add("LoopInConstructor");
  const ScanOptions options = MakeChildScan({directory.GetPath()});
  const pid_t host = fork();
  if (host == 0) {
    Scan(options);
    _exit(0);
  }
  const auto pause = std::chrono::milliseconds(5);
  while (FindProcesses(path).size() < 2) std::this_thread::sleep_for(pause);
  kill(host, SIGKILL);
  waitpid(host, nullptr, 0);
  while (!FindProcesses(path).empty()) std::this_thread::sleep_for(pause);
}

}  // namespace
}  // namespace backplane::test
