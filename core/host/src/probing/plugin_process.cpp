#include "probing/plugin_process.hpp"

#include "backend/shared_library.hpp"
#include "diagnostics/file_words.hpp"
#include "inspection/inspect_file.hpp"
#include "probing/create_stage.hpp"
#include "probing/open_backend.hpp"
#include "probing/process_state.hpp"
#include "serving/served_backend.hpp"
#include "spawn/ends.hpp"
#include "spawn/watcher_signals.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace backplane::probing {
namespace {

// In the plugin's process the sockets come first.
constexpr int kCalls = 3;
constexpr int kNotices = 4;

/// The device files that are open in this process.
std::vector<std::string> FindOpenDevices() {
  // Memory, terminals and their likes are devices everywhere.
  constexpr unsigned kMemory = 1;
  constexpr unsigned kTerminals = 4;
  constexpr unsigned kConsoles = 5;
  constexpr unsigned kFirstPseudoTerminals = 136;
  constexpr unsigned kLastPseudoTerminals = 143;
  std::vector<std::string> devices;
  std::error_code error;
  std::filesystem::directory_iterator next("/proc/self/fd", error);
  for (; !error && next != std::filesystem::directory_iterator(); next.increment(error)) {
    struct stat status {};
    if (::stat(next->path().c_str(), &status) != 0) continue;
    if (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode)) continue;
    const unsigned kind = major(status.st_rdev);
    const bool is_common = kind == kMemory || kind == kTerminals || kind == kConsoles ||
                           (kind >= kFirstPseudoTerminals && kind <= kLastPseudoTerminals);
    std::error_code gone;
    const auto target = std::filesystem::read_symlink(next->path(), gone);
    if (!is_common && !gone) devices.push_back(target.string());
  }
  return devices;
}

/// `devices` are those that it has open as long as it has its context.
CandidateStatus CreateBackend(const DynamicBackend& backend, Candidate& candidate,
                              CandidateLadder& ladder, std::vector<std::string>& devices) {
  auto outcome = RunCreateStage(backend, backend::Questions::kAll, {}, candidate, ladder);
  devices = FindOpenDevices();
  backend::AnnounceCall(ladder.GetObserver(), "the destructor of its context");
  outcome.context.context = {};
  backend::AnnounceCall(ladder.GetObserver(), "the destructor of its allocator");
  outcome.context = {};
  return outcome.status_when_passed;
}

/// Closes the library, and then ends as a program does, because handlers that the plugin left
/// behind run only then. Code of threads that still run must not be unmapped under them.
[[noreturn]] void End(std::shared_ptr<DynamicBackend> backend, bool has_threads,
                      ReportWriter& writer) {
  if (has_threads) writer.EndAtOnce();
  writer.SetCall("dlclose");
  backend.reset();
  writer.End();
}

/// Opens a plugin, identifies it and creates its backend.
[[noreturn]] void RunPlugin(const ProbeRequest& request, ReportWriter& writer) {
  PluginRun run(request.files.front(), writer);
  auto& [plugin, candidate, ladder, file, note, backend] = run;
  spawn::StatusFile status;
  ProcessState before;
  if (file && request.sandbox.sandbox != Sandbox::kNone) EnterSandbox(request.sandbox, run);
  if (run.CanOpen()) before = ReadProcessState(status);
  run.Open();
  const std::size_t num_libraries = backend::GetLoadedLibraries().size();
  std::vector<std::string> devices;
  CandidateStatus status_when_passed = CandidateStatus::kLoaded;
  if (run.IsOpen() && request.depth != ProbeDepth::kIdentify) {
    status_when_passed = CreateBackend(*backend, candidate, ladder, devices);
  }
  ladder.Finish(status_when_passed);
  writer.SetCall("look");
  if (backend) plugin.state = CompareProcessStates(before, ReadProcessState(status));
  candidate.changed_state = plugin.state.names;
  candidate.intrusions.assign(plugin.state.intrusions.begin(), plugin.state.intrusions.end());
  // A driver that is opened late is there because of a device.
  const bool opens_late = backend::GetLoadedLibraries().size() > num_libraries;
  if (opens_late) devices.emplace_back("/dev");
  plugin.state.are_threads_own = !opens_late && !backend::HasThreadRuntime();
  plugin.files = ListWhatCounts(devices);
  writer.WriteFindings(plugin);
  End(std::move(backend), plugin.state.num_threads_left != 0, writer);
}

Diagnostic DescribeLostSockets(const std::string& path) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kIntrusiveBackend, path, "closed descriptors that are not its own",
      "those over which the host asks its process were closed, or others took their place; "
      "expected it to close what it opened itself",
      "vendor: close no descriptor by its number alone");
}

wire::Found Serve(const DynamicBackend& backend, ReportWriter& writer) {
  serving::HostLine line(kCalls);
  serving::Notices notices(kNotices);
  writer.SetCall("BackendFactory");
  const PluginObject<IBackendInternal> object = backend.CreateBackend();
  serving::ServedBackend served(*object.Share(), line, notices);
  return served.Serve([&](const char* function) {
    writer.SetCall(function != nullptr ? function : SharedReport::kBesides);
  });
}

/// Opens the plugin and does with it what the host asks for, until the host closes the socket.
[[noreturn]] void ServePlugin(const ProbeRequest& request, ReportWriter& writer) {
  PluginRun run(request.files.front(), writer);
  if (run.file) EnterSandbox(request.sandbox, run);
  run.Open();
  if (run.IsOpen()) {
    run.ladder.Begin(Stage::kCreate);
    try {
      const wire::Found found = Serve(*run.backend, writer);
      if (found == wire::Found::kSocketLost) {
        run.ladder.Report(DescribeLostSockets(run.candidate.path));
      }
    } catch (const DiagnosticException& exception) {
      run.ladder.Report(exception.GetDiagnostic());
    }
  }
  run.ladder.Finish(CandidateStatus::kLoaded);
  writer.WriteFindings(run.plugin);
  // The host needs nothing of it any more, and has destroyed what it made; threads that the plugin
  // left may be in its code.
  writer.EndAtOnce();
}

/// Keeps the two sockets and the standard descriptors, and closes all others.
void KeepSockets() {
  dup2(kServeCalls, kCalls);
  dup2(kServeNotices, kNotices);
  fcntl(kCalls, F_SETFD, FD_CLOEXEC);
  fcntl(kNotices, F_SETFD, FD_CLOEXEC);
  closefrom(kNotices + 1);
}

}  // namespace

PluginRun::PluginRun(const PluginFile& planned, ReportWriter& writer) : ladder(candidate, &writer) {
  candidate.path = planned.path;
  ladder.Begin(Stage::kOpen);
  auto [opened, failure] = files::OpenCandidateFile(planned.canonical_path, planned.canonical_path);
  if (failure || files::MakeFileStamp(opened.status) != planned.stamp) {
    ladder.Report(failure ? std::move(*failure) : files::DescribeChange(planned.path));
    return;
  }
  note = inspection::InspectFile(opened.descriptor.Get(), planned.path).note;
  file = std::move(opened);
}

void PluginRun::Open() {
  if (CanOpen()) backend = OpenBackend(*file, note, candidate, ladder);
}

std::vector<MappedFile> ListWhatCounts(const std::vector<std::string>& others) {
  std::vector<MappedFile> files;
  for (const auto& paths :
       {backend::GetLoadedLibraries(), others, backend::GetSearchedDirectories()}) {
    for (const std::string& path : paths) files.push_back(StampFile(path));
  }
  return files;
}

void BecomePlugin(const ProbeRequest& request, SharedReport& report, pid_t supervisor, int out,
                  int error) {
  spawn::EndWithParent(supervisor);
  setsid();
  dup2(out, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  if (request.depth == ProbeDepth::kServe) {
    KeepSockets();
  } else {
    closefrom(STDERR_FILENO + 1);
  }
  spawn::WatcherSignals::Restore();
  spawn::BoundChild(request.max_data_bytes);
  ReportWriter writer(report);
  LeaveDeathNotes(report);
  if (request.depth == ProbeDepth::kTogether) RunTogether(request, writer);
  if (request.depth == ProbeDepth::kServe) ServePlugin(request, writer);
  RunPlugin(request, writer);
}

void InspectAfterDeath(const ProbeRequest& request, SharedReport& report, pid_t supervisor) {
  spawn::EndWithParent(supervisor);
  spawn::BoundChild(0);
  ReportWriter writer(report);
  PluginRun run(request.files.front(), writer);
  if (!run.file) _exit(0);
  run.ladder.FailWithoutReason();
  run.ladder.Stop();
  auto found =
      libraries::InspectDependencies(run.file->descriptor.Get(), run.candidate.path,
                                     run.file->canonical_path, backend::IsDefinedInProcess);
  run.ladder.Add(Stage::kDependencies, found.duration, std::move(found.diagnostics));
  if (!run.ladder.HasFailed()) _exit(0);
  run.ladder.Finish(CandidateStatus::kRejected);
  writer.WriteFindings(run.plugin);
  _exit(0);
}

}  // namespace backplane::probing
