#include "probing/process_state.hpp"

#include "backend/shared_library.hpp"

#include <backplane/host/thread_state.hpp>

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
#include <clocale>
#include <filesystem>
#include <fstream>
#include <functional>
#include <system_error>

namespace backplane::probing {
namespace {

using Read = std::function<std::string(const spawn::StatusFile& status)>;

Read Link(const char* path) {
  return [path](const spawn::StatusFile& /*status*/) {
    std::error_code error;
    return std::filesystem::read_symlink(path, error).string();
  };
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

/// Reads the state of this thread, which runs the code of the backend.
Read PartOfThread(ThreadStatePart part) {
  return [part](const spawn::StatusFile& /*status*/) { return ThreadState::Read().Describe(part); };
}

/// "real, effective, saved and of files", as the kernel lists them.
Read StatusLine(const char* name) {
  return [name](const spawn::StatusFile& status) {
    std::string value = status.Get(name);
    std::replace(value.begin(), value.end(), '\t', ' ');
    return value;
  };
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

Read Control(int option, int when_allowed) {
  return [=](const spawn::StatusFile& /*status*/) -> std::string {
    const int found = prctl(option, 0, 0, 0, 0);
    return found < 0 ? "" : (found == when_allowed ? "allowed" : "forbidden");
  };
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

Read Alarm(__itimer_which which) {
  return [which](const spawn::StatusFile& /*status*/) -> std::string {
    itimerval timer{};
    if (getitimer(which, &timer) != 0) return "";
    const bool is_set = timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
    return is_set ? "pending" : "none";
  };
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

std::string ToText(rlim_t limit) {
  return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

Read Limit(__rlimit_resource resource) {
  return [resource](const spawn::StatusFile& /*status*/) -> std::string {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0) return "";
    return ToText(limit.rlim_cur) + " (at most " + ToText(limit.rlim_max) + ')';
  };
}

/// By the names of their files; whichever comes first in the process gives all others their memory.
std::string ReadAllocators(const spawn::StatusFile& /*status*/) {
  std::string list;
  for (const std::string& path : backend::FindLibrariesThatDefine("malloc")) {
    list += (list.empty() ? "" : ", ") + path.substr(path.rfind('/') + 1);
  }
  return list;
}

struct Row {
  const char* name;
  Read read;
  std::optional<Intrusion> intrusion = std::nullopt;
};

const Row kRows[] = {
    {"the working directory", Link("/proc/self/cwd"), Intrusion::kWorkingDirectory},
    {"the root directory", ReadRootDirectory, Intrusion::kRootDirectory},
    {"the umask", StatusLine("Umask"), Intrusion::kUmask},
    {"the locale", ReadLocale},
#define BACKPLANE_THREAD_STATE(name, text, ...) {text, PartOfThread(ThreadStatePart::k##name)},
#include <backplane/host/thread_states.def>
#undef BACKPLANE_THREAD_STATE
    {"the user ids (real, effective, saved, of files)", StatusLine("Uid"), Intrusion::kCredentials},
    {"the group ids (real, effective, saved, of files)", StatusLine("Gid"),
     Intrusion::kCredentials},
    {"the supplementary groups", ReadGroups, Intrusion::kCredentials},
    {"the inheritable capabilities", StatusLine("CapInh"), Intrusion::kCredentials},
    {"the permitted capabilities", StatusLine("CapPrm"), Intrusion::kCredentials},
    {"the effective capabilities", StatusLine("CapEff"), Intrusion::kCredentials},
    {"the bounding capabilities", StatusLine("CapBnd"), Intrusion::kCredentials},
    {"the ambient capabilities", StatusLine("CapAmb"), Intrusion::kCredentials},
    {"the filters of system calls (seccomp)", ReadSystemCallFilters, Intrusion::kSeccomp},
    {"new privileges (no_new_privs)", Control(PR_GET_NO_NEW_PRIVS, 0), Intrusion::kCredentials},
    {"core dumps and debugging (dumpable)", Control(PR_GET_DUMPABLE, 1)},
    {"the care of orphaned processes (subreaper)", ReadSubreaper},
    {"the processors it may run on", StatusLine("Cpus_allowed_list")},
    {"the memory nodes it may use", StatusLine("Mems_allowed_list")},
    {"the scheduling", ReadScheduling},
    {"the personality", ReadPersonality},
    {"the locked memory", StatusLine("VmLck")},
    {"the alarm (ITIMER_REAL)", Alarm(ITIMER_REAL)},
    {"the alarm of used time (ITIMER_VIRTUAL)", Alarm(ITIMER_VIRTUAL)},
    {"the profiling alarm (ITIMER_PROF)", Alarm(ITIMER_PROF)},
    {"the number of timers", ReadTimers},
    {"the mount namespace", Link("/proc/self/ns/mnt"), Intrusion::kNamespaces},
    {"the user namespace", Link("/proc/self/ns/user"), Intrusion::kNamespaces},
    {"the network namespace", Link("/proc/self/ns/net"), Intrusion::kNamespaces},
    {"the namespace of shared memory (ipc)", Link("/proc/self/ns/ipc"), Intrusion::kNamespaces},
    {"the namespace of the host name (uts)", Link("/proc/self/ns/uts"), Intrusion::kNamespaces},
    {"the namespace of control groups", Link("/proc/self/ns/cgroup"), Intrusion::kNamespaces},
    {"the namespace of new processes (pid)", Link("/proc/self/ns/pid_for_children"),
     Intrusion::kNamespaces},
    {"the libraries that define malloc", ReadAllocators},
    {"the limit of open files", Limit(RLIMIT_NOFILE), Intrusion::kLimits},
    {"the limit of the stack", Limit(RLIMIT_STACK), Intrusion::kLimits},
    {"the limit of locked memory", Limit(RLIMIT_MEMLOCK), Intrusion::kLimits},
    {"the limit of core files", Limit(RLIMIT_CORE)},
    {"the limit of address space", Limit(RLIMIT_AS), Intrusion::kLimits},
    {"the limit of data", Limit(RLIMIT_DATA), Intrusion::kLimits},
    {"the limit of processor time", Limit(RLIMIT_CPU), Intrusion::kLimits},
    {"the limit of the size of files", Limit(RLIMIT_FSIZE), Intrusion::kLimits},
    {"the limit of processes", Limit(RLIMIT_NPROC), Intrusion::kLimits},
    {"the limit of resident memory", Limit(RLIMIT_RSS), Intrusion::kLimits},
    {"the limit of file locks", Limit(RLIMIT_LOCKS), Intrusion::kLimits},
    {"the limit of pending signals", Limit(RLIMIT_SIGPENDING), Intrusion::kLimits},
    {"the limit of message queues", Limit(RLIMIT_MSGQUEUE), Intrusion::kLimits},
    {"the limit of niceness", Limit(RLIMIT_NICE), Intrusion::kLimits},
    {"the limit of real-time priority", Limit(RLIMIT_RTPRIO), Intrusion::kLimits},
    {"the limit of real-time processor time", Limit(RLIMIT_RTTIME), Intrusion::kLimits},
};

}  // namespace

std::vector<WatchedValue> ReadWatchedValues(const spawn::StatusFile& status) {
  std::vector<WatchedValue> values;
  for (const Row& row : kRows) values.push_back({row.name, row.read(status), row.intrusion});
  return values;
}

}  // namespace backplane::probing
