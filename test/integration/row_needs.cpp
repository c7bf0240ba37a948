#include "row_needs.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <grp.h>

#include <cstddef>
#include <fstream>
#include <string>

namespace backplane::test {
namespace {

bool CanFilter() {
  sock_filter program[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog filter{1, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool CanChangeRoot() {
  return chroot("/proc") == 0;
}

bool CanChangeUser() {
  constexpr gid_t kNobodysGroup = 65534;
  return geteuid() == 0 && setgroups(1, &kNobodysGroup) == 0 &&
         setresgid(kNobodysGroup, kNobodysGroup, kNobodysGroup) == 0 &&
         setresuid(kNobodysGroup, kNobodysGroup, kNobodysGroup) == 0;
}

bool HasChown() {
  return geteuid() == 0 && prctl(PR_CAPBSET_READ, 0) == 1;
}

bool CanUnshare() {
  return unshare(CLONE_NEWNS) == 0;
}

bool HasSeveralProcessors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 1;
}

/// Sanitizers say that it is done, and do nothing.
bool CanLock() {
  static char page[8192];
  if (mlock(page, sizeof(page)) != 0) return false;
  std::ifstream status("/proc/self/status");
  std::string word;
  std::size_t locked_kilobytes = 0;
  while (status >> word && word != "VmLck:") continue;
  return status >> locked_kilobytes && locked_kilobytes != 0;
}

struct Need {
  const char* word;
  bool (*is_met)();
  const char* obstacle;
};

constexpr Need kNeeds[] = {
    {"needs=Filters", CanFilter, "no filter of system calls can be installed here"},
    {"needs=Root", CanChangeRoot, "the root directory cannot be changed here"},
    {"needs=Users", CanChangeUser, "the user cannot be changed here"},
    {"needs=Chown", HasChown, "there is no capability to be dropped"},
    {"needs=Namespaces", CanUnshare, "there are no namespaces to be made here"},
    {"needs=Processors", HasSeveralProcessors, "there is one processor"},
    {"needs=LockedMemory", CanLock, "no memory can be locked here"},
};

/// Tries it in a process of its own, which it may change for good.
bool IsMet(const Need& need) {
  const pid_t child = fork();
  if (child == 0) _exit(need.is_met() ? 0 : 1);
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

std::string FindObstacle(const std::string& recipe) {
  for (const Need& need : kNeeds) {
    if (recipe.find(need.word) != std::string::npos && !IsMet(need)) return need.obstacle;
  }
  return "";
}

}  // namespace backplane::test
