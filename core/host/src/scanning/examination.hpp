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

/// One candidate on its way through the stages, with what was read of it so far.
struct Examination {
  Candidate candidate;
  probing::CandidateLadder ladder{candidate};
  files::CandidateFile file;
  std::optional<AbiNote> note;
  std::optional<inspection::Manifest> manifest;
  std::shared_ptr<const conflicts::FileAccount>
      account;                                   // null: not read, or a stage before failed
  std::chrono::nanoseconds account_duration{0};  // that reading it took
  spawn::HeldSlot* slot = nullptr;  // of the thread that looks ahead, as long as it does
  std::shared_ptr<const DynamicBackend> backend;  // opened and created in this process
  LoadedContext context;                          // of that one
  bool opens_libraries = false;                   // when it runs, as its file says
  bool is_opened = false;                         // the file could be opened, whatever came then
  bool was_read = false;                          // as far as the stages let it
  bool has_run_elsewhere = false;                 // in a process of its own, whatever came then
  bool is_trusted = true;    // false: its owner, mode or digest refused it, or those of its path
  bool is_finished = false;  // the candidate has its status

  /// Runs a part of it; what is thrown meanwhile finishes it.
  template <typename Part>
  void Contain(const Part& part) {
    if (!probing::Contain(candidate, ladder, part)) Finish(CandidateStatus::kRejected);
  }

  /// There may be more candidates than a process may have open files.
  void CloseFile() { file.descriptor = wire::FileDescriptor(); }

  /// Closes the library, when it is open.
  void CloseBackend() {
    context = {};
    backend.reset();
  }

  void Finish(CandidateStatus status_when_passed) {
    ladder.Finish(status_when_passed);
    is_finished = true;
  }
};

}  // namespace backplane::scanning
