#include "deeds.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

namespace backplane::mock {
namespace {

// Read through volatile, so that the compiler cannot see what comes of it.
volatile int zero = 0;
volatile bool is_always = true;

void Segfault() {
  *reinterpret_cast<volatile int*>(static_cast<std::size_t>(zero) + 16) = 1;
}

/// Touches a page behind the end of a file.
void BusError() {
  const int file = memfd_create("mock", 0);
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  *static_cast<volatile char*>(memory) = 1;
}

// The signal is wanted, not what a sanitizer says.
__attribute__((no_sanitize("undefined"))) void DivideByZero() {
  zero = 100 / zero;
}

int OverflowStack(int depth) {
  volatile char room[1024];
  room[0] = static_cast<char>(depth);
  return is_always ? OverflowStack(depth + 1) + room[0] : 0;
}

void ExhaustMemory() {
  constexpr std::size_t kStep = std::size_t{8} << 20U;
  while (is_always) std::memset(new char[kStep], 1, 4096);
}

void Loop() {
  while (is_always) pause();
}

/// A process of its own session that holds every descriptor.
void Fork() {
  if (fork() != 0) return;
  setsid();
  while (is_always) pause();
}

/// Both processes go on.
void ForkAndGoOn() {
  if (fork() < 0) std::abort();
}

void RedirectOutput() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

void ChangeState() {
  const char* const name = "MOCK_VARIABLE";
  if (chdir("/") != 0) return;
  umask(0);
  std::setlocale(LC_ALL, "C.UTF-8");
  setenv(name, "a secret", 1);
  std::signal(SIGUSR1, SIG_IGN);
  std::signal(SIGUSR2, [](int /*signal*/) {});
  std::fesetround(FE_UPWARD);
}

void FlushDenormals() {
#if defined(__SSE__)
  unsigned control = __builtin_ia32_stmxcsr();
  control |= 0x8040U;  // flush to zero, denormals are zero
  __builtin_ia32_ldmxcsr(control);
#endif
}

void PrintEndlessly() {
  while (is_always) std::puts("one more line of very many");
}

void IgnoreSignals() {
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_IGN);
  Loop();
}

void Throw() {
  throw std::runtime_error("the mock device burns");
}

void ThrowInNoexcept() noexcept {
  if (is_always) Throw();
}

/// Far more than is kept of it, and then a crash.
void WriteManyErrors() {
  for (int line = 0; line < 20'000; ++line) std::fprintf(stderr, "one of many lines\n");
  std::fprintf(stderr, "the last of many lines\n");
  Segfault();
}

void CloseErrors() {
  close(STDERR_FILENO);
  std::abort();
}

/// To fewer files than are open.
void ChangeLimits() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 1;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void ForAllDescriptors(void (*act)(int)) {
  for (int descriptor = 0; descriptor < 64; ++descriptor) act(descriptor);
}

void Scribble(int descriptor) {
  const char text[] = "{\"status\":0} what a mock writes everywhere";
  if (write(descriptor, text, sizeof(text)) < 0) return;
}

void Close(int descriptor) {
  close(descriptor);
}

}  // namespace

void Do(Deed deed) {
  switch (deed) {
    case Deed::kNothing:
      return;
    case Deed::kSegfault:
      return Segfault();
    case Deed::kAbort:
      std::fprintf(stderr, "mock: nothing works any more\n");
      std::abort();
    case Deed::kIllegalInstruction:
      __builtin_trap();
    case Deed::kBusError:
      return BusError();
    case Deed::kDivideByZero:
      return DivideByZero();
    case Deed::kThrow:
      return Throw();
    case Deed::kOverflowStack:
      zero = OverflowStack(0);
      return;
    case Deed::kExhaustMemory:
      return ExhaustMemory();
    case Deed::kLoop:
      return Loop();
    case Deed::kExit:
      std::exit(0);
    case Deed::kExitAtOnce:
      _exit(3);
    case Deed::kKill:
      raise(SIGKILL);
      return;
    case Deed::kFork:
      return Fork();
    case Deed::kLeaveThread:
      std::thread(Loop).detach();
      return;
    case Deed::kPrint:
      std::puts("a mock backend was loaded");
      std::fflush(stdout);
      return;
    case Deed::kChangeState:
      return ChangeState();
    case Deed::kFlushDenormals:
      return FlushDenormals();
    case Deed::kLeaveDescriptor:
      if (open("/dev/null", O_RDONLY) < 0) std::abort();
      return;
    case Deed::kScribbleOverDescriptors:
      return ForAllDescriptors(Scribble);
    case Deed::kCloseDescriptors:
      return ForAllDescriptors(Close);
    case Deed::kPrintEndlessly:
      return PrintEndlessly();
    case Deed::kIgnoreSignals:
      return IgnoreSignals();
    case Deed::kThrowInNoexcept:
      return ThrowInNoexcept();
    case Deed::kThrowInThread:
      return std::thread(Throw).join();
    case Deed::kSegfaultInThread:
      return std::thread(Segfault).join();
    case Deed::kWriteManyErrors:
      return WriteManyErrors();
    case Deed::kCloseErrors:
      return CloseErrors();
    case Deed::kRedirectOutput:
      return RedirectOutput();
    case Deed::kForkAndGoOn:
      return ForkAndGoOn();
    case Deed::kChangeLimits:
      return ChangeLimits();
    case Deed::kSegfaultAtExit:
      if (std::atexit(Segfault) != 0) std::abort();
      return;
  }
}

}  // namespace backplane::mock
