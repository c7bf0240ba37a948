#include "probing/run_plugin.hpp"

#include "opening/shared_library.hpp"
#include "probing/death_notes.hpp"
#include "probing/enter_sandbox.hpp"
#include "probing/inspected_plugin.hpp"
#include "probing/process_state.hpp"
#include "probing/report_writer.hpp"
#include "stages/create_stage.hpp"
#include "stages/open_backend.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace backplane::probing {
namespace {

/// `devices` are those that it has open as long as it has its context.
CandidateStatus CreateBackend(const DynamicBackend& backend, Candidate& candidate,
                              stages::CandidateLadder& ladder, std::vector<std::string>& devices) {
  auto outcome = stages::RunCreateStage(backend, creation::Questions::kAll, {}, candidate, ladder);
  devices = FindOpenDevices();
  progress::AnnounceCall(ladder.GetObserver(), "the destructor of its context");
  outcome.context.context = {};
  progress::AnnounceCall(ladder.GetObserver(), "the destructor of its allocator");
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
  writer.SetCall("exit");
  writer.SetClosed();
  std::exit(0);
}

}  // namespace

void RunPlugin(const ProbeRequest& request, SharedReport& report) {
  ReportWriter writer(report);
  PluginReport plugin;
  Candidate& candidate = plugin.candidate;
  candidate.path = request.files.front().path;
  stages::CandidateLadder ladder(candidate, &writer);
  LeaveDeathNotes(report);
  ladder.Begin(Stage::kOpen);
  auto inspected = OpenInspected(request.files.front(), ladder);
  std::shared_ptr<DynamicBackend> backend;
  spawn::StatusFile status;
  ProcessState before;
  const bool is_sandboxed = request.sandbox.sandbox != Sandbox::kNone;
  if (inspected && is_sandboxed) {
    EnterSandbox(request.sandbox, *inspected, candidate.path, ladder);
  }
  if (inspected && !ladder.HasFailed()) {
    before = ReadProcessState(status);
    backend = stages::OpenBackend(inspected->file, inspected->note, candidate, ladder);
  }
  const std::size_t num_libraries = opening::GetLoadedLibraries().size();
  std::vector<std::string> devices;
  CandidateStatus status_when_passed = CandidateStatus::kLoaded;
  if (backend && !ladder.HasFailed() && request.depth != ProbeDepth::kIdentify) {
    status_when_passed = CreateBackend(*backend, candidate, ladder, devices);
  }
  const bool is_usable = !ladder.HasFailed() && status_when_passed == CandidateStatus::kLoaded;
  if (backend && is_usable && request.depth == ProbeDepth::kMeasure) {
    candidate.times = request.measure(*backend, [&](const std::string& network) {
      writer.SetCall("the measured network \"" + network + '"');
    });
  }
  ladder.Finish(status_when_passed);
  writer.SetCall("look");
  if (backend) plugin.state = CompareProcessStates(before, ReadProcessState(status));
  candidate.changed_state = plugin.state.names;
  candidate.intrusions.assign(plugin.state.intrusions.begin(), plugin.state.intrusions.end());
  // A driver that is opened late is there because of a device.
  const bool opens_late = opening::GetLoadedLibraries().size() > num_libraries;
  if (opens_late) devices.emplace_back("/dev");
  plugin.state.are_threads_own = !opens_late && !opening::HasThreadRuntime();
  plugin.files = ListWhatCounts(devices);
  writer.WriteFindings(plugin);
  End(std::move(backend), plugin.state.num_threads_left != 0, writer);
}

}  // namespace backplane::probing
