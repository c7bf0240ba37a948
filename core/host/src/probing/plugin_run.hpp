#pragma once

#include "discovery/candidate_file.hpp"
#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"
#include "probing/shared_report.hpp"
#include "stages/candidate_ladder.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/dynamic_backend.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

/// The way of one plugin through the stages, in the process that runs it.
struct PluginRun {
  /// Begins to open it. The ladder fails when it is not the file any more that was inspected.
  PluginRun(const PluginFile& planned, ReportWriter& writer);

  bool CanOpen() const { return file && !ladder.HasFailed(); }
  void Open();
  bool IsOpen() const { return backend && !ladder.HasFailed(); }

  PluginReport plugin;
  Candidate& candidate = plugin.candidate;
  stages::CandidateLadder ladder;
  std::optional<discovery::CandidateFile> file;  // nothing: it is another one
  std::optional<AbiNote> note;
  std::shared_ptr<DynamicBackend> backend;
};

/// Takes from this process what the plan does not leave it, for ever. For a process in which
/// nothing runs but a plugin, before that is opened; it must have no other thread. What of it
/// cannot be done fails the ladder; the plugin must not be opened then.
void EnterSandbox(const SandboxPlan& plan, PluginRun& run);

/// The device files that are open in this process.
std::vector<std::string> FindOpenDevices();

/// The verdict rests on these: all libraries that are open, the directories in which a file that
/// comes to be would be taken instead of one of them, and `others`.
std::vector<MappedFile> ListWhatCounts(const std::vector<std::string>& others = {});

}  // namespace backplane::probing
