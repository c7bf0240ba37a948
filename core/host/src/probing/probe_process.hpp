#pragma once

#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"
#include "spawn/processor_slots.hpp"

#include <string>

#include <sys/types.h>

namespace backplane::probing {

/// What came of running the probe.
struct ProbeRun {
  ReceivedAccount received;
  std::string failure;     // why there is no account; "" when there is one
  bool is_killed = false;  // by another process, or the system
  int start_error = 0;     // errno, when it was not started
  bool is_started = false;
  pid_t process = -1;  // its number, as long as it was there
};

/// Starts the probe for one plugin, waits for its account, and leaves nothing behind. Changes
/// nothing in this process, and does not mind what it does with SIGCHLD.
/// Null: without `place`, there is none that could be given to another while the plugin sleeps.
/// Threads: any.
ProbeRun RunProbe(const std::string& program, const ProbeRequest& request, spawn::HeldSlot* place);

}  // namespace backplane::probing
