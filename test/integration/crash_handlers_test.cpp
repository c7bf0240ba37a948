/// The handlers of crash notes beside those of others, and their life with the runtimes.

#include <backplane/host/diagnostic.hpp>

#include "misbehaving_process.hpp"
#include "mock_rows.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_directory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <future>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int kNotedSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
constexpr char kRow[] = "Misbehaves";
constexpr char kCrashingLayer[] = "Segfault in execute";
constexpr char kNotedPlace[] =
    "was in layer \"Segfault in execute\" (Activation) of network \"chain\" on backend "
    "\"MockMisbehaves\"";

using Handler = void (*)(int);

Handler GetHandler(int signal) {
  struct sigaction found {};
  sigaction(signal, nullptr, &found);
  return found.sa_handler;
}

std::vector<Handler> GetHandlers() {
  std::vector<Handler> handlers;
  for (const int signal : kNotedSignals) handlers.push_back(GetHandler(signal));
  return handlers;
}

void Crash(IRuntime& runtime) {
  RunReluChain(runtime, LoadReluChain(runtime, kRow, {kCrashingLayer}), kCueOfMisbehaving);
}

void WriteWord(const char* word) {
  if (write(STDERR_FILENO, word, std::strlen(word)) < 0) _exit(97);
}

void SayAndExit(int /*signal*/) {
  WriteWord("the former handler\n");
  _exit(42);
}

TEST(CrashHandlers, AreThereOnlyWhileARuntimeAskedForThem) {
  const std::vector<Handler> before = GetHandlers();
  {
    CreationOptions options;
    options.dynamic_backends_path = GetMockRow(kRow).folder;
    const auto without = IRuntime::Create(options);
    EXPECT_EQ(GetHandlers(), before);
  }
  auto first = CreateNotedRuntime(kRow);
  const std::vector<Handler> during = GetHandlers();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NE(during[i], before[i]);
  auto second = CreateNotedRuntime(kRow);
  first.reset();
  EXPECT_EQ(GetHandlers(), during);
  second.reset();
  EXPECT_EQ(GetHandlers(), before);
}

TEST(CrashHandlers, LeaveThoseThatCameLater) {
  const EndOfProcess end = RunInForked([] {
    auto runtime = CreateNotedRuntime(kRow);
    std::signal(SIGFPE, SayAndExit);
    runtime.reset();
    if (GetHandler(SIGFPE) != SayAndExit) _exit(1);
    if (GetHandler(SIGILL) != SIG_DFL) _exit(2);
    auto next = CreateNotedRuntime(kRow);
    raise(SIGFPE);
  });
  EXPECT_EQ(end.exit_code, 42) << end.err;
}

TEST(CrashHandlers, CallTheFormerOneBehindTheNote) {
  const EndOfProcess end = RunInForked([] {
    std::signal(SIGSEGV, SayAndExit);
    Crash(*CreateNotedRuntime(kRow));
  });
  EXPECT_EQ(end.exit_code, 42);
  EXPECT_THAT(end.err, HasSubstr(kNotedPlace));
  EXPECT_LT(end.err.find(kNotedPlace), end.err.find("the former handler"));
}

TEST(CrashHandlers, GiveTheFormerOneWhatItAskedFor) {
  const EndOfProcess end = RunInForked([] {
    struct sigaction former {};
    former.sa_sigaction = [](int /*signal*/, siginfo_t* info, void* /*context*/) {
      _exit(info->si_addr == reinterpret_cast<void*>(16) ? 43 : 44);
    };
    former.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND);
    sigaction(SIGSEGV, &former, nullptr);
    Crash(*CreateNotedRuntime(kRow));
  });
  EXPECT_EQ(end.exit_code, 43) << end.err;
}

TEST(CrashHandlers, LetAProgramThatHandlesItsSignalsGoOn) {
  const EndOfProcess end = RunInForked([] {
    std::signal(SIGTRAP, SIG_IGN);
    std::signal(SIGFPE, [](int /*signal*/) { WriteWord("counted\n"); });
    auto runtime = CreateNotedRuntime(kRow);
    for (int i = 0; i < 3; ++i) raise(SIGFPE);
    raise(SIGTRAP);
    runtime.reset();
    if (GetHandler(SIGTRAP) != SIG_IGN) _exit(1);
  });
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.err, HasSubstr("SIGFPE, raised in this process"));
  EXPECT_THAT(end.err, Not(HasSubstr("SIGTRAP"))) << "it is ignored";
}

TEST(CrashHandlers, SayThatAThreadIsInNoBackendAndWhichAre) {
  const EndOfProcess end = RunInForked([] {
    const auto runtime = CreateNotedRuntime(kRow);
    const NetworkId network = LoadReluChain(*runtime, kRow, {"Loop in execute"});
    std::thread([&] { RunReluChain(*runtime, network, kCueOfMisbehaving); }).detach();
    while (runtime->GetRunsInProgress().empty()) std::this_thread::yield();
    raise(SIGABRT);
  });
  EXPECT_THAT(end.err, HasSubstr("was in no run and no call that is noted"));
  EXPECT_THAT(end.err, HasSubstr("was in layer \"Loop in execute\" (Activation) of network"));
}

TEST(CrashHandlers, WriteToTheFilesOfAllRuntimesThatAreThere) {
  const TemporaryDirectory directory;
  RunInForked([&] {
    const auto first = CreateNotedRuntime(kRow, directory / "first");
    const auto same = CreateNotedRuntime(kRow, directory / "first");
    const auto second = CreateNotedRuntime(kRow, directory / "second");
    CreateNotedRuntime(kRow, directory / "gone");
    Crash(*second);
  });
  for (const char* file : {"first", "second"}) {
    const std::string note = ReadWholeFile(directory / file);
    EXPECT_THAT(note, HasSubstr(kNotedPlace)) << file;
    EXPECT_EQ(note.find(kNotedPlace), note.rfind(kNotedPlace)) << "told once";
  }
  EXPECT_THAT(ReadWholeFile(directory / "gone"), IsEmpty());
}

TEST(CrashHandlers, KeepWhatStandsInTheFile) {
  const TemporaryDirectory directory;
  const std::string file = directory.Write("notes", "an earlier note\n");
  RunInForked([&] { Crash(*CreateNotedRuntime(kRow, file)); });
  EXPECT_EQ(ReadWholeFile(file).find("an earlier note\n"), 0U);
  EXPECT_THAT(ReadWholeFile(file), HasSubstr(kNotedPlace));
}

TEST(CrashHandlers, SpeakWhenStandardErrorIsClosed) {
  const EndOfProcess end = RunInForked([] {
    const auto runtime = CreateNotedRuntime(kRow);
    close(STDERR_FILENO);
    Crash(*runtime);
  });
  EXPECT_THAT(end.err, HasSubstr(kNotedPlace));
}

TEST(CrashHandlers, OutliveAStandardErrorThatNobodyReads) {
  const TemporaryDirectory directory;
  const EndOfProcess end = RunInForked([&] {
    std::signal(SIGSEGV, [](int /*signal*/) { _exit(42); });
    const auto runtime = CreateNotedRuntime(kRow, directory / "notes");
    int ends[2];
    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) _exit(1);
    close(ends[0]);
    Crash(*runtime);
  });
  EXPECT_EQ(end.exit_code, 42) << "signal " << end.signal;
  EXPECT_THAT(ReadWholeFile(directory / "notes"), HasSubstr(kNotedPlace));
}

constexpr std::size_t kMostNoteBytes = 2048;  // of stack, beside the frame of the signal
constexpr std::size_t kFormerBytes = 512;     // for handlers of this file
constexpr std::size_t kPageBytes = 65536;     // a multiple of every page size
constexpr unsigned char kUntouched = 0xa5;

unsigned char* handler_stack = nullptr;
std::size_t frame_bytes = 0;

/// What lies between the frame of the signal and the end of the stack.
std::size_t GetBytesBelow(const siginfo_t* info, const void* context) {
  const auto* const lower = std::min(reinterpret_cast<const unsigned char*>(info),
                                     static_cast<const unsigned char*>(context));
  return static_cast<std::size_t>(lower - handler_stack);
}

/// A stack for handlers with nothing below it.
void UseHandlerStack(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, 2 * kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, kPageBytes, PROT_NONE) != 0) _exit(1);
  handler_stack = static_cast<unsigned char*>(memory) + kPageBytes;
  std::memset(handler_stack, kUntouched, bytes);
  stack_t stack{};
  stack.ss_sp = handler_stack;
  stack.ss_size = bytes;
  if (sigaltstack(&stack, nullptr) != 0) _exit(2);
}

void UseFormer(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction former {};
  former.sa_sigaction = handler;
  former.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(signal, &former, nullptr);
}

/// Room for the frame of a signal on this processor, and `bytes` more.
void UseHandlerStackBeside(std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;  // of what a frame keeps: else its size is another
  UseHandlerStack(kPageBytes);
  UseFormer(SIGUSR1, [](int /*signal*/, siginfo_t* info, void* context) {
    frame_bytes = kPageBytes - GetBytesBelow(info, context);
  });
  raise(SIGUSR1);
  UseHandlerStack((frame_bytes + bytes + kAlignment - 1) / kAlignment * kAlignment);
}

/// Aborts in a backend, with so much stack for handlers beside the frame of the signal.
EndOfProcess AbortBeside(std::size_t bytes, void (*former)(int, siginfo_t*, void*)) {
  const TemporaryDirectory directory;
  return RunInForked([&] {
    UseHandlerStackBeside(bytes);
    UseFormer(SIGABRT, former);
    const auto runtime = CreateNotedRuntime(kRow, directory / "notes");
    RunReluChain(*runtime, LoadReluChain(*runtime, kRow, {"Abort in execute"}), kCueOfMisbehaving);
  });
}

void SayAndExitToo(int signal, siginfo_t* /*info*/, void* /*context*/) {
  SayAndExit(signal);
}

TEST(CrashHandlers, NeedNoMoreThanASmallStackOfAnother) {
  if (HasAddressSanitizer() || HasThreadSanitizer()) GTEST_SKIP() << "they need more stack";
  const EndOfProcess end = AbortBeside(kMostNoteBytes + kFormerBytes, SayAndExitToo);
  EXPECT_EQ(end.exit_code, 42) << "signal " << end.signal;
  EXPECT_THAT(end.err, HasSubstr("called from Mock_Misbehaves_backend.so"));
}

TEST(CrashHandlers, TouchNoMoreOfAStackThanTheySay) {
  if (HasAddressSanitizer() || HasThreadSanitizer()) GTEST_SKIP() << "they need more stack";
  const auto measure = [](int /*signal*/, siginfo_t* info, void* context) {
    std::size_t untouched = 0;
    while (handler_stack[untouched] == kUntouched) ++untouched;
    const std::size_t touched = GetBytesBelow(info, context) - untouched;
    dprintf(STDERR_FILENO, "%zu bytes beside the frame\n", touched);
    _exit(touched <= kMostNoteBytes ? 42 : 43);
  };
  const EndOfProcess end = AbortBeside(kPageBytes / 2, measure);
  EXPECT_EQ(end.exit_code, 42) << end.err;
  EXPECT_THAT(end.err, HasSubstr("called from Mock_Misbehaves_backend.so"));
}

TEST(CrashHandlers, WriteNothingOnAStackWithoutRoomForIt) {
  if (HasAddressSanitizer() || HasThreadSanitizer()) GTEST_SKIP() << "they need more stack";
  const EndOfProcess end = AbortBeside(kMostNoteBytes - kFormerBytes, SayAndExitToo);
  EXPECT_EQ(end.exit_code, 42) << "signal " << end.signal;
  EXPECT_THAT(end.err, Not(HasSubstr("backplane:")));
}

TEST(CrashHandlers, AreThereAgainForARuntimeThatFindsTheDefault) {
  const EndOfProcess end = RunInForked([] {
    auto first = CreateNotedRuntime(kRow);
    std::signal(SIGSEGV, SIG_DFL);
    first.reset();
    Crash(*CreateNotedRuntime(kRow));
  });
  EXPECT_EQ(end.signal, SIGSEGV) << end.err;
  EXPECT_THAT(end.err, HasSubstr(kNotedPlace));
}

sigjmp_buf back_in_run;

TEST(CrashHandlers, TellAnAbortBehindASignalThatWasSurvived) {
  const EndOfProcess end = RunInForked([] {
    std::signal(SIGSEGV, [](int /*signal*/) { siglongjmp(back_in_run, 1); });
    const auto runtime = CreateNotedRuntime(kRow);
    if (sigsetjmp(back_in_run, 1) == 0) raise(SIGSEGV);
    RunReluChain(*runtime, LoadReluChain(*runtime, kRow, {"Abort in execute"}), kCueOfMisbehaving);
  });
  EXPECT_EQ(end.signal, SIGABRT);
  EXPECT_THAT(end.err, HasSubstr("SIGABRT"));
  EXPECT_THAT(end.err, HasSubstr("was in layer \"Abort in execute\""));
}

TEST(CrashHandlers, WriteIntoNoFileThatTookTheNumberOfTheirs) {
  const TemporaryDirectory directory;
  const std::string other = directory.Write("other", "");
  RunInForked([&] {
    const auto runtime = CreateNotedRuntime(kRow, directory / "notes");
    for (int number = 3; number < 1024; ++number) close(number);
    while (open(other.c_str(), O_WRONLY | O_APPEND) >= 0) continue;
    Crash(*runtime);
  });
  EXPECT_THAT(ReadWholeFile(other), IsEmpty());
}

TEST(CrashHandlers, FollowAProcessThatWasForked) {
  const EndOfProcess end = RunInForked([] {
    const auto runtime = CreateNotedRuntime(kRow);
    const pid_t copy = fork();
    if (copy == 0) Crash(*runtime);
    waitpid(copy, nullptr, 0);
  });
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.err, HasSubstr(kNotedPlace));
}

TEST(CrashHandlers, SayNothingOfAProcessThatEndsAsItShould) {
  const TemporaryDirectory directory;
  const EndOfProcess end = RunInForked([&] {
    const auto runtime = CreateNotedRuntime(kRow, directory / "notes");
    RunReluChain(*runtime, LoadReluChain(*runtime, kRow, {"a"}), 1);
    std::exit(0);
  });
  EXPECT_THAT(end.err, IsEmpty());
  EXPECT_THAT(ReadWholeFile(directory / "notes"), IsEmpty());
}

TEST(CrashHandlers, TellRunsOfTheRuntimesOwnThreads) {
  const EndOfProcess end = RunInForked([] {
    const auto runtime = CreateNotedRuntime(kRow);
    const NetworkId network = LoadReluChain(*runtime, kRow, {kCrashingLayer});
    const TensorInfo info({4}, DataType::kFloat32);
    const std::vector<float> input(4, kCueOfMisbehaving);
    std::vector<float> output(4);
    const RunResult result =
        runtime
            ->EnqueueWorkloadAsync(network, {{0, {info, input.data()}}},
                                   {{0, output.data(), output.size() * sizeof(float)}})
            .get();
    if (result.failure) throw DiagnosticException(*result.failure);
  });
  EXPECT_NE(end.exit_code, 0);
  EXPECT_THAT(end.err, HasSubstr(kNotedPlace));
}

class UnwritableCrashFile : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Paths, UnwritableCrashFile,
                         ::testing::Values("notes.txt", "/nonexistent/notes", "/proc"));

TEST_P(UnwritableCrashFile, IsRefusedAndNothingIsInstalled) {
  const std::vector<Handler> before = GetHandlers();
  try {
    CreateNotedRuntime(kRow, GetParam());
    FAIL() << "nothing was thrown";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kCrashFileUnwritable);
    EXPECT_THAT(ToText(exception.GetDiagnostic()), HasSubstr(GetParam()));
  }
  EXPECT_EQ(GetHandlers(), before);
}

}  // namespace
}  // namespace backplane::test
