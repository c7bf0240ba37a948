#include "joint_run/program_libraries.hpp"

#include "inspection/loaded_libraries.hpp"

#include <set>
#include <string>

namespace backplane::joint_run {
namespace {

/// Paths and SONAMEs of the library that has an address, and of what it needs.
std::set<std::string> ListNames(const void* address) {
  std::set<std::string> names;
  for (inspection::LoadedLibrary& library : inspection::ListLoadedNeeds(address)) {
    names.insert(std::move(library.soname));
    names.insert(std::move(library.path));
  }
  return names;
}

}  // namespace

std::vector<probing::ProgramLibrary> ListProgramLibraries(const company::HostProcess& host,
                                                          WhoseProcess process) {
  static const char kHere = 0;
  const auto of_probe = ListNames(&kHere);
  const auto of_program = ListNames(nullptr);
  std::vector<probing::ProgramLibrary> libraries;
  for (std::size_t i = 1; i < host.files.size(); ++i) {
    const auto& [path, soname] = host.files[i];
    // The loader would open a second one of a name that the probe has at another path.
    const bool has_probe =
        of_probe.count(path) != 0 || (!soname.empty() && of_probe.count(soname) != 0);
    if (has_probe) continue;
    libraries.push_back({path, process == WhoseProcess::kOther || of_program.count(path) != 0});
  }
  return libraries;
}

}  // namespace backplane::joint_run
