#include "conflicts/host_process.hpp"

#include "backend/shared_library.hpp"
#include "conflicts/pending_opening.hpp"
#include "diagnostics/file_words.hpp"
#include "elf/machine.hpp"
#include "libraries/dependency_closure.hpp"
#include "libraries/loaded_libraries.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <climits>
#include <cstdlib>
#include <utility>

namespace backplane::conflicts {
namespace {

using libraries::SharedObject;

std::string FindOwnProgram() {
  char path[PATH_MAX];
  return realpath("/proc/self/exe", path) != nullptr ? path : "/proc/self/exe";
}

void AddFile(std::string path, std::string soname, HostProcess& process) {
  if (!soname.empty()) process.names.insert(soname);
  process.files.push_back({std::move(path), std::move(soname)});
}

/// Everything that a program has when it has started, in the order in which it is searched.
using Objects = std::vector<std::shared_ptr<const SharedObject>>;

std::vector<std::string> ListDefiners(const Objects& objects, const std::string& symbol) {
  std::vector<std::string> paths;
  for (const auto& object : objects) {
    if (object->symbols && object->symbols->FindExported(symbol)) paths.push_back(object->path);
  }
  return paths;
}

}  // namespace

HostProcess DescribeThisProcess() {
  HostProcess process;
  process.num_openings = PendingOpening::CountEnded();
  AddFile(FindOwnProgram(), "", process);
  for (libraries::LoadedLibrary& library : libraries::ListLoadedLibraries()) {
    AddFile(std::move(library.path), std::move(library.soname), process);
  }
  process.static_tls = StaticTlsReserve::OfThisProcess();
  process.find_global_definer = backend::FindGlobalDefiner;
  process.list_definers = backend::FindLibrariesThatDefine;
  return process;
}

std::optional<HostProcess> DescribeProgram(const std::string& path) {
  libraries::Library program;
  program.name = diagnostics::GetFileName(path);
  program.object = ReadProgramFile(path);
  if (!program.object) return std::nullopt;
  program.requester = program.object->requester;
  const libraries::LibrarySearch search(libraries::LoaderEnvironment::OfThisProcess());
  libraries::SharedObjects read;
  const auto closure = libraries::FindDependencies(program, search, read);
  HostProcess process;
  Objects objects{program.object};
  AddFile(path, "", process);
  for (const auto& library : closure.libraries) {
    process.names.insert(library->name);
    AddFile(library->object->path, library->object->soname, process);
    objects.push_back(library->object);
  }
  process.static_tls = StaticTlsReserve::OfNewProcess();
  process.list_definers = [objects](const std::string& symbol) {
    return ListDefiners(objects, symbol);
  };
  process.find_global_definer = [objects = std::move(objects)](const std::string& symbol) {
    const auto definers = ListDefiners(objects, symbol);
    return definers.empty() ? std::string() : definers.front();
  };
  return process;
}

std::shared_ptr<const SharedObject> ReadProgramFile(const std::string& path) {
  wire::FileDescriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!descriptor.IsOpen() || fstat(descriptor.Get(), &status) != 0) return nullptr;
  if (!S_ISREG(status.st_mode)) return nullptr;
  auto elf = elf::File::Open(descriptor.Get(), static_cast<std::uint64_t>(status.st_size));
  const bool is_program =
      elf && elf->GetHeader().e_machine == elf::kHostMachine && !elf->GetDynamicEntries().empty();
  if (!is_program) return nullptr;
  return libraries::ReadSharedObject(path, std::move(descriptor), std::move(*elf));
}

}  // namespace backplane::conflicts
