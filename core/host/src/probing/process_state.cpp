#include "probing/process_state.hpp"

#include "spawn/ends.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace backplane::probing {
namespace {

/// All but `own`, which is of those who look.
void ReadDescriptors(int own, ProcessState& state) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc/self/fd"), closedir);
  state.are_descriptors_known = directory != nullptr;
  if (!directory) return;
  while (const dirent* entry = readdir(directory.get())) {
    const int descriptor = std::atoi(entry->d_name);
    const bool is_own = descriptor == own || descriptor == dirfd(directory.get());
    if (entry->d_name[0] == '.' || is_own) continue;
    std::error_code error;
    const auto path = std::filesystem::path("/proc/self/fd") / entry->d_name;
    state.descriptors[descriptor] = std::filesystem::read_symlink(path, error).string();
  }
}

/// "default", "ignored" or "handled".
std::string DescribeAction(int signal) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0) return "";
  if ((action.sa_flags & SA_SIGINFO) != 0) return "handled";
  if (action.sa_handler == SIG_DFL) return "default";
  return action.sa_handler == SIG_IGN ? "ignored" : "handled";
}

/// Runtimes of languages handle the signals of faulty instructions, for code of their own.
/// Others send the rest, and the application may wait for it.
bool IsSentByOthers(int signal) {
  constexpr int kOfInstructions[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV};
  return std::find(std::begin(kOfInstructions), std::end(kOfInstructions), signal) ==
         std::end(kOfInstructions);
}

void AppendSignalActions(std::vector<WatchedValue>& values) {
  for (int signal = 1; signal < NSIG; ++signal) {
    values.push_back({spawn::GetSignalName(signal), DescribeAction(signal),
                      IsSentByOthers(signal) ? std::optional(Intrusion::kSignals) : std::nullopt});
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

/// Reads "1024 (at most unlimited)".
std::array<std::uint64_t, 2> ParseLimit(std::string_view text) {
  constexpr std::string_view kAtMost = " (at most ";
  std::array<std::uint64_t, 2> limits{UINT64_MAX, UINT64_MAX};  // what no number is: unlimited
  const std::size_t middle = std::min(text.find(kAtMost), text.size());
  std::from_chars(text.data(), text.data() + middle, limits[0]);
  const std::size_t hard = std::min(middle + kAtMost.size(), text.size());
  std::from_chars(text.data() + hard, text.data() + text.size(), limits[1]);
  return limits;
}

/// One that is raised takes nothing from anybody.
bool IsLowered(const std::string& before, const std::string& after) {
  const auto old_limits = ParseLimit(before);
  const auto new_limits = ParseLimit(after);
  return new_limits[0] < old_limits[0] || new_limits[1] < old_limits[1];
}

void Add(std::string change, std::optional<Intrusion> intrusion, StateChanges& changes) {
  changes.changes.push_back(std::move(change));
  if (intrusion) changes.intrusions.insert(*intrusion);
}

void AddNamed(const std::string& what, const std::string& how, std::optional<Intrusion> intrusion,
              StateChanges& changes) {
  changes.names.push_back(what);
  Add(what + how, intrusion, changes);
}

/// A value that could not be found out counts as unchanged.
void CompareValues(const std::vector<WatchedValue>& before, const std::vector<WatchedValue>& after,
                   StateChanges& changes) {
  const std::size_t num_values = std::min(before.size(), after.size());
  for (std::size_t i = 0; i < num_values; ++i) {
    const auto& [name, value, intrusion] = after[i];
    const std::string& old_value = before[i].value;
    if (old_value.empty() || value.empty() || old_value == value) continue;
    const bool is_raised = intrusion == Intrusion::kLimits && !IsLowered(old_value, value);
    AddNamed(name, " from " + old_value + " to " + value, is_raised ? std::nullopt : intrusion,
             changes);
  }
}

/// Values may be secrets: only the names are told.
void CompareEnvironment(const std::map<std::string, std::string>& before,
                        const std::map<std::string, std::string>& after, StateChanges& changes) {
  for (const auto& [name, value] : after) {
    const auto found = before.find(name);
    if (found == before.end()) {
      AddNamed("the environment variable " + name, ", which it set", std::nullopt, changes);
    } else if (found->second != value) {
      changes.names.push_back("the environment variable " + name);
      Add("the value of the environment variable " + name, std::nullopt, changes);
    }
  }
  for (const auto& [name, value] : before) {
    if (after.count(name) != 0) continue;
    AddNamed("the environment variable " + name, ", which it removed", std::nullopt, changes);
  }
}

void CompareDescriptors(const ProcessState& before, const ProcessState& after,
                        StateChanges& changes) {
  for (const auto& [descriptor, target] : after.descriptors) {
    if (before.descriptors.count(descriptor) != 0) continue;
    changes.descriptors_left.push_back(std::to_string(descriptor) + " (" + target + ')');
  }
  if (!after.are_descriptors_known) return;
  for (const auto& [descriptor, target] : before.descriptors) {
    const auto found = after.descriptors.find(descriptor);
    if (found != after.descriptors.end() && found->second == target) continue;
    Add("descriptor " + std::to_string(descriptor) + " (" + target + "), which it " +
            (found == after.descriptors.end() ? "closed" : "redirected to " + found->second),
        Intrusion::kDescriptors, changes);
  }
}

}  // namespace

ProcessState ReadProcessState(spawn::StatusFile& status) {
  status.Refresh();
  ProcessState state;
  ReadDescriptors(status.GetDescriptor(), state);
  state.values = ReadWatchedValues(status);
  AppendSignalActions(state.values);
  state.num_threads = static_cast<std::uint32_t>(std::atoi(status.Get("Threads").c_str()));
  state.environment = ReadEnvironment();
  return state;
}

StateChanges CompareProcessStates(const ProcessState& before, const ProcessState& after) {
  StateChanges changes;
  CompareValues(before.values, after.values, changes);
  CompareEnvironment(before.environment, after.environment, changes);
  CompareDescriptors(before, after, changes);
  if (after.num_threads > before.num_threads) {
    changes.num_threads_left = after.num_threads - before.num_threads;
  }
  return changes;
}

}  // namespace backplane::probing
