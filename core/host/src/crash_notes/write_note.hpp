#pragma once

#include <ucontext.h>

#include <csignal>

namespace backplane::crash_notes {

/// Writes which signal came, and where each thread was; the thread that got it, first.
/// [async-signal-safe] [one at a time]
void WriteSignalNote(int signal, const siginfo_t& info, const ucontext_t& context);

/// Writes that the process ends by exit when a thread is in a backend. [async-signal-safe]
void WriteExitNote();

}  // namespace backplane::crash_notes
