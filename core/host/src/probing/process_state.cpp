#include "probing/process_state.hpp"

#include "probing/signal_name.hpp"

#include <dirent.h>
#include <fenv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cfloat>
#include <climits>
#include <clocale>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

namespace backplane::probing {
namespace {

struct LimitRow {
  decltype(RLIMIT_NOFILE) resource;
  const char* name;
};

// Those that a program may lower for itself without meaning the host.
constexpr LimitRow kLimits[] = {
    {RLIMIT_NOFILE, "the limit of open files"},     {RLIMIT_STACK, "the limit of the stack"},
    {RLIMIT_MEMLOCK, "the limit of locked memory"}, {RLIMIT_CORE, "the limit of core files"},
    {RLIMIT_AS, "the limit of address space"},
};

std::string ReadLink(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t bytes = readlink(path.c_str(), target, sizeof(target));
  return bytes > 0 ? std::string(target, static_cast<std::size_t>(bytes)) : std::string();
}

void ReadDescriptors(ProcessState& state) {
  const std::string folder = "/proc/self/fd";
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(folder.c_str()), closedir);
  state.are_descriptors_known = directory != nullptr;
  if (!directory) return;
  while (const dirent* entry = readdir(directory.get())) {
    const int descriptor = std::atoi(entry->d_name);
    if (entry->d_name[0] == '.' || descriptor == dirfd(directory.get())) continue;
    state.descriptors[descriptor] = ReadLink(folder + '/' + entry->d_name);
  }
}

/// The value behind "name:" in /proc/self/status.
std::string ReadStatus(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ':', 0) != 0) continue;
    const std::size_t value = line.find_first_not_of(" \t", name.size() + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "";
}

std::string GetRoundingName(int rounding) {
  switch (rounding) {
    case FE_TONEAREST:
      return "to nearest";
    case FE_UPWARD:
      return "upward";
    case FE_DOWNWARD:
      return "downward";
    case FE_TOWARDZERO:
      return "toward zero";
    default:
      return "unknown";
  }
}

/// Whether results, or operands, below the smallest normal number are taken for zero.
bool FlushesDenormals() {
  volatile float smallest = FLT_MIN;
  volatile float half = smallest / 2;
  volatile float doubled = half * 2;
  return half == 0.0F || doubled == 0.0F;
}

std::string DescribeAction(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0) return "";
  if ((action.sa_flags & SA_SIGINFO) != 0) return "handled";
  if (action.sa_handler == SIG_DFL) return "default";
  return action.sa_handler == SIG_IGN ? "ignored" : "handled";
}

void ReadSignals(ProcessState& state) {
  sigset_t blocked;
  sigemptyset(&blocked);
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&blocked, signal) == 1) state.blocked_signals.push_back(signal);
    const std::string action = DescribeAction(signal);
    if (!action.empty()) state.signal_actions[signal] = action;
  }
}

std::map<std::string, std::string> ReadEnvironment() {
  std::map<std::string, std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

std::map<std::string, std::string> ReadLimits() {
  std::map<std::string, std::string> limits;
  for (const LimitRow& row : kLimits) {
    rlimit limit{};
    if (getrlimit(row.resource, &limit) != 0) continue;
    limits[row.name] =
        limit.rlim_cur == RLIM_INFINITY ? "unlimited" : std::to_string(limit.rlim_cur);
  }
  return limits;
}

std::string ListSignals(const std::vector<int>& signals) {
  std::string list;
  for (const int signal : signals) list += (list.empty() ? "" : ", ") + GetSignalName(signal);
  return list.empty() ? "none" : list;
}

class Comparison {
 public:
  void Compare(const std::string& what, const std::string& before, const std::string& after,
               std::optional<Intrusion> intrusion = std::nullopt) {
    if (after.empty() || before == after) return;
    Add(what + " from " + before + " to " + after, intrusion);
  }

  void CompareSignalActions(const std::map<int, std::string>& before,
                            const std::map<int, std::string>& after) {
    for (const auto& [signal, action] : after) {
      const auto found = before.find(signal);
      if (found != before.end()) Compare(GetSignalName(signal), found->second, action);
    }
  }

  /// Values may be secrets: only the names are told.
  void CompareEnvironment(const std::map<std::string, std::string>& before,
                          const std::map<std::string, std::string>& after) {
    for (const auto& [name, value] : after) {
      const auto found = before.find(name);
      if (found == before.end()) {
        Add("the environment variable " + name + ", which it set");
      } else if (found->second != value) {
        Add("the value of the environment variable " + name);
      }
    }
    for (const auto& [name, value] : before) {
      if (after.count(name) == 0) {
        Add("the environment variable " + name + ", which it removed");
      }
    }
  }

  void CompareDescriptors(const ProcessState& before, const ProcessState& after) {
    if (!after.are_descriptors_known) return;
    for (const auto& [descriptor, target] : before.descriptors) {
      const auto found = after.descriptors.find(descriptor);
      if (found != after.descriptors.end() && found->second == target) continue;
      Add("descriptor " + std::to_string(descriptor) + " (" + target + "), which it " +
              (found == after.descriptors.end() ? "closed" : "redirected to " + found->second),
          Intrusion::kDescriptors);
    }
  }

  StateChanges Take() { return std::move(changes_); }

 private:
  void Add(std::string change, std::optional<Intrusion> intrusion = std::nullopt) {
    changes_.changes.push_back(std::move(change));
    if (intrusion) changes_.intrusions.insert(*intrusion);
  }

  StateChanges changes_;
};

const char* DescribeDenormals(bool flushes_denormals) {
  return flushes_denormals ? "flushed to zero" : "kept";
}

}  // namespace

ProcessState ReadProcessState() {
  ProcessState state;
  ReadDescriptors(state);
  state.working_directory = ReadLink("/proc/self/cwd");
  state.umask = ReadStatus("Umask");
  state.num_threads = static_cast<std::uint32_t>(std::atoi(ReadStatus("Threads").c_str()));
  const char* locale = std::setlocale(LC_ALL, nullptr);
  state.locale = locale != nullptr ? locale : "";
  state.rounding = GetRoundingName(fegetround());
  state.flushes_denormals = FlushesDenormals();
  state.trapped_float_exceptions = fegetexcept();
  ReadSignals(state);
  state.environment = ReadEnvironment();
  state.limits = ReadLimits();
  return state;
}

StateChanges CompareProcessStates(const ProcessState& before, const ProcessState& after) {
  Comparison comparison;
  comparison.Compare("the working directory", before.working_directory, after.working_directory,
                     Intrusion::kWorkingDirectory);
  comparison.Compare("the umask", before.umask, after.umask, Intrusion::kUmask);
  comparison.Compare("the locale", before.locale, after.locale);
  comparison.Compare("the rounding of floating-point numbers", before.rounding, after.rounding);
  comparison.Compare("denormal floating-point numbers", DescribeDenormals(before.flushes_denormals),
                     DescribeDenormals(after.flushes_denormals));
  comparison.Compare("trapped floating-point exceptions",
                     std::to_string(before.trapped_float_exceptions),
                     std::to_string(after.trapped_float_exceptions));
  comparison.Compare("the blocked signals", ListSignals(before.blocked_signals),
                     ListSignals(after.blocked_signals));
  comparison.CompareSignalActions(before.signal_actions, after.signal_actions);
  comparison.CompareEnvironment(before.environment, after.environment);
  comparison.CompareDescriptors(before, after);
  for (const auto& [name, value] : after.limits) {
    const auto found = before.limits.find(name);
    if (found != before.limits.end()) comparison.Compare(name, found->second, value);
  }
  StateChanges changes = comparison.Take();
  if (after.num_threads > before.num_threads) {
    changes.num_threads_left = after.num_threads - before.num_threads;
  }
  for (const auto& [descriptor, target] : after.descriptors) {
    if (before.descriptors.count(descriptor) != 0) continue;
    changes.descriptors_left.push_back(std::to_string(descriptor) + " (" + target + ')');
  }
  return changes;
}

}  // namespace backplane::probing
