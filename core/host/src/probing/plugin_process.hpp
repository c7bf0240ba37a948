#pragma once

/// What the process does that runs a plugin. It does nothing else, as it may die.

#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"

#include <sys/types.h>

namespace backplane::probing {

/// The descriptors of a program that serves, besides the pipe of the account: the socket over which
/// the host asks, that over which it is told, and the pipe of what the plugin prints.
constexpr int kServeCalls = 4;
constexpr int kServeNotices = 5;
constexpr int kServeOutput = 6;

/// Does with plugins what the request asks for, in a process that `supervisor` has just forked.
/// Prints to `out` and `error`, writes into the report how far it came and what was found, and ends
/// the process as programs end.
[[noreturn]] void BecomePlugin(const ProbeRequest& request, SharedReport& report, pid_t supervisor,
                               int out, int error);

/// Does what a program does with several backends: opens its libraries, opens each backend and
/// makes its context, until one fails; lets go of all of them. What is reported is the backend that
/// came last.
[[noreturn]] void RunTogether(const ProbeRequest& request, ReportWriter& writer);

/// Looks whether the libraries that a backend needs say why the loader died of it, for example
/// because one is cut short, and writes what was found into the report, or nothing: files that kill
/// the loader may kill this process too.
[[noreturn]] void InspectAfterDeath(const ProbeRequest& request, SharedReport& report,
                                    pid_t supervisor);

}  // namespace backplane::probing
