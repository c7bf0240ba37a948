#include "inspection/shared_object.hpp"

#include "inspection/defined_versions.hpp"
#include "inspection/file_words.hpp"
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

namespace backplane::inspection {
namespace {

// The last one counts.
std::string GetString(const ElfFile& elf, std::int64_t tag) {
  const std::optional<std::uint64_t> offset = elf.FindDynamicValue(tag);
  return std::string(offset ? elf.GetDynamicString(*offset).value_or("") : "");
}

std::string GetDirectory(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

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
  FormatResult format = CheckFormat(descriptor.Get(), path);
  if (!HasError(format.diagnostics)) {
    found.object = ReadSharedObject(path, std::move(descriptor), std::move(*format.elf));
    found.ends_search = true;
    return found;
  }
  const Diagnostic& fault =
      *std::find_if(format.diagnostics.begin(), format.diagnostics.end(), IsError);
  found.fault = path + " was found, but " + fault.what;
  found.is_of_other_machine = fault.code == DiagnosticCode::kWrongClass ||
                              fault.code == DiagnosticCode::kWrongMachine ||
                              fault.code == DiagnosticCode::kWrongByteOrder;
  found.ends_search = !found.is_of_other_machine && fault.code != DiagnosticCode::kFileUnreadable;
  return found;
}

}  // namespace

std::shared_ptr<const SharedObject> ReadSharedObject(const std::string& path,
                                                     wire::FileDescriptor descriptor, ElfFile elf) {
  auto object = std::make_shared<SharedObject>();
  object->path = path;
  object->descriptor = std::move(descriptor);
  object->elf = std::make_unique<ElfFile>(std::move(elf));
  object->soname = ReadSoname(*object->elf);
  object->needed = ReadNeeded(*object->elf);
  object->requester = ReadRequester(*object->elf, path);
  object->needed_versions = NeededVersions(*object->elf).GetAll();
  object->defined_versions = ReadDefinedVersions(*object->elf);
  object->symbols = SymbolTable::Open(*object->elf);
  return object;
}

std::string ReadSoname(const ElfFile& elf) {
  return GetString(elf, DT_SONAME);
}

std::vector<std::string> ReadNeeded(const ElfFile& elf) {
  std::vector<std::string> names;
  names.reserve(4);  // as many as most files have
  for (const ElfDynamic& entry : elf.GetDynamicEntries()) {
    if (entry.d_tag != DT_NEEDED) continue;
    if (const auto name = elf.GetDynamicString(entry.d_un.d_val)) names.emplace_back(*name);
  }
  return names;
}

LibraryRequester ReadRequester(const ElfFile& elf, const std::string& path) {
  LibraryRequester requester;
  requester.origin = GetDirectory(path);
  requester.rpath = GetString(elf, DT_RPATH);
  requester.runpath = GetString(elf, DT_RUNPATH);
  requester.has_runpath = elf.FindDynamicValue(DT_RUNPATH).has_value();
  const std::uint64_t flags = elf.FindDynamicValue(DT_FLAGS_1).value_or(0);
  requester.uses_default_directories = (flags & DF_1_NODEFLIB) == 0;
  return requester;
}

LibraryRequester ReadProgram() {
  const wire::FileDescriptor descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!descriptor.IsOpen() || fstat(descriptor.Get(), &status) != 0) return {};
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  const std::optional<ElfFile> elf =
      ElfFile::Open(descriptor.Get(), static_cast<std::uint64_t>(status.st_size));
  if (!elf || length <= 0) return {};
  return ReadRequester(*elf, std::string(path, static_cast<std::size_t>(length)));
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

}  // namespace backplane::inspection
