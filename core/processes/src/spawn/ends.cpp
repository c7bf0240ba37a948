#include "spawn/ends.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace backplane::spawn {

void EndWithParent(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent) _exit(1);
}

int WaitForChild(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int BoundResource(int resource, std::uint64_t most) {
  const auto which = static_cast<__rlimit_resource_t>(resource);
  rlimit limit{};
  if (getrlimit(which, &limit) != 0) return errno;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, most);
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, most);
  return setrlimit(which, &limit) == 0 ? 0 : errno;
}

void BoundChild(std::uint64_t max_data_bytes) {
  BoundResource(RLIMIT_CORE, 0);
  if (max_data_bytes != 0) BoundResource(RLIMIT_DATA, max_data_bytes);
}

std::string GetSignalName(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::string GetSignalText(int signal) {
  const char* const text = sigdescr_np(signal);
  return GetSignalName(signal) + (text != nullptr ? std::string(" (") + text + ')' : "");
}

std::string DescribeStatus(std::optional<int> status) {
  if (!status) return "";
  if (WIFSIGNALED(*status)) return "was ended by " + GetSignalText(WTERMSIG(*status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(*status));
}

}  // namespace backplane::spawn
