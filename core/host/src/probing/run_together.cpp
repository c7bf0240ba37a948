#include "probing/plugin_process.hpp"

#include "opening/shared_library.hpp"
#include "probing/inspected_plugin.hpp"
#include "probing/loader_trace.hpp"
#include "probing/process_state.hpp"
#include "probing/report_writer.hpp"
#include "stages/create_stage.hpp"
#include "stages/open_backend.hpp"

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace backplane::probing {
namespace {

struct OpenBackend {
  std::shared_ptr<DynamicBackend> backend;
  LoadedContext context;
};

/// One that an application would have open, or why not, in the ladder.
OpenBackend Open(const PluginFile& file, Candidate& candidate, stages::CandidateLadder& ladder) {
  OpenBackend open;
  ladder.Begin(Stage::kOpen);
  auto inspected = OpenInspected(file, ladder);
  CandidateStatus status_when_passed = CandidateStatus::kRejected;
  if (inspected) {
    open.backend = stages::OpenBackend(inspected->file, inspected->note, candidate, ladder);
  }
  if (open.backend && !ladder.HasFailed()) {
    auto outcome = stages::RunCreateStage(*open.backend, creation::Questions::kEssential, {},
                                          candidate, ladder);
    status_when_passed = outcome.status_when_passed;
    open.context = std::move(outcome.context);
  }
  ladder.Finish(status_when_passed);
  return open;
}

/// What the program's libraries do at their start is not looked at: the program has lived with it.
void OpenLibraries(const std::vector<ProgramLibrary>& libraries, ReportWriter& writer) {
  writer.OnStage(Stage::kOpen);
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    writer.SetMember(i);
    AnnounceNoConstructor();
    opening::OpenForGood(libraries[i].path, libraries[i].is_seen_by_all
                                                ? opening::Visibility::kAll
                                                : opening::Visibility::kOwn);
  }
}

/// In the order in which they would be let go: the last one first, contexts before libraries.
/// What threads that still run may be in stays open.
template <typename HasThreads>
void LetGo(std::vector<OpenBackend> open, std::size_t first_member, const HasThreads& has_threads,
           ReportWriter& writer) {
  for (std::size_t i = open.size(); i-- > 0;) {
    writer.SetMember(first_member + i);
    writer.SetCall("the destructor of its context");
    open[i].context = {};
  }
  if (has_threads()) writer.EndAtOnce();
  for (std::size_t i = open.size(); i-- > 0;) {
    writer.SetMember(first_member + i);
    writer.SetCall("dlclose");
    open[i].backend.reset();
  }
}

}  // namespace

void RunTogether(const ProbeRequest& request, SharedReport& report) {
  ReportWriter writer(report);
  LeaveDeathNotes(report);
  OpenLibraries(request.libraries, writer);
  const std::size_t first_member = request.libraries.size();
  spawn::StatusFile status;
  const std::uint32_t num_threads = ReadProcessState(status).num_threads;
  PluginReport plugin;
  std::vector<OpenBackend> open;
  for (std::size_t i = 0; i < request.files.size(); ++i) {
    writer.SetMember(first_member + i);
    AnnounceNoConstructor();
    Candidate& candidate = plugin.candidate = Candidate();
    candidate.path = request.files[i].path;
    stages::CandidateLadder ladder(candidate, &writer);
    open.push_back(Open(request.files[i], candidate, ladder));
    if (candidate.status != CandidateStatus::kLoaded) break;
  }
  plugin.files = ListWhatCounts();
  writer.WriteFindings(plugin);
  // One that failed here has said so; nobody asks what comes of the others behind it.
  if (plugin.candidate.status != CandidateStatus::kLoaded) writer.EndAtOnce();
  const auto has_threads = [&] { return ReadProcessState(status).num_threads > num_threads; };
  LetGo(std::move(open), first_member, has_threads, writer);
  writer.SetCall("exit");
  writer.SetClosed();
  std::exit(0);
}

}  // namespace backplane::probing
