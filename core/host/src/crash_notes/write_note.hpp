#pragma once

#include <csignal>
#include <cstdint>

namespace backplane::crash_notes {

/// Where a thread was when a signal interrupted it. Zeros: not known for this processor.
struct MachineContext {
  std::uint64_t code = 0;
  std::uint64_t stack = 0;
};

/// Writes which signal came, and where each thread was; the thread that got it, first.
/// [async-signal-safe] [one at a time]
void WriteSignalNote(const char* signal_name, const siginfo_t& info, const MachineContext& context);

/// Writes that the process ends by exit when a thread is in a backend. [async-signal-safe]
void WriteExitNote();

}  // namespace backplane::crash_notes
