#include "harness/usage.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace backplane::check_backend {
namespace {

std::int64_t CountEntries(const char* directory) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(directory, error);
  return error ? 0 : std::distance(begin(entries), end(entries));
}

std::int64_t CountLines(const char* path) {
  std::ifstream file(path);
  return std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n');
}

std::string DescribeHandler(const struct sigaction& action) {
  if ((action.sa_flags & SA_SIGINFO) == 0) {
    if (action.sa_handler == SIG_DFL) return "the default";
    if (action.sa_handler == SIG_IGN) return "ignored";
  }
  char text[40];
  std::snprintf(text, sizeof(text), "the handler at %p",
                reinterpret_cast<void*>(action.sa_handler));
  return text;
}

void AddSignals(ProcessState& state) {
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    struct sigaction action {};
    const char* const name = sigabbrev_np(signal);
    if (name == nullptr || sigaction(signal, nullptr, &action) != 0) continue;
    state["what SIG" + std::string(name) + " does"] = DescribeHandler(action);
  }
}

void AddEnvironment(ProcessState& state) {
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::size_t end = text.find('=');
    state["the variable " + text.substr(0, end)] =
        "\"" + (end == std::string::npos ? "" : text.substr(end + 1)) + "\"";
  }
}

void AddLimits(ProcessState& state) {
  struct Limit {
    const char* name;
    __rlimit_resource resource;
  };
  for (const Limit& limit : {Limit{"the limit of open files", RLIMIT_NOFILE},
                             Limit{"the limit of the stack", RLIMIT_STACK},
                             Limit{"the limit of locked memory", RLIMIT_MEMLOCK}}) {
    rlimit value{};
    if (getrlimit(limit.resource, &value) == 0) state[limit.name] = std::to_string(value.rlim_cur);
  }
}

std::string ReadTimer() {
  itimerval timer{};
  getitimer(ITIMER_REAL, &timer);
  const bool is_set = timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0;
  return is_set ? "set" : "not set";
}

std::string ReadUmask() {
  const mode_t mask = umask(0);
  umask(mask);
  return std::to_string(mask);
}

}  // namespace

const char* GetResourceText(Resource resource) {
  switch (resource) {
    case Resource::kHeapBytes:
      return "bytes of memory";
    case Resource::kDescriptors:
      return "descriptors";
    case Resource::kThreads:
      return "threads";
    case Resource::kMappings:
      return "mappings";
    case Resource::kMappedBytes:
      return "bytes in mappings";
  }
  return "";
}

std::int64_t CountResource(Resource resource) {
  switch (resource) {
    case Resource::kHeapBytes: {
      const auto info = mallinfo2();
      return static_cast<std::int64_t>(info.uordblks + info.hblkhd);
    }
    case Resource::kDescriptors:
      return CountEntries("/proc/self/fd");
    case Resource::kThreads:
      return CountEntries("/proc/self/task");
    case Resource::kMappings:
      return CountLines("/proc/self/maps");
    case Resource::kMappedBytes: {
      // The kernel makes one of mappings that lie side by side.
      std::int64_t num_pages = 0;
      std::ifstream("/proc/self/statm") >> num_pages;
      return num_pages * sysconf(_SC_PAGESIZE);
    }
  }
  return 0;
}

ProcessState ReadProcessState() {
  ProcessState state;
  std::error_code ignored;
  state["the working directory"] = std::filesystem::current_path(ignored).string();
  state["the umask"] = ReadUmask();
  const char* const locale = std::setlocale(LC_ALL, nullptr);
  state["the locale"] = locale != nullptr ? locale : "";
  state["the timer"] = ReadTimer();
  AddSignals(state);
  AddEnvironment(state);
  AddLimits(state);
  return state;
}

std::vector<std::string> DescribeChanges(const ProcessState& before, const ProcessState& after) {
  std::vector<std::string> changes;
  const std::string nothing = "not there";
  for (const auto& [name, value] : after) {
    const auto old = before.find(name);
    if (old != before.end() && old->second == value) continue;
    std::string change = name;
    change += " was " + (old == before.end() ? nothing : old->second);
    change += ", and is " + value;
    changes.push_back(change + " now");
  }
  for (const auto& [name, value] : before) {
    if (after.count(name) != 0) continue;
    std::string change = name;
    change += " was " + value;
    changes.push_back(change + ", and is gone now");
  }
  return changes;
}

}  // namespace backplane::check_backend
