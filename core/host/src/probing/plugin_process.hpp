#pragma once

/// The process that runs a plugin. It does nothing else, as it may die.

#include "files/candidate_file.hpp"
#include "probing/candidate_ladder.hpp"
#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/dynamic_backend.hpp>

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
/// makes its context, until one fails; lets go of all of them. The report is that of the backend
/// that came last.
[[noreturn]] void RunTogether(const ProbeRequest& request, ReportWriter& writer);

/// Looks whether the libraries that a backend needs say why the loader died of it, for example
/// because one is cut short, and writes what was found into the report, or nothing: files that kill
/// the loader may kill this process too.
[[noreturn]] void InspectAfterDeath(const ProbeRequest& request, SharedReport& report,
                                    pid_t supervisor);

/// The way of one plugin through the stages, in the process that runs it.
struct PluginRun {
  /// Begins to open it. The ladder fails when it is not the file any more that was inspected.
  PluginRun(const PluginFile& planned, ReportWriter& writer);

  bool CanOpen() const { return file && !ladder.HasFailed(); }
  void Open();
  bool IsOpen() const { return backend && !ladder.HasFailed(); }

  PluginReport plugin;
  Candidate& candidate = plugin.candidate;
  CandidateLadder ladder;
  std::optional<files::CandidateFile> file;  // nothing: it is another one
  std::optional<AbiNote> note;
  std::shared_ptr<DynamicBackend> backend;
};

/// Takes from this process what the plan does not leave it, for ever. For a process in which
/// nothing runs but a plugin, before that is opened; it must have no other thread. A step that
/// cannot be taken fails the ladder; the plugin must not be opened then.
void EnterSandbox(const SandboxPlan& plan, PluginRun& run);

/// The verdict rests on these: all libraries that are open, the directories in which a file that
/// comes to be would be taken instead of one of them, and `others`.
std::vector<MappedFile> ListWhatCounts(const std::vector<std::string>& others = {});

}  // namespace backplane::probing
