#include "profiling/opening_events.hpp"

#include "profiling/clock.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace backplane::profiling {

namespace {

// Adds the spans of one stage, as events of a lane.
void AddStage(const StageRecord& stage, std::uint32_t lane, Profile& profile) {
  for (const StageSpan& span : stage.in_this_process) {
    if (ToNanoseconds(span.begin) < profile.begin_ns) continue;
    ProfileEvent event;
    event.kind = ProfileEventKind::kOpening;
    event.lane = lane;
    event.name = GetStageName(stage.stage);
    event.begin_ns = ToNanoseconds(span.begin);
    event.end_ns = ToNanoseconds(span.end);
    event.has_failed = stage.has_failed;
    profile.events.push_back(std::move(event));
  }
}

std::string GetFileName(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

void AddOpenings(const LoadReport& report, Profile& profile) {
  for (const Candidate& candidate : report.candidates) {
    const auto lane = static_cast<std::uint32_t>(profile.lanes.size());
    const std::size_t num_before = profile.events.size();
    for (const StageRecord& stage : candidate.stages) AddStage(stage, lane, profile);
    if (profile.events.size() == num_before) continue;
    profile.lanes.push_back({"", "open " + GetFileName(candidate.path)});
  }
}

}  // namespace backplane::profiling
