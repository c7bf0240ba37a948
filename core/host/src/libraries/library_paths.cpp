#include "libraries/dependency_inspector.hpp"

#include "diagnostics/file_words.hpp"
#include "inspection/abi_notes.hpp"
#include "inspection/format.hpp"
#include "libraries/dependency_closure.hpp"
#include "libraries/late_libraries.hpp"

#include <memory>
#include <utility>

namespace backplane::libraries {
namespace {

/// Follows files to the libraries that they need.
class PathCollector {
 public:
  explicit PathCollector(const Library& file)
      : file_(file), search_(LoaderEnvironment::OfThisProcess()) {}

  std::vector<std::string> Collect() {
    Add(FindDependencies(file_, search_, objects_));
    for (const LateLibrary& late :
         ReadLateLibraries(inspection::ReadAbiNotes(*file_.object->elf).late_libraries).libraries) {
      for (const std::string& soname : late.sonames) AddLate(soname);
    }
    return std::move(paths_);
  }

 private:
  void Add(const DependencyClosure& closure) {
    for (const auto& library : closure.libraries) paths_.push_back(library->object->path);
  }

  void AddLate(const std::string& soname) {
    Library late;
    late.name = soname;
    late.object = FindLibrary(soname, file_.requester, search_, objects_, num_places_).object;
    if (!late.object) return;
    late.requester = late.object->requester;
    late.requester.needed_by = &file_.requester;
    paths_.push_back(late.object->path);
    Add(FindDependencies(late, search_, objects_));
  }

  const Library& file_;
  LibrarySearch search_;
  SharedObjects objects_;
  std::uint64_t num_places_ = 0;
  std::vector<std::string> paths_;
};

}  // namespace

std::vector<std::string> FindLibraryPaths(int descriptor, const std::string& canonical_path) {
  inspection::FormatResult format = inspection::CheckFormat(descriptor, canonical_path);
  if (!format.elf) return {};
  const elf::LibraryRequester program = ReadProgram();
  Library file;
  file.name = diagnostics::GetFileName(canonical_path);
  file.object = ReadSharedObject(canonical_path, wire::FileDescriptor(), std::move(*format.elf));
  file.requester = file.object->requester;
  file.requester.needed_by = &program;
  return PathCollector(file).Collect();
}

}  // namespace backplane::libraries
