#include "library/process_state.hpp"

#include <cstddef>
#include <cstdlib>

namespace backplane {
namespace opencl {
namespace {

/// PoCL sets it so that hwloc opens no plugins.
constexpr const char* kVariables[] = {"HWLOC_PLUGINS_PATH"};

bool DoSame(const struct sigaction& a, const struct sigaction& b) {
  // The two members for the handler are one.
  return a.sa_handler == b.sa_handler && a.sa_flags == b.sa_flags;
}

std::mutex mutex_of_process;

}  // namespace

ProcessState::ProcessState() : lock_(mutex_of_process) {
  for (int signal = 1; signal < kNumSignals; ++signal) {
    static_cast<void>(sigaction(signal, nullptr, &actions_[static_cast<std::size_t>(signal)]));
  }
  for (const char* variable : kVariables) {
    if (std::getenv(variable) == nullptr) unset_variables_.push_back(variable);
  }
}

ProcessState::~ProcessState() {
  for (int signal = 1; signal < kNumSignals; ++signal) {
    const struct sigaction& before = actions_[static_cast<std::size_t>(signal)];
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) != 0 || DoSame(before, now)) continue;
    static_cast<void>(sigaction(signal, &before, nullptr));
  }
  for (const char* variable : unset_variables_) {
    if (std::getenv(variable) != nullptr) static_cast<void>(unsetenv(variable));
  }
}

}  // namespace opencl
}  // namespace backplane
