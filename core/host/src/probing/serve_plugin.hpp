#pragma once

#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"

namespace backplane::probing {

/// The descriptors of a program that serves, besides the pipe of the account: the socket over which
/// the host asks, that over which it is told, and the pipe of what the plugin prints.
constexpr int kServeCalls = 4;
constexpr int kServeNotices = 5;
constexpr int kServeOutput = 6;

/// Of all descriptors but the standard ones, keeps the two sockets. For the plugin's process.
void KeepSockets();

/// Opens the plugin and does with it what the host asks for, until the host closes the socket. For
/// a process that does nothing else.
[[noreturn]] void ServePlugin(const ProbeRequest& request, SharedReport& report);

}  // namespace backplane::probing
