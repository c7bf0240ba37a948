#include "probing/serve_plugin.hpp"

#include "inspection/file_words.hpp"
#include "probing/death_notes.hpp"
#include "probing/enter_sandbox.hpp"
#include "probing/inspected_plugin.hpp"
#include "probing/report_writer.hpp"
#include "serving/served_backend.hpp"
#include "stages/candidate_ladder.hpp"
#include "stages/open_backend.hpp"

#include <backplane/host/dynamic_backend.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

namespace backplane::probing {
namespace {

// In the plugin's process they come first.
constexpr int kCalls = 3;
constexpr int kNotices = 4;

Diagnostic DescribeLostSockets(const std::string& path) {
  return inspection::DescribeFile(
      DiagnosticCode::kIntrusiveBackend, path, "closed descriptors that are not its own",
      "those over which the host asks its process were closed, or others took their place; "
      "expected it to close what it opened itself",
      "vendor: close no descriptor by its number alone");
}

wire::Missing Serve(const DynamicBackend& backend, ReportWriter& writer) {
  serving::HostLine line(kCalls);
  serving::Notices notices(kNotices);
  writer.SetCall("BackendFactory");
  const PluginObject<IBackendInternal> object = backend.CreateBackend();
  serving::ServedBackend served(*object.Share(), line, notices);
  return served.Serve([&](const char* function) {
    writer.SetCall(function != nullptr ? function : SharedReport::kBesides);
  });
}

}  // namespace

void KeepSockets() {
  dup2(kServeCalls, kCalls);
  dup2(kServeNotices, kNotices);
  fcntl(kCalls, F_SETFD, FD_CLOEXEC);
  fcntl(kNotices, F_SETFD, FD_CLOEXEC);
  closefrom(kNotices + 1);
}

void ServePlugin(const ProbeRequest& request, SharedReport& report) {
  ReportWriter writer(report);
  PluginReport plugin;
  Candidate& candidate = plugin.candidate;
  candidate.path = request.files.front().path;
  stages::CandidateLadder ladder(candidate, &writer);
  LeaveDeathNotes(report);
  ladder.Begin(Stage::kOpen);
  auto inspected = OpenInspected(request.files.front(), ladder);
  if (inspected) EnterSandbox(request.sandbox, *inspected, candidate.path, ladder);
  std::shared_ptr<DynamicBackend> backend;
  if (inspected && !ladder.HasFailed()) {
    backend = stages::OpenBackend(inspected->file, inspected->note, candidate, ladder);
  }
  if (backend && !ladder.HasFailed()) {
    ladder.Begin(Stage::kCreate);
    try {
      const wire::Missing missing = Serve(*backend, writer);
      if (missing == wire::Missing::kSocketLost) {
        ladder.Report(DescribeLostSockets(candidate.path));
      }
    } catch (const DiagnosticException& exception) {
      ladder.Report(exception.GetDiagnostic());
    }
  }
  ladder.Finish(CandidateStatus::kLoaded);
  writer.WriteFindings(plugin);
  // The host needs nothing of it any more, and has destroyed what it made; threads that the plugin
  // left may be in its code.
  writer.SetClosed();
  writer.EndAtOnce();
}

}  // namespace backplane::probing
