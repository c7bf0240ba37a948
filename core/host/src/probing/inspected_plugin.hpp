#pragma once

#include "discovery/candidate_file.hpp"
#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"
#include "stages/candidate_ladder.hpp"

#include <backplane/api/abi_note.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

/// A file of a request, in the process that is to run it.
struct InspectedPlugin {
  discovery::CandidateFile file;
  std::optional<AbiNote> note;
};

/// Nothing: it is not the file any more that was inspected, and the ladder says so.
std::optional<InspectedPlugin> OpenInspected(const PluginFile& file,
                                             stages::CandidateLadder& ladder);

/// Takes from this process what the plan does not leave it, for ever. For a process in which
/// nothing runs but a plugin, before that is opened; it must have no other thread. What of it
/// cannot be done fails the ladder; the plugin must not be opened then. `path` is for words.
void EnterSandbox(const SandboxPlan& plan, const InspectedPlugin& plugin, const std::string& path,
                  stages::CandidateLadder& ladder);

/// The device files that are open in this process.
std::vector<std::string> FindOpenDevices();

/// The verdict rests on these: all libraries that are open, the directories in which a file that
/// comes to be would be taken instead of one of them, and `others`.
std::vector<MappedFile> ListWhatCounts(const std::vector<std::string>& others = {});

}  // namespace backplane::probing
