#include <backplane/host/thread_state.hpp>

#include "spawn/ends.hpp"
#include "threads/float_control.hpp"

#include <pthread.h>

#include <cstring>

namespace backplane {
namespace {

struct Row {
  ThreadStatePart part;
  const char* text;
  const char* consequence;
};

constexpr Row kThreadStates[] = {
#define BACKPLANE_THREAD_STATE(name, text, consequence) \
  {ThreadStatePart::k##name, text, consequence},
#include <backplane/host/thread_states.def>
#undef BACKPLANE_THREAD_STATE
};

std::string DescribeBlocked(const sigset_t& blocked) {
  std::string list;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&blocked, signal) != 1) continue;
    list += (list.empty() ? "" : ", ") + spawn::GetSignalName(signal);
  }
  return list.empty() ? "none" : list;
}

}  // namespace

const char* GetThreadStateText(ThreadStatePart part) {
  return kThreadStates[static_cast<std::uint32_t>(part)].text;
}

const char* GetThreadStateConsequence(ThreadStatePart part) {
  return kThreadStates[static_cast<std::uint32_t>(part)].consequence;
}

ThreadState ThreadState::Read() noexcept {
  ThreadState state;
  const threads::FloatControl control = threads::ReadFloatControl();
  std::memcpy(state.float_control_, control.words, sizeof(control.words));
  // The system fills only the signals that it has.
  sigemptyset(&state.blocked_);
  pthread_sigmask(SIG_BLOCK, nullptr, &state.blocked_);
  state.locale_ = uselocale(locale_t{});
  return state;
}

bool ThreadState::IsCurrent() const noexcept {
  const ThreadState now = Read();
  return std::memcmp(float_control_, now.float_control_, sizeof(float_control_)) == 0 &&
         std::memcmp(&blocked_, &now.blocked_, sizeof(blocked_)) == 0 && locale_ == now.locale_;
}

std::vector<ThreadStateChange> ThreadState::Restore() const {
  const ThreadState now = Read();
  threads::FloatControl control;
  std::memcpy(control.words, float_control_, sizeof(control.words));
  threads::WriteFloatControl(control);
  pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
  uselocale(locale_);
  std::vector<ThreadStateChange> changes;
  for (const Row& row : kThreadStates) {
    std::string before = Describe(row.part);
    std::string after = now.Describe(row.part);
    if (row.part == ThreadStatePart::kLocale ? locale_ != now.locale_ : before != after) {
      changes.push_back({row.part, std::move(before), std::move(after)});
    }
  }
  return changes;
}

std::string ThreadState::Describe(ThreadStatePart part) const {
  threads::FloatControl control;
  std::memcpy(control.words, float_control_, sizeof(control.words));
  switch (part) {
    case ThreadStatePart::kRounding:
      return threads::DescribeRounding(control);
    case ThreadStatePart::kDenormals:
      return threads::DescribeDenormals(control);
    case ThreadStatePart::kTraps:
      return threads::DescribeTraps(control);
    case ThreadStatePart::kPrecision:
      return threads::DescribePrecision(control);
    case ThreadStatePart::kBlockedSignals:
      return DescribeBlocked(blocked_);
    case ThreadStatePart::kLocale:
      return locale_ == LC_GLOBAL_LOCALE ? "that of the process" : "one of its own";
  }
  return "";
}

}  // namespace backplane
