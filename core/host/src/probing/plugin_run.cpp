#include "probing/plugin_process.hpp"

#include "inspection/inspect_file.hpp"
#include "opening/shared_library.hpp"
#include "stages/open_backend.hpp"

#include <utility>

namespace backplane::probing {

PluginRun::PluginRun(const PluginFile& planned, ReportWriter& writer) : ladder(candidate, &writer) {
  candidate.path = planned.path;
  ladder.Begin(Stage::kOpen);
  auto [opened, failure] =
      discovery::OpenCandidateFile(planned.canonical_path, planned.canonical_path);
  if (failure || discovery::MakeFileStamp(opened.status) != planned.stamp) {
    ladder.Report(failure ? std::move(*failure) : discovery::DescribeChange(planned.path));
    return;
  }
  note = inspection::InspectFile(opened.descriptor.Get(), planned.path).note;
  file = std::move(opened);
}

void PluginRun::Open() {
  if (CanOpen()) backend = stages::OpenBackend(*file, note, candidate, ladder);
}

std::vector<MappedFile> ListWhatCounts(const std::vector<std::string>& others) {
  std::vector<MappedFile> files;
  for (const auto& paths :
       {opening::GetLoadedLibraries(), others, opening::GetSearchedDirectories()}) {
    for (const std::string& path : paths) files.push_back(StampFile(path));
  }
  return files;
}

}  // namespace backplane::probing
