#include "probing/plugin_process.hpp"

#include "backend/shared_library.hpp"
#include "probing/create_stage.hpp"
#include "probing/loader_trace.hpp"
#include "probing/process_state.hpp"

#include <deque>
#include <utility>
#include <vector>

namespace backplane::probing {
namespace {

/// One that an application would have open.
struct Member {
  Member(const PluginFile& file, ReportWriter& writer) : run(file, writer) {}
  PluginRun run;
  LoadedContext context;
};

/// Makes its context, or says in the ladder why not.
void Create(Member& member) {
  PluginRun& run = member.run;
  CandidateStatus status_when_passed = CandidateStatus::kRejected;
  run.Open();
  run.file.reset();
  if (run.IsOpen()) {
    auto outcome =
        RunCreateStage(*run.backend, backend::Questions::kEssential, {}, run.candidate, run.ladder);
    status_when_passed = outcome.status_when_passed;
    member.context = std::move(outcome.context);
  }
  run.ladder.Finish(status_when_passed);
}

/// Opens the program's libraries. Whatever they do at their start, the program has lived with it.
void OpenLibraries(const std::vector<ProgramLibrary>& libraries, ReportWriter& writer) {
  writer.OnStage(Stage::kOpen);
  for (std::size_t i = 0; i < libraries.size(); ++i) {
    writer.SetMember(i);
    AnnounceNoConstructor();
    backend::OpenForGood(libraries[i].path, libraries[i].is_seen_by_all
                                                ? backend::Visibility::kAll
                                                : backend::Visibility::kOwn);
  }
}

/// Lets all go as a program would: the last one first, contexts before libraries.
/// Libraries stay open while threads that may be in them still run.
template <typename HasThreads>
void LetGo(std::deque<Member>& open, std::size_t first_member, const HasThreads& has_threads,
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
    open[i].run.backend.reset();
  }
}

}  // namespace

void RunTogether(const ProbeRequest& request, ReportWriter& writer) {
  OpenLibraries(request.libraries, writer);
  const std::size_t first_member = request.libraries.size();
  spawn::StatusFile status;
  const std::uint32_t num_threads = ReadProcessState(status).num_threads;
  std::deque<Member> open;
  do {
    writer.SetMember(first_member + open.size());
    AnnounceNoConstructor();
    Create(open.emplace_back(request.files[open.size()], writer));
  } while (open.back().run.candidate.status == CandidateStatus::kLoaded &&
           open.size() < request.files.size());
  PluginReport& plugin = open.back().run.plugin;
  plugin.files = ListWhatCounts();
  writer.WriteFindings(plugin);
  // One that failed here has said so; nobody asks what comes of the others after it.
  if (plugin.candidate.status != CandidateStatus::kLoaded) writer.EndAtOnce();
  const auto has_threads = [&] { return ReadProcessState(status).num_threads > num_threads; };
  LetGo(open, first_member, has_threads, writer);
  writer.End();
}

}  // namespace backplane::probing
