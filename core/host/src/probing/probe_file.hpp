#pragma once

#include "files/candidate_file.hpp"
#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"
#include "spawn/processor_slots.hpp"

#include <backplane/host/scan.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace backplane::probing {

/// The result of running a plugin, or several together, in a process of its own.
struct ProbeVerdict {
  Candidate candidate;            // status, stage, stages, identity and diagnostics
  std::vector<MappedFile> files;  // that the plugin's process had mapped; empty: not known
  bool is_run = false;            // there was a process, and it gave an account
  bool has_died = false;          // that process did not come to an end of its own
  bool is_own_status = false;     // the status is what that process reported
  std::size_t member = 0;         // of several, counted from the first library: whose turn it was
};

/// How code of a backend is run to find out about it.
struct ProbeTerms {
  const ProbeSettings& settings;
  SandboxPlan sandbox = {};
};

/// The program that runs so far: the probe that these settings mean, or the one beside it, in which
/// an isolated backend works.
std::string FindProgram(const ProbeSettings& settings, ProbeDepth depth);

/// Runs the stages that execute code of an inspected file, in a process of its own. `stated` is the
/// version in its ABI note, when it has one.
/// Null: without `slot`, none is given to another while the plugin sleeps.
/// Errors: none; when the probe cannot be started the verdict says so.
/// Threads: any.
ProbeVerdict ProbeFile(const files::CandidateFile& file, const std::string& path, ProbeDepth depth,
                       const std::optional<BackendVersion>& stated, const ProbeTerms& terms,
                       spawn::HeldSlot* slot);

/// Opens libraries and makes backends of files, one after the other, in one process, and lets go of
/// all of them. The candidate is the one whose turn it was when that failed, or the last; its path
/// is that of a library when a library's it was. There is one file at least; the timeout of the
/// settings is for each. Errors and threads: as ProbeFile.
ProbeVerdict ProbeTogether(std::vector<ProgramLibrary> libraries, std::vector<PluginFile> files,
                           const ProbeSettings& settings);

}  // namespace backplane::probing
