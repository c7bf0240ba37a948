#include "sandbox/call_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <initializer_list>

namespace backplane::sandbox {
namespace {

enum class CallRule {
  kAllowed,
  kRefused,
  kFatal,
  kNetwork,
  kProcesses,
  kSocket,
  kSocketPair,
  kThread,
  kToItself,
  kAffinity,
  kLimits,
  kPrctl,
  kFcntl,
  kIoctl,
  kPersonality,
};

struct CallRow {
  const char* name;
  std::uint32_t number;
  CallRule rule;
};

constexpr CallRow kCallRows[] = {
#define BACKPLANE_SYSTEM_CALL(name, rule) {#name, SYS_##name, CallRule::rule},
#include "sandbox/system_calls.def"
#undef BACKPLANE_SYSTEM_CALL
};

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kTrap = SECCOMP_RET_TRAP;
constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t kUnknown = SECCOMP_RET_ERRNO | ENOSYS;

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // not known here
#endif

// Numbers from here on are of another ABI of the same processor (x32).
constexpr std::uint32_t kFirstOfOtherAbi = 0x40000000;

constexpr std::uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

#if !defined(PR_SET_VMA)
constexpr std::uint32_t PR_SET_VMA = 0x53564d41;  // what newer kernels' headers call so
#endif

constexpr std::uint32_t kTcgets2 = 0x802c542a;  // TCGETS2, which newer C libraries ask

// A process may set and ask these about itself. They do not decide who may look into it, when it
// ends or what it may do.
constexpr std::uint32_t kPrctls[] = {PR_SET_NAME, PR_SET_VMA, PR_SET_TIMERSLACK, PR_SET_THP_DISABLE,
                                     // These ask.
                                     PR_GET_NAME, PR_GET_TIMERSLACK, PR_GET_THP_DISABLE,
                                     PR_GET_DUMPABLE, PR_GET_PDEATHSIG, PR_GET_NO_NEW_PRIVS,
                                     PR_GET_CHILD_SUBREAPER, PR_GET_SECCOMP, PR_GET_KEEPCAPS,
                                     PR_GET_SECUREBITS, PR_CAPBSET_READ};

// By them other processes would be sent signals.
constexpr std::uint32_t kRefusedFcntls[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX, F_NOTIFY};

// The C library and runtimes ask these of files, pipes and terminals.
constexpr std::uint32_t kAllowedIoctls[] = {TCGETS,  kTcgets2, TIOCGWINSZ, FIONREAD,
                                            FIONBIO, FIOCLEX,  FIONCLEX};
// With a device nearly all are allowed, as each driver has its own. TIOCSTI and TIOCLINUX type into
// a terminal, for whoever reads there.
constexpr std::uint32_t kRefusedIoctls[] = {FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX, FIOASYNC,
                                            // These change a file that can only be read.
                                            FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FS_IOC_FSSETXATTR,
                                            FS_IOC_SETFSLABEL, FS_IOC_ENABLE_VERITY,
                                            FS_IOC_SET_ENCRYPTION_POLICY};

using Code = std::vector<sock_filter>;

sock_filter Make(unsigned code, std::uint32_t value, unsigned if_true = 0, unsigned if_false = 0) {
  return {static_cast<__u16>(code), static_cast<__u8>(if_true), static_cast<__u8>(if_false), value};
}

sock_filter Return(std::uint32_t answer) {
  return Make(BPF_RET | BPF_K, answer);
}

sock_filter Load(std::size_t offset) {
  return Make(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

/// Half of an argument. The machines of kArchitecture have the lower one first.
sock_filter LoadArgument(unsigned argument, unsigned half = 0) {
  return Load(offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t) +
              half * sizeof(std::uint32_t));
}

void AppendAnswer(unsigned comparison, std::uint32_t value, std::uint32_t answer, Code& code) {
  code.push_back(Make(BPF_JMP | comparison | BPF_K, value, 0, 1));
  code.push_back(Return(answer));
}

/// One answer when the argument is one of these, else the other.
template <typename Values>
Code Choose(unsigned argument, const Values& values, std::uint32_t answer,
            std::uint32_t otherwise) {
  Code code = {LoadArgument(argument)};
  for (const auto value : values) {
    AppendAnswer(BPF_JEQ, static_cast<std::uint32_t>(value), answer, code);
  }
  code.push_back(Return(otherwise));
  return code;
}

Code MakeThreadRule(bool may_start_processes) {
  Code code = {LoadArgument(0)};
  AppendAnswer(BPF_JSET, kNewNamespaces, kTrap, code);
  AppendAnswer(BPF_JSET, CLONE_THREAD, kAllow, code);
  code.push_back(Return(may_start_processes ? kAllow : kTrap));
  return code;
}

/// A kind of socket pair says in its upper bits how it is opened.
Code MakeSocketPairRule() {
  constexpr std::uint32_t kKindBits = 0xf;
  Code code = {LoadArgument(0), Make(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0), Return(kRefuse),
               LoadArgument(1), Make(BPF_ALU | BPF_AND | BPF_K, kKindBits)};
  AppendAnswer(BPF_JEQ, SOCK_STREAM, kAllow, code);
  AppendAnswer(BPF_JEQ, SOCK_SEQPACKET, kAllow, code);
  code.push_back(Return(kRefuse));
  return code;
}

/// The third argument of prlimit points to the new limit.
Code MakeLimitsRule() {
  constexpr unsigned kNewLimit = 2;
  return {LoadArgument(kNewLimit),
          Make(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
          Return(kRefuse),
          LoadArgument(kNewLimit, 1),
          Make(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
          Return(kRefuse),
          Return(kAllow)};
}

Code MakeRule(CallRule rule, const CallSettings& settings) {
  const std::uint32_t network = settings.may_use_network ? kAllow : kTrap;
  const std::uint32_t processes = settings.may_start_processes ? kAllow : kTrap;
  constexpr std::uint32_t kOnlyAsk[] = {0xffffffff};
  switch (rule) {
    case CallRule::kAllowed:
      return {Return(kAllow)};
    case CallRule::kRefused:
      return {Return(kRefuse)};
    case CallRule::kFatal:
      return {Return(kTrap)};
    case CallRule::kNetwork:
      return {Return(network)};
    case CallRule::kProcesses:
      return {Return(processes)};
    case CallRule::kSocket:
      return settings.may_use_network
                 ? Code{Return(kAllow)}
                 : Choose(0, std::initializer_list<int>{AF_UNIX}, kRefuse, kTrap);
    case CallRule::kSocketPair:
      return settings.may_use_network ? Code{Return(kAllow)} : MakeSocketPairRule();
    case CallRule::kThread:
      return MakeThreadRule(settings.may_start_processes);
    case CallRule::kToItself:
      return Choose(0, std::initializer_list<pid_t>{settings.process}, kAllow, processes);
    case CallRule::kAffinity:
      return settings.may_choose_processors
                 ? Choose(0, std::initializer_list<pid_t>{0, settings.process}, kAllow, kRefuse)
                 : Code{Return(kRefuse)};
    case CallRule::kLimits:
      return MakeLimitsRule();
    case CallRule::kPrctl:
      return Choose(0, kPrctls, kAllow, kRefuse);
    case CallRule::kFcntl:
      return Choose(1, kRefusedFcntls, kRefuse, kAllow);
    case CallRule::kIoctl:
      return settings.may_control_devices ? Choose(1, kRefusedIoctls, kRefuse, kAllow)
                                          : Choose(1, kAllowedIoctls, kAllow, kRefuse);
    case CallRule::kPersonality:
      return Choose(0, kOnlyAsk, kAllow, kRefuse);
  }
  return {Return(kTrap)};
}

const CallRow* FindCall(std::uint64_t number) {
  for (const CallRow& row : kCallRows) {
    if (row.number == number) return &row;
  }
  return nullptr;
}

}  // namespace

int GiveUpCapabilities() {
  // The kernel refuses the first number that it has no capability for.
  for (unsigned long capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0;)
    ++capability;
  if (errno != EINVAL && errno != EPERM) return errno;
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return errno;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

std::vector<sock_filter> MakeCallFilter(const CallSettings& settings) {
  Code code;
  if (kArchitecture == 0) return code;
  code.push_back(Load(offsetof(seccomp_data, arch)));
  code.push_back(Make(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  code.push_back(Return(SECCOMP_RET_KILL_PROCESS));
  code.push_back(Load(offsetof(seccomp_data, nr)));
  AppendAnswer(BPF_JGE, kFirstOfOtherAbi, SECCOMP_RET_KILL_PROCESS, code);
  for (const CallRow& row : kCallRows) {
    const Code rule = MakeRule(row.rule, settings);
    code.push_back(
        Make(BPF_JMP | BPF_JEQ | BPF_K, row.number, 0, static_cast<unsigned>(rule.size())));
    code.insert(code.end(), rule.begin(), rule.end());
  }
  code.push_back(Return(kUnknown));
  return code;
}

int InstallCallFilter(const std::vector<sock_filter>& filter) {
  std::vector<sock_filter> code = filter;
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  // The process computes its own data: guards against spying on itself would only cost time.
  constexpr unsigned kFlags = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kFlags, &program);
  if (result == 0) return 0;
  return result < 0 ? errno : EBUSY;  // a thread that cannot be made subject to it
}

std::string GetCallName(std::uint64_t number) {
  const CallRow* const row = FindCall(number);
  return row != nullptr ? row->name : "the system call " + std::to_string(number);
}

std::string GetPermissionForCall(std::uint64_t number) {
  const CallRow* const row = FindCall(number);
  if (row == nullptr) return "";
  switch (row->rule) {
    case CallRule::kNetwork:
    case CallRule::kSocket:
      return "network";
    case CallRule::kProcesses:
    case CallRule::kThread:
    case CallRule::kToItself:
      return "processes";
    default:
      return "";
  }
}

}  // namespace backplane::sandbox
