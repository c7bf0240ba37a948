#include "deeds.hpp"
#include "system_call_filter.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace backplane::mock::deeds {
namespace {

// Read through volatile, so that the compiler cannot see what comes of it.
volatile int zero = 0;
volatile bool is_always = true;

int Recurse(int depth) {
  volatile char room[1024];
  room[0] = static_cast<char>(depth);
  return is_always ? Recurse(depth + 1) + room[0] : 0;
}

}  // namespace

void Segfault() {
  *reinterpret_cast<volatile int*>(static_cast<std::size_t>(zero) + 16) = 1;
}

void Abort() {
  std::fprintf(stderr, "mock: nothing works any more\n");
  std::abort();
}

void IllegalInstruction() {
  __builtin_trap();
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

void Throw() {
  throw std::runtime_error("the mock device burns");
}

void ThrowLongText() {
  throw std::runtime_error("a dump of the device: " + std::string(20'000'000, 'x'));
}

void ThrowInNoexcept() {
  const auto throw_on = []() noexcept {
    if (is_always) Throw();
  };
  throw_on();
}

void ThrowInThread() {
  std::thread(Throw).join();
}

void SegfaultInThread() {
  std::thread(Segfault).join();
}

void SegfaultAtExit() {
  if (std::atexit(Segfault) != 0) std::abort();
}

void OverflowStack() {
  zero = Recurse(0);
}

void ExhaustMemory() {
  constexpr std::size_t kStep = std::size_t{8} << 20U;
  while (is_always) std::memset(new char[kStep], 1, 4096);
}

/// More than a check allows, of a process that has used next to nothing.
void AllocateTooMuch() {
  void* memory = std::malloc(std::size_t{1} << 30U);
  if (memory == nullptr) throw std::runtime_error("no arena: Cannot allocate memory");
  std::free(memory);
}

void Loop() {
  while (is_always) pause();
}

void IgnoreSignals() {
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_IGN);
  Loop();
}

void PrintEndlessly() {
  while (is_always) std::puts("one more line of very many");
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

void Exit() {
  std::exit(0);
}

void ExitAtOnce() {
  _exit(3);
}

void ExitQuietly() {
  _exit(0);
}

void Kill() {
  raise(SIGKILL);
}

void Stop() {
  raise(SIGSTOP);
}

void KillParent() {
  kill(getppid(), SIGKILL);
  Loop();
}

void ForbidOpening() {
  FilterSystemCall(SYS_openat, SECCOMP_RET_KILL_PROCESS);
}

void TrapOpening() {
  FilterSystemCall(SYS_openat, SECCOMP_RET_TRAP);
}

/// Nothing but read, write and exit from here on.
void EnterStrictMode() {
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  Loop();
}

/// As somebody does who copies a new file over it.
void ChangeOwnFileAndCrash() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&ChangeOwnFileAndCrash), &info) == 0) std::abort();
  if (utimensat(AT_FDCWD, info.dli_fname, nullptr, 0) != 0) std::abort();
  Segfault();
}

}  // namespace backplane::mock::deeds
