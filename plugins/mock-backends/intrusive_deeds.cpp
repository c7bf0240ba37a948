#include "deeds.hpp"
#include "system_call_filter.hpp"

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace backplane::mock::deeds {
namespace {

constexpr int kNobody = 65534;

/// What must not fail, because the row says what comes of it.
void Require(bool has_worked) {
  if (!has_worked) std::abort();
}

void ForAllDescriptors(int end, void (*act)(int)) {
  for (int descriptor = 0; descriptor < end; ++descriptor) act(descriptor);
}

}  // namespace

/// A process of its own session that holds every descriptor.
void Fork() {
  if (fork() != 0) return;
  setsid();
  Loop();
}

/// Both processes go on.
void ForkAndGoOn() {
  Require(fork() >= 0);
}

void SignalParent() {
  kill(getppid(), SIGTERM);
}

void LeaveThread() {
  std::thread(Loop).detach();
}

void Print() {
  std::puts("a mock backend was loaded");
  std::fflush(stdout);
}

void ChangeState() {
  const char* const name = "MOCK_VARIABLE";
  Require(chdir("/") == 0);
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

/// To fewer files than are open.
void ChangeLimits() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = 1;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void ChangeRoot() {
  const bool is_changed = access("/self/status", F_OK) == 0;
  Require(is_changed || chroot("/proc") == 0);
}

void ChangeUser() {
  if (geteuid() == kNobody) return;
  const gid_t group = kNobody;
  Require(setgroups(1, &group) == 0);
  Require(setresgid(kNobody, kNobody, kNobody) == 0);
  Require(setresuid(kNobody, kNobody, kNobody) == 0);
}

void DropCapability() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  Require(syscall(SYS_capget, &header, sets) == 0);
  sets[0].effective &= ~(1U << CAP_CHOWN);
  Require(syscall(SYS_capset, &header, sets) == 0);
}

void ChangeMountNamespace() {
  Require(unshare(CLONE_NEWNS) == 0);
}

/// To one processor, and to give way to others.
void ChangeScheduling() {
  cpu_set_t set;
  Require(sched_getaffinity(0, sizeof(set), &set) == 0);
  int processor = 0;
  while (!CPU_ISSET(processor, &set)) ++processor;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  Require(sched_setaffinity(0, sizeof(set), &set) == 0);
  Require(setpriority(PRIO_PROCESS, 0, 19) == 0);
}

/// An alarm, and a timer of the process, that come in a day.
void StartTimers() {
  constexpr long kDaySeconds = 86'400;
  const itimerval alarm_time{{0, 0}, {kDaySeconds, 0}};
  Require(setitimer(ITIMER_REAL, &alarm_time, nullptr) == 0);
  timer_t timer{};
  Require(timer_create(CLOCK_MONOTONIC, nullptr, &timer) == 0);
}

void LockMemory() {
  static char page[8192];
  Require(mlock(page, sizeof(page)) == 0);
}

/// From debuggers, and from whoever wants a core file.
void HideMemory() {
  Require(prctl(PR_SET_DUMPABLE, 0) == 0);
}

void FilterWrites() {
  FilterSystemCall(SYS_write, SECCOMP_RET_KILL_PROCESS);
}

void LeaveDescriptor() {
  Require(open("/dev/null", O_RDONLY) >= 0);
}

void ScribbleOverDescriptors() {
  ForAllDescriptors(64, [](int descriptor) {
    const char text[] = "{\"status\":0} what a mock writes everywhere";
    if (write(descriptor, text, sizeof(text)) < 0) return;
  });
}

void CloseDescriptors() {
  ForAllDescriptors(64, [](int descriptor) { close(descriptor); });
}

void RedirectOutput() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  Require(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) == STDOUT_FILENO &&
          dup2(nowhere, STDERR_FILENO) == STDERR_FILENO);
  close(nowhere);
}

void DuplicateOverDescriptors() {
  ForAllDescriptors(256, [](int descriptor) { dup2(STDIN_FILENO, descriptor); });
}

}  // namespace backplane::mock::deeds
