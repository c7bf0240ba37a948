#include "probing/plugin_run.hpp"

#include "inspection/inspect_file.hpp"
#include "opening/shared_library.hpp"
#include "stages/open_backend.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <system_error>
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

std::vector<MappedFile> ListWhatCounts(const std::vector<std::string>& others) {
  std::vector<std::string> paths = opening::GetLoadedLibraries();
  paths.insert(paths.end(), others.begin(), others.end());
  const std::vector<std::string> directories = opening::GetSearchedDirectories();
  paths.insert(paths.end(), directories.begin(), directories.end());
  std::vector<MappedFile> files;
  for (const std::string& path : paths) files.push_back(StampFile(path));
  return files;
}

}  // namespace backplane::probing
