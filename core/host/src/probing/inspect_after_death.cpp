#include "probing/inspect_after_death.hpp"

#include "discovery/candidate_file.hpp"
#include "inspection/inspect_file.hpp"
#include "opening/shared_library.hpp"
#include "probing/probe_account.hpp"
#include "probing/report_writer.hpp"
#include "stages/candidate_ladder.hpp"

#include <unistd.h>

#include <utility>

namespace backplane::probing {

void InspectAfterDeath(const ProbeRequest& request, SharedReport& report) {
  const PluginFile& examined = request.files.front();
  PluginReport plugin;
  plugin.candidate.path = examined.path;
  stages::CandidateLadder ladder(plugin.candidate);
  ladder.Begin(Stage::kOpen);
  auto [file, failure] =
      discovery::OpenCandidateFile(examined.canonical_path, examined.canonical_path);
  if (failure || discovery::MakeFileStamp(file.status) != examined.stamp) _exit(0);
  ladder.FailWithoutReason();
  ladder.Stop();
  auto found = inspection::InspectDependencies(
      file.descriptor.Get(), examined.path, examined.canonical_path, opening::IsDefinedInProcess);
  ladder.Add(Stage::kDependencies, found.duration, std::move(found.diagnostics));
  if (!ladder.HasFailed()) _exit(0);
  ladder.Finish(CandidateStatus::kRejected);
  ReportWriter(report).WriteFindings(plugin);
  _exit(0);
}

}  // namespace backplane::probing
