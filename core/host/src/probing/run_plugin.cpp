#include "probing/run_plugin.hpp"

#include "discovery/candidate_file.hpp"
#include "inspection/inspect_file.hpp"
#include "opening/shared_library.hpp"
#include "probing/death_notes.hpp"
#include "probing/probe_account.hpp"
#include "probing/process_state.hpp"
#include "stages/create_stage.hpp"
#include "stages/open_backend.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace backplane::probing {
namespace {

/// Writes what is about to happen into the report.
class ReportWriter final : public progress::ProgressObserver {
 public:
  explicit ReportWriter(SharedReport& report) : report_(report) {}

  void OnStage(Stage stage) override {
    SetCall("");
    report_.stage.store(static_cast<std::uint32_t>(stage));
  }
  void OnCall(const char* function) override { SetCall(function); }

  void SetCall(std::string_view function) {
    EndIfCopy();
    CopyText(report_.call, SharedReport::kMaxCallBytes, function);
  }

 private:
  /// A plugin that forks and returns twice would have everything done twice, here as in an
  /// application.
  void EndIfCopy() const {
    if (getpid() == process_) return;
    report_.has_copy.store(1);
    _exit(0);
  }

  SharedReport& report_;
  const pid_t process_ = getpid();
};

CandidateStatus CreateBackend(const DynamicBackend& backend, Candidate& candidate,
                              stages::CandidateLadder& ladder) {
  auto outcome = stages::RunCreateStage(backend, creation::Questions::kAll, {}, candidate, ladder);
  progress::AnnounceCall(ladder.GetObserver(), "the destructor of its context");
  outcome.context.context = {};
  progress::AnnounceCall(ladder.GetObserver(), "the destructor of its allocator");
  outcome.context = {};
  return outcome.status_when_passed;
}

/// What the verdict rests on: all libraries that are open, and the directories in which a file that
/// comes to be would be taken instead of one of them.
std::vector<MappedFile> ListWhatCounts() {
  std::vector<std::string> paths = opening::GetLoadedLibraries();
  const std::vector<std::string> directories = opening::GetSearchedDirectories();
  paths.insert(paths.end(), directories.begin(), directories.end());
  std::vector<MappedFile> files;
  for (const std::string& path : paths) {
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    files.push_back({path, exists ? discovery::MakeFileStamp(status) : discovery::FileStamp{}});
  }
  return files;
}

std::optional<AbiNote> ReadNote(const discovery::CandidateFile& file, const std::string& path) {
  return inspection::InspectFile(file.descriptor.Get(), path).note;
}

/// Closes the library, and then ends as a program does, because handlers that the plugin left
/// behind run only then. Code of threads that still run must not be unmapped under them.
[[noreturn]] void End(std::shared_ptr<DynamicBackend> backend, bool has_threads,
                      ReportWriter& writer, SharedReport& report) {
  if (has_threads) {
    report.is_closed.store(1);
    report.is_ended.store(1);
    _exit(0);
  }
  writer.SetCall("dlclose");
  backend.reset();
  writer.SetCall("exit");
  report.is_closed.store(1);
  std::exit(0);
}

}  // namespace

void WriteReport(const PluginReport& plugin, SharedReport& report) {
  const std::string body = EncodeReport(plugin);
  if (body.size() <= SharedReport::kMaxBodyBytes) body.copy(report.body, body.size());
  report.body_bytes.store(static_cast<std::uint32_t>(body.size()));
}

void RunPlugin(const ProbeRequest& request, SharedReport& report) {
  ReportWriter writer(report);
  PluginReport plugin;
  Candidate& candidate = plugin.candidate;
  candidate.path = request.path;
  stages::CandidateLadder ladder(candidate, &writer);
  ladder.Begin(Stage::kOpen);
  auto [file, failure] =
      discovery::OpenCandidateFile(request.canonical_path, request.canonical_path);
  std::shared_ptr<DynamicBackend> backend;
  StatusFile status;
  ProcessState before;
  if (failure || discovery::MakeFileStamp(file.status) != request.stamp) {
    ladder.Report(failure ? std::move(*failure) : discovery::DescribeChange(request.path));
  } else {
    const auto note = ReadNote(file, request.path);
    LeaveDeathNotes(report);
    before = ReadProcessState(status);
    backend = stages::OpenBackend(file, note, candidate, ladder);
  }
  CandidateStatus status_when_passed = CandidateStatus::kLoaded;
  if (backend && !ladder.HasFailed() && request.depth == ProbeDepth::kCreate) {
    status_when_passed = CreateBackend(*backend, candidate, ladder);
  }
  ladder.Finish(status_when_passed);
  writer.SetCall("look");
  if (backend) plugin.state = CompareProcessStates(before, ReadProcessState(status));
  candidate.changed_state = plugin.state.names;
  candidate.intrusions.assign(plugin.state.intrusions.begin(), plugin.state.intrusions.end());
  plugin.files = ListWhatCounts();
  WriteReport(plugin, report);
  End(std::move(backend), plugin.state.num_threads_left != 0, writer, report);
}

}  // namespace backplane::probing
