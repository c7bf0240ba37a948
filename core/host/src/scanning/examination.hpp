#pragma once

#include "conflicts/file_account.hpp"
#include "files/candidate_file.hpp"
#include "inspection/manifest.hpp"
#include "probing/candidate_ladder.hpp"
#include "probing/contain.hpp"
#include "probing/probe_file.hpp"

#include <backplane/api/abi_note.hpp>
#include <backplane/host/contexts.hpp>
#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/load_report.hpp>

#include <chrono>
#include <memory>
#include <optional>

namespace backplane::scanning {

/// The statements of a candidate's file, read before its code runs. Made once, and never changed.
struct InspectedCandidate {
  std::optional<AbiNote> note;
  std::optional<inspection::Manifest> manifest;
  std::shared_ptr<const conflicts::FileAccount> account;  // null: a stage before failed
  std::chrono::nanoseconds account_duration{0};           // that reading it took
  bool opens_libraries = false;                           // when it runs, as the file says
};

/// A backend that was opened and created in this process.
struct OpenedBackend {
  std::shared_ptr<const DynamicBackend> backend;
  LoadedContext context;  // goes before the library
};

/// One candidate on its way through the stages: the record of what happened, and what each stage
/// made of what the one before it gave.
struct Examination {
  Candidate candidate;
  probing::CandidateLadder ladder{candidate};
  std::optional<files::CandidateFile> file;     // nothing: it is disabled, or cannot be opened
  std::optional<InspectedCandidate> inspected;  // nothing: not read, or not trusted
  std::optional<OpenedBackend> opened;
  spawn::HeldSlot* slot = nullptr;  // of the thread that looks ahead, as long as it does
  bool has_run_in_child = false;    // in a process of its own, whatever came then
  bool is_trusted = true;    // false: its owner, mode or digest refused it, or those of its path
  bool is_finished = false;  // the candidate has its status

  /// Runs a part of it; what is thrown meanwhile finishes it.
  template <typename Part>
  void Contain(const Part& part) {
    if (!probing::Contain(candidate, ladder, part)) Finish(CandidateStatus::kRejected);
  }

  /// There may be more candidates than a process may have open files.
  void CloseFile() {
    if (file) file->descriptor = wire::FileDescriptor();
  }

  void Finish(CandidateStatus status_when_passed) {
    ladder.Finish(status_when_passed);
    is_finished = true;
  }
};

}  // namespace backplane::scanning
