#include <backplane/host/system_refusal.hpp>

#include "diagnostics/control_group.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <utility>
#include <vector>

namespace backplane {
namespace {

constexpr std::uint64_t kNoLimit = RLIM_INFINITY;

std::uint64_t GetLimit(__rlimit_resource_t resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : kNoLimit;
}

/// Reads the limit of a control group; kNoLimit also where that is not known.
std::uint64_t ReadGroupLimit(const std::string& controller, const std::string& of_controller,
                             const std::string& of_group) {
  // Older kernels write the greatest number of pages for no limit.
  constexpr std::uint64_t kLeastUnlimited = std::uint64_t{1} << 62U;
  std::ifstream file(diagnostics::FindGroupFile(controller, of_controller, of_group));
  std::uint64_t limit = 0;
  return file >> limit && limit < kLeastUnlimited ? limit : kNoLimit;
}

struct UsedMemory {
  std::uint64_t addresses = 0;
  std::uint64_t data = 0;
};

/// Allocates nothing: it is called when there is no memory. All zero where it is not known.
UsedMemory ReadUsedMemory() {
  char text[256] = {};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  static_cast<void>(read(file, text, sizeof(text) - 1));
  close(file);
  std::uint64_t pages[6] = {};
  char* next = text;
  for (std::uint64_t& number : pages) number = std::strtoull(next, &next, 10);
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {pages[0] * page_bytes, pages[5] * page_bytes};
}

std::string ToKibibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 10U) + " KiB";
}

/// One for each limit that is set.
using Refusals = std::vector<SystemRefusal>;

SystemRefusal Join(const Refusals& refusals) {
  SystemRefusal joined;
  for (const SystemRefusal& refusal : refusals) {
    joined.found += (joined.found.empty() ? "" : ", ") + refusal.found;
    joined.cure += (joined.cure.empty() ? "raise " : ", or ") + refusal.cure;
  }
  return joined;
}

SystemRefusal ExplainMemory() {
  Refusals limits;
  const UsedMemory used = ReadUsedMemory();
  const auto add = [&](std::uint64_t limit, std::uint64_t used_bytes, const std::string& name,
                       const std::string& kind, const std::string& ways) {
    if (limit == kNoLimit) return;
    limits.push_back({name + " allows " + ToKibibytes(limit) + " of " + kind +
                          (used_bytes != 0 ? " and " + ToKibibytes(used_bytes) + " are used" : ""),
                      name + " (" + ways + ")"});
  };
  add(GetLimit(RLIMIT_AS), used.addresses, "RLIMIT_AS", "addresses",
      "ulimit -v; LimitAS= of a service");
  add(GetLimit(RLIMIT_DATA), used.data, "RLIMIT_DATA", "data",
      "ulimit -d; LimitDATA= of a service");
  if (!limits.empty()) return Join(limits);
  const std::uint64_t group = ReadGroupLimit("memory", "memory.limit_in_bytes", "memory.max");
  if (group != kNoLimit) {
    return {"the control group allows " + ToKibibytes(group) + " of memory",
            "free memory, or raise the limit of the container or service (MemoryMax=)"};
  }
  const auto machine_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                             static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return {"no limit of this process is set, and the machine has " + ToKibibytes(machine_bytes) +
              " of memory",
          "free memory, or ask for less"};
}

SystemRefusal ExplainOpenFiles() {
  return {"RLIMIT_NOFILE allows " + std::to_string(GetLimit(RLIMIT_NOFILE)) + " open files",
          "raise RLIMIT_NOFILE (ulimit -n; LimitNOFILE= of a service)"};
}

SystemRefusal ExplainFilesOfSystem() {
  std::ifstream file("/proc/sys/fs/file-max");
  std::string most;
  file >> most;
  return {"fs.file-max allows the whole system " + most + " open files",
          "raise fs.file-max (sysctl)"};
}

/// A thread also needs addresses for its stack.
SystemRefusal ExplainThreads() {
  const std::uint64_t addresses = GetLimit(RLIMIT_AS);
  const std::uint64_t stack = GetLimit(RLIMIT_STACK);
  constexpr std::uint64_t kUsualStackBytes = std::uint64_t{8} << 20U;
  const std::uint64_t needed =
      ReadUsedMemory().addresses + (stack == kNoLimit ? kUsualStackBytes : stack);
  if (addresses != kNoLimit && needed > addresses) return ExplainMemory();
  Refusals limits;
  const std::uint64_t of_user = GetLimit(RLIMIT_NPROC);
  if (of_user != kNoLimit) {
    limits.push_back({"RLIMIT_NPROC allows this user " + std::to_string(of_user) + " threads",
                      "RLIMIT_NPROC (ulimit -u; LimitNPROC= of a service)"});
  }
  const std::uint64_t of_group = ReadGroupLimit("pids", "pids.max", "pids.max");
  if (of_group != kNoLimit) {
    limits.push_back({"pids.max allows the control group " + std::to_string(of_group) + " threads",
                      "pids.max (TasksMax= of a service, --pids-limit of a container)"});
  }
  if (!limits.empty()) return Join(limits);
  return {"no limit of this process is set", "end other threads, or raise kernel.threads-max"};
}

}  // namespace

std::optional<SystemRefusal> ExplainRefusal(int error) {
  switch (error) {
    case ENOMEM:
      return ExplainMemory();
    case EMFILE:
      return ExplainOpenFiles();
    case ENFILE:
      return ExplainFilesOfSystem();
    case EAGAIN:
      return ExplainThreads();
    default:
      return std::nullopt;
  }
}

Diagnostic DescribeOutOfMemory(const char* what, int error) noexcept {
  Diagnostic diagnostic{DiagnosticCode::kOutOfMemory};
  try {
    auto refusal = ExplainRefusal(error);
    if (!refusal) refusal = SystemRefusal{std::strerror(error), "free memory, or ask for less"};
    diagnostic.what = what;
    diagnostic.why = "found: " + refusal->found;
    diagnostic.fix = std::move(refusal->cure);
  } catch (const std::exception&) {
    return Diagnostic{DiagnosticCode::kOutOfMemory};
  }
  return diagnostic;
}

}  // namespace backplane
