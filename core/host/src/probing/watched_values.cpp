#include "probing/watched_values.hpp"

#include "opening/shared_library.hpp"

#include <backplane/host/thread_state.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <clocale>
#include <fstream>
#include <optional>

namespace backplane::probing {
namespace {

std::string ReadLink(const char* path) {
  char target[PATH_MAX];
  const ssize_t bytes = readlink(path, target, sizeof(target));
  return bytes > 0 ? std::string(target, static_cast<std::size_t>(bytes)) : std::string();
}

std::string ReadWorkingDirectory(const spawn::StatusFile& /*status*/) {
  return ReadLink("/proc/self/cwd");
}

/// Seen from inside it is always called "/".
std::string ReadRootDirectory(const spawn::StatusFile& /*status*/) {
  struct stat root {};
  if (stat("/", &root) != 0) return "";
  return "device " + std::to_string(major(root.st_dev)) + ':' + std::to_string(minor(root.st_dev)) +
         " inode " + std::to_string(root.st_ino);
}

std::string ReadLocale(const spawn::StatusFile& /*status*/) {
  const char* locale = std::setlocale(LC_ALL, nullptr);
  return locale != nullptr ? locale : "";
}

/// Of this thread, which runs the code of the backend.
template <ThreadStatePart kPart>
std::string ReadThreadState(const spawn::StatusFile& /*status*/) {
  return ThreadState::Read().Describe(kPart);
}

/// "real, effective, saved and of files", as the kernel lists them.
template <const char* kName>
std::string ReadStatus(const spawn::StatusFile& status) {
  std::string value = status.Get(kName);
  std::replace(value.begin(), value.end(), '\t', ' ');
  return value;
}

std::string ReadGroups(const spawn::StatusFile& status) {
  if (status.Get("Gid").empty()) return "";  // nothing can be read
  const std::string groups = status.Get("Groups");
  return groups.empty() ? "none" : groups;
}

/// The kernel tells the mode even when no file can be read any more, but not the number.
std::string ReadSystemCallFilters(const spawn::StatusFile& status) {
  const std::string mode = status.Get("Seccomp");
  if (mode.empty()) return "";
  if (mode == "0") return "none";
  const std::string number = status.Get("Seccomp_filters");
  return mode == "1" ? "strict mode" : (number.empty() ? "some" : number) + " installed";
}

std::string ReadNewPrivileges(const spawn::StatusFile& /*status*/) {
  const int is_set = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
  return is_set < 0 ? "" : (is_set == 0 ? "allowed" : "forbidden");
}

std::string ReadDumpable(const spawn::StatusFile& /*status*/) {
  const int dumpable = prctl(PR_GET_DUMPABLE);
  return dumpable < 0 ? "" : (dumpable == 1 ? "allowed" : "forbidden");
}

std::string ReadSubreaper(const spawn::StatusFile& /*status*/) {
  int is_reaper = 0;
  if (prctl(PR_GET_CHILD_SUBREAPER, &is_reaper) != 0) return "";
  return is_reaper == 0 ? "left to others" : "taken over";
}

std::string ReadScheduling(const spawn::StatusFile& /*status*/) {
  const int policy = sched_getscheduler(0);
  errno = 0;
  const int niceness = getpriority(PRIO_PROCESS, 0);
  if (policy < 0 || errno != 0) return "";
  return "policy " + std::to_string(policy) + " niceness " + std::to_string(niceness);
}

std::string ReadPersonality(const spawn::StatusFile& /*status*/) {
  constexpr unsigned long kOnlyAsk = 0xffffffff;
  return std::to_string(personality(kOnlyAsk));
}

template <int kWhich>
std::string ReadAlarm(const spawn::StatusFile& /*status*/) {
  itimerval timer{};
  if (getitimer(kWhich, &timer) != 0) return "";
  const bool is_set = timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
  return is_set ? "pending" : "none";
}

std::string ReadTimers(const spawn::StatusFile& /*status*/) {
  std::ifstream timers("/proc/self/timers");
  if (!timers) return "";
  int num_timers = 0;
  for (std::string line; std::getline(timers, line);) {
    if (line.rfind("ID:", 0) == 0) ++num_timers;
  }
  return std::to_string(num_timers);
}

template <const char* kPath>
std::string ReadNamespace(const spawn::StatusFile& /*status*/) {
  return ReadLink(kPath);
}

template <decltype(RLIMIT_NOFILE) kResource>
std::string ReadLimit(const spawn::StatusFile& /*status*/) {
  rlimit limit{};
  if (getrlimit(kResource, &limit) != 0) return "";
  const auto get_text = [](rlim_t value) {
    return value == RLIM_INFINITY ? std::string("unlimited") : std::to_string(value);
  };
  return get_text(limit.rlim_cur) + " (at most " + get_text(limit.rlim_max) + ')';
}

/// By the names of their files; whichever comes first in the process gives all others their memory.
std::string ReadAllocators(const spawn::StatusFile& /*status*/) {
  std::string list;
  for (const std::string& path : opening::FindLibrariesThatDefine("malloc")) {
    list += (list.empty() ? "" : ", ") + path.substr(path.rfind('/') + 1);
  }
  return list;
}

constexpr char kUmask[] = "Umask";
constexpr char kUserIds[] = "Uid";
constexpr char kGroupIds[] = "Gid";
constexpr char kInheritable[] = "CapInh";
constexpr char kPermitted[] = "CapPrm";
constexpr char kEffective[] = "CapEff";
constexpr char kBounding[] = "CapBnd";
constexpr char kAmbient[] = "CapAmb";
constexpr char kProcessors[] = "Cpus_allowed_list";
constexpr char kMemoryNodes[] = "Mems_allowed_list";
constexpr char kLockedMemory[] = "VmLck";
constexpr char kMountNamespace[] = "/proc/self/ns/mnt";
constexpr char kUserNamespace[] = "/proc/self/ns/user";
constexpr char kNetNamespace[] = "/proc/self/ns/net";
constexpr char kIpcNamespace[] = "/proc/self/ns/ipc";
constexpr char kUtsNamespace[] = "/proc/self/ns/uts";
constexpr char kCgroupNamespace[] = "/proc/self/ns/cgroup";
constexpr char kPidNamespace[] = "/proc/self/ns/pid_for_children";

struct Row {
  const char* name;
  std::string (*read)(const spawn::StatusFile&);
  std::optional<Intrusion> intrusion = std::nullopt;
};

constexpr Row kRows[] = {
    {"the working directory", ReadWorkingDirectory, Intrusion::kWorkingDirectory},
    {"the root directory", ReadRootDirectory, Intrusion::kRootDirectory},
    {"the umask", ReadStatus<kUmask>, Intrusion::kUmask},
    {"the locale", ReadLocale},
#define BACKPLANE_THREAD_STATE(name, text, ...) {text, ReadThreadState<ThreadStatePart::k##name>},
#include <backplane/host/thread_states.def>
#undef BACKPLANE_THREAD_STATE
    {"the user ids (real, effective, saved, of files)", ReadStatus<kUserIds>,
     Intrusion::kCredentials},
    {"the group ids (real, effective, saved, of files)", ReadStatus<kGroupIds>,
     Intrusion::kCredentials},
    {"the supplementary groups", ReadGroups, Intrusion::kCredentials},
    {"the inheritable capabilities", ReadStatus<kInheritable>, Intrusion::kCredentials},
    {"the permitted capabilities", ReadStatus<kPermitted>, Intrusion::kCredentials},
    {"the effective capabilities", ReadStatus<kEffective>, Intrusion::kCredentials},
    {"the bounding capabilities", ReadStatus<kBounding>, Intrusion::kCredentials},
    {"the ambient capabilities", ReadStatus<kAmbient>, Intrusion::kCredentials},
    {"the filters of system calls (seccomp)", ReadSystemCallFilters, Intrusion::kSeccomp},
    {"new privileges (no_new_privs)", ReadNewPrivileges, Intrusion::kCredentials},
    {"core dumps and debugging (dumpable)", ReadDumpable},
    {"the care of orphaned processes (subreaper)", ReadSubreaper},
    {"the processors it may run on", ReadStatus<kProcessors>},
    {"the memory nodes it may use", ReadStatus<kMemoryNodes>},
    {"the scheduling", ReadScheduling},
    {"the personality", ReadPersonality},
    {"the locked memory", ReadStatus<kLockedMemory>},
    {"the alarm (ITIMER_REAL)", ReadAlarm<ITIMER_REAL>},
    {"the alarm of used time (ITIMER_VIRTUAL)", ReadAlarm<ITIMER_VIRTUAL>},
    {"the profiling alarm (ITIMER_PROF)", ReadAlarm<ITIMER_PROF>},
    {"the number of timers", ReadTimers},
    {"the mount namespace", ReadNamespace<kMountNamespace>, Intrusion::kNamespaces},
    {"the user namespace", ReadNamespace<kUserNamespace>, Intrusion::kNamespaces},
    {"the network namespace", ReadNamespace<kNetNamespace>, Intrusion::kNamespaces},
    {"the namespace of shared memory (ipc)", ReadNamespace<kIpcNamespace>, Intrusion::kNamespaces},
    {"the namespace of the host name (uts)", ReadNamespace<kUtsNamespace>, Intrusion::kNamespaces},
    {"the namespace of control groups", ReadNamespace<kCgroupNamespace>, Intrusion::kNamespaces},
    {"the namespace of new processes (pid)", ReadNamespace<kPidNamespace>, Intrusion::kNamespaces},
    {"the libraries that define malloc", ReadAllocators},
    {"the limit of open files", ReadLimit<RLIMIT_NOFILE>, Intrusion::kLimits},
    {"the limit of the stack", ReadLimit<RLIMIT_STACK>, Intrusion::kLimits},
    {"the limit of locked memory", ReadLimit<RLIMIT_MEMLOCK>, Intrusion::kLimits},
    {"the limit of core files", ReadLimit<RLIMIT_CORE>},
    {"the limit of address space", ReadLimit<RLIMIT_AS>, Intrusion::kLimits},
    {"the limit of data", ReadLimit<RLIMIT_DATA>, Intrusion::kLimits},
    {"the limit of processor time", ReadLimit<RLIMIT_CPU>, Intrusion::kLimits},
    {"the limit of the size of files", ReadLimit<RLIMIT_FSIZE>, Intrusion::kLimits},
    {"the limit of processes", ReadLimit<RLIMIT_NPROC>, Intrusion::kLimits},
    {"the limit of resident memory", ReadLimit<RLIMIT_RSS>, Intrusion::kLimits},
    {"the limit of file locks", ReadLimit<RLIMIT_LOCKS>, Intrusion::kLimits},
    {"the limit of pending signals", ReadLimit<RLIMIT_SIGPENDING>, Intrusion::kLimits},
    {"the limit of message queues", ReadLimit<RLIMIT_MSGQUEUE>, Intrusion::kLimits},
    {"the limit of niceness", ReadLimit<RLIMIT_NICE>, Intrusion::kLimits},
    {"the limit of real-time priority", ReadLimit<RLIMIT_RTPRIO>, Intrusion::kLimits},
    {"the limit of real-time processor time", ReadLimit<RLIMIT_RTTIME>, Intrusion::kLimits},
};

}  // namespace

std::vector<WatchedValue> ReadWatchedValues(const spawn::StatusFile& status) {
  std::vector<WatchedValue> values;
  for (const Row& row : kRows) values.push_back({row.name, row.read(status), row.intrusion});
  return values;
}

}  // namespace backplane::probing
