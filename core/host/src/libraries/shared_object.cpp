#include "libraries/shared_object.hpp"

#include "diagnostics/file_words.hpp"
#include "elf/defined_versions.hpp"
#include "inspection/format.hpp"

#include <backplane/host/system_refusal.hpp>

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

namespace backplane::libraries {
namespace {

// The loader goes on past a file that is absent, unreadable or for another machine; any other fault
// ends its search, as a good file does.
FoundFile ReadFile(const std::string& path) {
  FoundFile found;
  wire::FileDescriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!descriptor.IsOpen()) {
    if (errno != ENOENT && errno != ENOTDIR) {
      const int error = errno;
      found.fault = path + " cannot be opened: " + std::strerror(error);
      if (const auto refusal = ExplainRefusal(error)) {
        found.fault += "; found: " + refusal->found;
        found.refusal = error;
      }
    }
    return found;
  }
  inspection::FormatResult format = inspection::CheckFormat(descriptor.Get(), path);
  if (!diagnostics::HasError(format.diagnostics)) {
    found.object = ReadSharedObject(path, std::move(descriptor), std::move(*format.elf));
    found.ends_search = true;
    return found;
  }
  const Diagnostic& fault =
      *std::find_if(format.diagnostics.begin(), format.diagnostics.end(), diagnostics::IsError);
  found.fault = path + " was found, but " + fault.what;
  found.is_of_other_machine = fault.code == DiagnosticCode::kWrongClass ||
                              fault.code == DiagnosticCode::kWrongMachine ||
                              fault.code == DiagnosticCode::kWrongByteOrder;
  found.ends_search = !found.is_of_other_machine && fault.code != DiagnosticCode::kFileUnreadable;
  return found;
}

}  // namespace

std::shared_ptr<const SharedObject> ReadSharedObject(const std::string& path,
                                                     wire::FileDescriptor descriptor,
                                                     elf::File elf) {
  auto object = std::make_shared<SharedObject>();
  object->path = path;
  object->descriptor = std::move(descriptor);
  object->elf = std::make_unique<elf::File>(std::move(elf));
  object->soname = elf::ReadSoname(*object->elf);
  object->needed = elf::ReadNeeded(*object->elf);
  object->requester = elf::ReadRequester(*object->elf, path);
  object->needed_versions = elf::NeededVersions(*object->elf).GetAll();
  object->defined_versions = elf::ReadDefinedVersions(*object->elf);
  object->symbols = elf::SymbolTable::Open(*object->elf);
  return object;
}

elf::LibraryRequester ReadProgram() {
  const wire::FileDescriptor descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!descriptor.IsOpen() || fstat(descriptor.Get(), &status) != 0) return {};
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  const std::optional<elf::File> elf =
      elf::File::Open(descriptor.Get(), static_cast<std::uint64_t>(status.st_size));
  if (!elf || length <= 0) return {};
  return elf::ReadRequester(*elf, std::string(path, static_cast<std::size_t>(length)));
}

const FoundFile& SharedObjects::Get(const std::string& path) {
  static const FoundFile kNothing;
  const auto known = files_.find(path);
  if (known != files_.end()) return known->second;
  FoundFile found = ReadFile(path);
  // Where nothing is costs less to see again than to remember.
  if (!found.object && found.fault.empty()) return kNothing;
  return files_.emplace(path, std::move(found)).first->second;
}

}  // namespace backplane::libraries
