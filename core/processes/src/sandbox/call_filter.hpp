#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::sandbox {

/// The choices of a filter of system calls, besides the table system_calls.def.
struct CallSettings {
  pid_t process = 0;  // to which it may send signals, and whose processors it may choose
  bool may_use_network = false;
  bool may_start_processes = false;
  bool may_choose_processors = true;
  bool may_control_devices = false;
};

/// Empties every set of capabilities of this thread, and of what it starts, for ever. The set that
/// bounds what programs could gain stays full where only the superuser may empty it; a process that
/// gave up new privileges gains nothing by it. Returns errno, or 0.
int GiveUpCapabilities();

/// The filter as the kernel takes it. Empty: there is none for this machine.
std::vector<sock_filter> MakeCallFilter(const CallSettings& settings);

/// Makes this thread, and all that it starts, subject to the filter for ever. Returns errno, or 0.
/// The process must have given up new privileges.
int InstallCallFilter(const std::vector<sock_filter>& filter);

/// "socket", or "the system call 1234" for one that has no name here.
std::string GetCallName(std::uint64_t number);

/// The permission that would allow it, "network"; "": there is none.
std::string GetPermissionForCall(std::uint64_t number);

}  // namespace backplane::sandbox
