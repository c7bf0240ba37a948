#include "probing/inspected_plugin.hpp"

#include "inspection/inspect_file.hpp"
#include "opening/shared_library.hpp"
#include "sandbox/enter_sandbox.hpp"

#include <sys/stat.h>

#include <string>
#include <utility>

namespace backplane::probing {

std::optional<InspectedPlugin> OpenInspected(const PluginFile& file,
                                             stages::CandidateLadder& ladder) {
  auto [opened, failure] = discovery::OpenCandidateFile(file.canonical_path, file.canonical_path);
  if (failure || discovery::MakeFileStamp(opened.status) != file.stamp) {
    ladder.Report(failure ? std::move(*failure) : discovery::DescribeChange(file.path));
    return std::nullopt;
  }
  auto note = inspection::InspectFile(opened.descriptor.Get(), file.path).note;
  return InspectedPlugin{std::move(opened), note};
}

void EnterSandbox(const sandbox::SandboxPlan& plan, const InspectedPlugin& plugin,
                  const std::string& path, stages::CandidateLadder& ladder) {
  auto failure =
      sandbox::EnterSandbox(plan, {plugin.file.descriptor.Get(), path, plugin.file.canonical_path});
  if (failure) ladder.Report(std::move(*failure));
}

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

}  // namespace backplane::probing
