#include "probing/inspect_after_death.hpp"

#include "discovery/candidate_file.hpp"
#include "inspection/inspect_file.hpp"
#include "opening/shared_library.hpp"
#include "probing/probe_account.hpp"
#include "probing/run_plugin.hpp"
#include "stages/candidate_ladder.hpp"

#include <unistd.h>

#include <utility>

namespace backplane::probing {

void InspectAfterDeath(const ProbeRequest& request, SharedReport& report) {
  PluginReport plugin;
  plugin.candidate.path = request.path;
  stages::CandidateLadder ladder(plugin.candidate);
  ladder.Begin(Stage::kOpen);
  auto [file, failure] =
      discovery::OpenCandidateFile(request.canonical_path, request.canonical_path);
  if (failure || discovery::MakeFileStamp(file.status) != request.stamp) _exit(0);
  ladder.FailWithoutReason();
  ladder.Stop();
  auto found = inspection::InspectDependencies(file.descriptor.Get(), request.path,
                                               request.canonical_path, opening::IsDefinedInProcess);
  ladder.Add(Stage::kDependencies, found.duration, std::move(found.diagnostics));
  if (!ladder.HasFailed()) _exit(0);
  ladder.Finish(CandidateStatus::kRejected);
  WriteReport(plugin, report);
  _exit(0);
}

}  // namespace backplane::probing
