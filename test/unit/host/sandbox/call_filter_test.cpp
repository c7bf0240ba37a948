#include "sandbox/call_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/fs.h>
#include <linux/fsverity.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

namespace backplane::sandbox {
namespace {

constexpr std::uint32_t kAllows = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kTraps = SECCOMP_RET_TRAP;
constexpr std::uint32_t kRefuses = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t kDoesNotKnow = SECCOMP_RET_ERRNO | ENOSYS;
constexpr pid_t kSelf = 1234;

#if defined(__x86_64__)
constexpr std::uint32_t kMachine = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kMachine = AUDIT_ARCH_AARCH64;
#endif

using Arguments = std::vector<std::uint64_t>;

/// As the kernel does it.
std::uint32_t Run(const std::vector<sock_filter>& filter, const seccomp_data& call) {
  std::uint32_t value = 0;
  for (std::size_t at = 0; at < filter.size(); ++at) {
    const sock_filter& step = filter[at];
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        std::memcpy(&value, reinterpret_cast<const char*>(&call) + step.k, sizeof(value));
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        value &= step.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += value == step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        at += value >= step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        at += (value & step.k) != 0 ? step.jt : step.jf;
        break;
      case BPF_RET | BPF_K:
        return step.k;
      default:
        ADD_FAILURE() << "step " << at << " has the code " << step.code;
        return 0;
    }
  }
  ADD_FAILURE() << "the filter has no end";
  return 0;
}

std::uint32_t Ask(const CallSettings& settings, long number, const Arguments& arguments = {},
                  std::uint32_t machine = kMachine) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = machine;
  for (std::size_t i = 0; i < arguments.size(); ++i) call.args[i] = arguments[i];
  return Run(MakeCallFilter(settings), call);
}

CallSettings MakeSettings() {
  CallSettings settings;
  settings.process = kSelf;
  return settings;
}

TEST(CallFilter, AllowsWhatComputingTakes) {
  for (const long number : {SYS_futex, SYS_read, SYS_mmap, SYS_openat, SYS_sched_getaffinity,
                            SYS_memfd_create, SYS_sendmsg, SYS_exit_group, SYS_madvise}) {
    EXPECT_EQ(Ask(MakeSettings(), number), kAllows) << number;
  }
}

TEST(CallFilter, EndsWhatNoBackendNeeds) {
  for (const long number : {SYS_ptrace, SYS_execve, SYS_mount, SYS_setuid, SYS_bpf, SYS_connect,
                            SYS_kexec_load, SYS_process_vm_writev, SYS_unshare}) {
    EXPECT_EQ(Ask(MakeSettings(), number), kTraps) << number;
  }
}

TEST(CallFilter, SaysOfWhatItDoesNotKnowThatTheKernelDoesNot) {
  for (const long number : {435L /* clone3 */, 9999L, 0x3fffffffL}) {
    EXPECT_EQ(Ask(MakeSettings(), number), kDoesNotKnow) << number;
  }
}

TEST(CallFilter, KillsForNumbersOfOtherMachines) {
  EXPECT_EQ(Ask(MakeSettings(), SYS_read, {}, AUDIT_ARCH_I386), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(Ask(MakeSettings(), 0x40000000L + SYS_read), SECCOMP_RET_KILL_PROCESS);
  EXPECT_EQ(Ask(MakeSettings(), -1), SECCOMP_RET_KILL_PROCESS);
}

TEST(CallFilter, LetsThreadsBeMadeAndNothingElse) {
  CallSettings settings = MakeSettings();
  EXPECT_EQ(Ask(settings, SYS_clone, {CLONE_VM | CLONE_THREAD}), kAllows);
  EXPECT_EQ(Ask(settings, SYS_clone, {SIGCHLD}), kTraps);
  EXPECT_EQ(Ask(settings, SYS_clone, {CLONE_VM | CLONE_VFORK | SIGCHLD}), kTraps);
  settings.may_start_processes = true;
  EXPECT_EQ(Ask(settings, SYS_clone, {SIGCHLD}), kAllows);
  EXPECT_EQ(Ask(settings, SYS_execve), kAllows);
  for (const std::uint64_t flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET}) {
    EXPECT_EQ(Ask(settings, SYS_clone, {flag | SIGCHLD}), kTraps);
    EXPECT_EQ(Ask(settings, SYS_clone, {flag | CLONE_THREAD}), kTraps);
  }
}

TEST(CallFilter, LetsItSignalItselfOnly) {
  for (const long number : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo}) {
    EXPECT_EQ(Ask(MakeSettings(), number, {kSelf, 6}), kAllows);
    for (const std::int64_t other : {0, -1, 1, -1234, 1235}) {
      EXPECT_EQ(Ask(MakeSettings(), number, {static_cast<std::uint64_t>(other), 9}), kTraps);
    }
  }
}

TEST(CallFilter, OpensNoSockets) {
  CallSettings settings = MakeSettings();
  EXPECT_EQ(Ask(settings, SYS_socket, {AF_UNIX, SOCK_STREAM}), kRefuses);
  EXPECT_EQ(Ask(settings, SYS_socket, {AF_INET, SOCK_STREAM}), kTraps);
  EXPECT_EQ(Ask(settings, SYS_socket, {AF_NETLINK, SOCK_RAW}), kTraps);
  EXPECT_EQ(Ask(settings, SYS_socketpair, {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC}), kAllows);
  EXPECT_EQ(Ask(settings, SYS_socketpair, {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC}), kRefuses);
  EXPECT_EQ(Ask(settings, SYS_socketpair, {AF_TIPC, SOCK_STREAM}), kRefuses);
  settings.may_use_network = true;
  EXPECT_EQ(Ask(settings, SYS_socket, {AF_INET, SOCK_STREAM}), kAllows);
  EXPECT_EQ(Ask(settings, SYS_connect), kAllows);
  EXPECT_EQ(Ask(settings, SYS_execve), kTraps);
}

TEST(CallFilter, LetsLimitsBeReadAndNotSet) {
  EXPECT_EQ(Ask(MakeSettings(), SYS_prlimit64, {0, 7, 0, 0x7000}), kAllows);
  EXPECT_EQ(Ask(MakeSettings(), SYS_prlimit64, {0, 7, 0x7000, 0}), kRefuses);
  EXPECT_EQ(Ask(MakeSettings(), SYS_prlimit64, {0, 7, std::uint64_t{1} << 32U, 0}), kRefuses);
}

TEST(CallFilter, LetsProcessorsBeChosenUnlessTheyAreLimited) {
  CallSettings settings = MakeSettings();
  EXPECT_EQ(Ask(settings, SYS_sched_setaffinity, {0}), kAllows);
  EXPECT_EQ(Ask(settings, SYS_sched_setaffinity, {kSelf}), kAllows);
  settings.may_choose_processors = false;
  EXPECT_EQ(Ask(settings, SYS_sched_setaffinity, {0}), kRefuses);
  EXPECT_EQ(Ask(settings, SYS_sched_setaffinity, {kSelf}), kRefuses);
}

TEST(CallFilter, LetsItChooseForNoOtherProcess) {
  for (const std::int64_t other : {-1, 1, 1235}) {
    const auto process = static_cast<std::uint64_t>(other);
    EXPECT_EQ(Ask(MakeSettings(), SYS_sched_setaffinity, {process}), kRefuses) << other;
  }
  for (const long number : {SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
                            SYS_setpriority, SYS_ioprio_set}) {
    EXPECT_EQ(Ask(MakeSettings(), number, {0, 1}), kRefuses) << number;
  }
}

TEST(CallFilter, ControlsNothingWithoutADevice) {
  CallSettings settings = MakeSettings();
  for (const std::uint64_t request : {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX}) {
    EXPECT_EQ(Ask(settings, SYS_ioctl, {3, request}), kAllows) << request;
  }
  constexpr std::uint64_t kOfADriver = 0xc0106444;  // DRM_IOCTL_VERSION and the like
  const std::uint64_t harmful[] = {FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR, FS_IOC_ENABLE_VERITY,
                                   TIOCSTI, FIOSETOWN};
  for (const std::uint64_t request : harmful) {
    EXPECT_EQ(Ask(settings, SYS_ioctl, {3, request}), kRefuses) << request;
  }
  for (const std::uint64_t request : {std::uint64_t{SIOCSIFMTU}, kOfADriver}) {
    EXPECT_EQ(Ask(settings, SYS_ioctl, {3, request}), kRefuses) << request;
  }
  settings.may_control_devices = true;
  EXPECT_EQ(Ask(settings, SYS_ioctl, {3, kOfADriver}), kAllows);
  for (const std::uint64_t request : harmful) {
    EXPECT_EQ(Ask(settings, SYS_ioctl, {3, request}), kRefuses) << request;
  }
}

TEST(CallFilter, LooksAtWhatAnOptionIs) {
  EXPECT_EQ(Ask(MakeSettings(), SYS_prctl, {PR_SET_NAME}), kAllows);
  EXPECT_EQ(Ask(MakeSettings(), SYS_prctl, {PR_SET_PDEATHSIG}), kRefuses);
  EXPECT_EQ(Ask(MakeSettings(), SYS_prctl, {PR_SET_DUMPABLE}), kRefuses);
  EXPECT_EQ(Ask(MakeSettings(), SYS_prctl, {PR_SET_PTRACER}), kRefuses);
  EXPECT_EQ(Ask(MakeSettings(), SYS_fcntl, {3, F_SETFL}), kAllows);
  EXPECT_EQ(Ask(MakeSettings(), SYS_fcntl, {3, F_SETOWN, 1}), kRefuses);
  EXPECT_EQ(Ask(MakeSettings(), SYS_ioctl, {3, 0x541b}), kAllows);
  EXPECT_EQ(Ask(MakeSettings(), SYS_ioctl, {3, 0x5412}), kRefuses);
  EXPECT_EQ(Ask(MakeSettings(), SYS_ioctl, {3, (std::uint64_t{1} << 32U) | 0x541c}), kRefuses);
  EXPECT_EQ(Ask(MakeSettings(), SYS_personality, {0xffffffff}), kAllows);
  EXPECT_EQ(Ask(MakeSettings(), SYS_personality, {0x0400000}), kRefuses);
}

TEST(CallFilter, FitsIntoWhatTheKernelTakes) {
  EXPECT_LE(MakeCallFilter(MakeSettings()).size(), std::size_t{BPF_MAXINSNS});
}

TEST(CallFilter, NamesCallsAndWhatWouldAllowThem) {
  EXPECT_EQ(GetCallName(SYS_connect), "connect");
  EXPECT_EQ(GetCallName(9999), "the system call 9999");
  EXPECT_EQ(GetPermissionForCall(SYS_connect), "network");
  EXPECT_EQ(GetPermissionForCall(SYS_clone), "processes");
  EXPECT_EQ(GetPermissionForCall(SYS_ptrace), "");
}

[[noreturn]] void CallUnderTheFilter() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) _exit(2);
  CallSettings settings;
  settings.process = getpid();
  if (InstallCallFilter(MakeCallFilter(settings)) != 0) _exit(3);
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM) _exit(4);
  if (syscall(435, nullptr, 0) >= 0 || errno != ENOSYS) _exit(5);
  if (prctl(PR_SET_NAME, "filtered") != 0) _exit(6);
  raise(SIGTERM);
  _exit(7);
}

TEST(CallFilterDeathTest, IsTakenByTheKernel) {
  EXPECT_EXIT(CallUnderTheFilter(), ::testing::KilledBySignal(SIGTERM), "");
}

TEST(CallFilterDeathTest, IsNotTakenFromWhoMayGetNewPrivileges) {
  EXPECT_EXIT(
      {
        // The superuser may filter itself all the same, and goes on.
        const int error = InstallCallFilter(MakeCallFilter(MakeSettings()));
        _exit(error == EACCES || geteuid() == 0 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace backplane::sandbox
