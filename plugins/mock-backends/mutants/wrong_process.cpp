// What a run leaves behind in its process.

#include "device.hpp"
#include "mistake.hpp"
#include "tensor_bytes.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace mutants {
namespace {

void LeakPerRun(const Run& /*run*/, const Compute& compute) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  static std::atomic<void*> last{nullptr};
  void* memory = std::malloc(kMebibyte);
  if (memory != nullptr) std::memset(memory, 1, kMebibyte);
  last.store(memory);
  compute();
}

void SmallLeakPerRun(const Run& /*run*/, const Compute& compute) {
  static std::atomic<void*> last{nullptr};
  void* memory = std::malloc(256);
  if (memory != nullptr) std::memset(memory, 1, 256);
  last.store(memory);
  compute();
}

void DescriptorPerRun(const Run& /*run*/, const Compute& compute) {
  LeaveDescriptor();
  compute();
}

void ThreadPerRun(const Run& /*run*/, const Compute& compute) {
  std::thread([] {
    for (;;) pause();
  }).detach();
  compute();
}

void MappingPerRun(const Run& /*run*/, const Compute& compute) {
  // A page that may be read, beside one that may not: neighbours do not become one.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* pages = mmap(nullptr, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages != MAP_FAILED) mprotect(pages, page, PROT_READ);
  compute();
}

void RoundingModeLeft(const Run& /*run*/, const Compute& compute) {
  compute();
  std::fesetround(FE_UPWARD);
}

void DenormalsLeftOff(const Run& /*run*/, const Compute& compute) {
  compute();
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);  // flush to zero, denormals are zero
#endif
}

void SignalLeftBlocked(const Run& /*run*/, const Compute& compute) {
  compute();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void DirectoryChanged(const Run& /*run*/, const Compute& compute) {
  compute();
  static_cast<void>(chdir("/proc/self") == 0);
}

void HandlerLeft(const Run& /*run*/, const Compute& compute) {
  compute();
  std::signal(SIGUSR2, SIG_IGN);
}

void VariableLeft(const Run& /*run*/, const Compute& compute) {
  compute();
  setenv("OMP_NUM_THREADS", "1", 1);
}

void Prints(const Run& /*run*/, const Compute& compute) {
  compute();
  std::printf("layer done\n");
  std::fflush(stdout);
}

void PrintsErrors(const Run& /*run*/, const Compute& compute) {
  compute();
  std::fprintf(stderr, "layer done\n");
}

constexpr MistakeInRun kMistakes[] = {
    {Mistake::kLeakPerRun, &LeakPerRun},
    {Mistake::kSmallLeakPerRun, &SmallLeakPerRun},
    {Mistake::kDescriptorPerRun, &DescriptorPerRun},
    {Mistake::kThreadPerRun, &ThreadPerRun},
    {Mistake::kMappingPerRun, &MappingPerRun},
    {Mistake::kRoundingModeLeft, &RoundingModeLeft},
    {Mistake::kDenormalsLeftOff, &DenormalsLeftOff},
    {Mistake::kSignalLeftBlocked, &SignalLeftBlocked},
    {Mistake::kDirectoryChanged, &DirectoryChanged},
    {Mistake::kHandlerLeft, &HandlerLeft},
    {Mistake::kVariableLeft, &VariableLeft},
    {Mistake::kPrints, &Prints},
    {Mistake::kPrintsErrors, &PrintsErrors},
};

}  // namespace

Around FindWrongProcess() {
  for (const MistakeInRun& row : kMistakes) {
    if (Makes(row.mistake)) return row.around;
  }
  return nullptr;
}

}  // namespace mutants
