#include "inspection/dependency_closure.hpp"

#include "inspection/file_words.hpp"
#include "inspection/format.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <set>
#include <utility>

namespace backplane::inspection {
namespace {

std::vector<std::string> GetStrings(const ElfFile& elf, std::int64_t tag) {
  std::vector<std::string> texts;
  for (const GElf_Dyn& entry : elf.GetDynamicEntries()) {
    if (entry.d_tag != tag) continue;
    if (const auto text = elf.GetDynamicString(entry.d_un.d_val)) texts.emplace_back(*text);
  }
  return texts;
}

std::string GetString(const ElfFile& elf, std::int64_t tag) {
  const std::vector<std::string> texts = GetStrings(elf, tag);
  return texts.empty() ? std::string() : texts.back();
}

std::string GetDirectory(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string DescribeChain(const Library& needed_by, const std::string& name) {
  std::string chain = name;
  for (const Library* library = &needed_by; library->needed_by != nullptr;
       library = library->needed_by) {
    chain.insert(0, library->name + " -> ");
  }
  return chain;
}

// Walks breadth first, as the loader does, because the first library of a name serves all.
class ClosureWalk {
 public:
  explicit ClosureWalk(const LibrarySearch& search) : search_(search) {}

  DependencyClosure Run(const Library& file) {
    Remember(file);
    AddNeeded(file);
    for (std::size_t i = 0; i < closure_.libraries.size(); ++i) AddNeeded(*closure_.libraries[i]);
    return std::move(closure_);
  }

 private:
  void Remember(const Library& library) {
    known_names_.insert(library.name);
    const std::string soname = ReadSoname(*library.elf);
    if (!soname.empty()) known_names_.insert(soname);
  }

  void AddNeeded(const Library& library) {
    for (const std::string& name : ReadNeeded(*library.elf)) {
      if (known_names_.insert(name).second) Add(name, library);
    }
  }

  void Add(const std::string& name, const Library& needed_by) {
    auto library = std::make_unique<Library>();
    library->name = name;
    library->needed_by = &needed_by;
    std::string not_taken;
    const auto is_usable = [&](const std::string& path) {
      return EndsSearch(path, *library, not_taken);
    };
    const LibrarySearchResult found = search_.Find(name, needed_by.requester, is_usable);
    if (!library->elf) {
      closure_.missing.push_back({DescribeChain(needed_by, name), found.searched, not_taken, name});
      return;
    }
    library->path = found.path;
    library->found_in = found.found_in;
    library->requester = ReadRequester(*library->elf, found.path);
    library->requester.needed_by = &needed_by.requester;
    Remember(*library);
    closure_.libraries.push_back(std::move(library));
  }

  // Opens what lies at a path. The loader goes on past a file that is absent, unreadable or for
  // another machine; any other fault ends its search, as a good file does.
  static bool EndsSearch(const std::string& path, Library& library, std::string& not_taken) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
      if (errno != ENOENT && errno != ENOTDIR) {
        not_taken = path + " cannot be opened: " + std::strerror(errno);
      }
      return false;
    }
    library.descriptor = discovery::FileDescriptor(descriptor);
    FormatResult format = CheckFormat(descriptor, path);
    if (!HasError(format.diagnostics)) {
      library.elf = std::make_unique<ElfFile>(std::move(*format.elf));
      return true;
    }
    const Diagnostic& fault =
        *std::find_if(format.diagnostics.begin(), format.diagnostics.end(), IsError);
    not_taken = path + " was found, but " + fault.what;
    return fault.code != DiagnosticCode::kWrongClass &&
           fault.code != DiagnosticCode::kWrongMachine &&
           fault.code != DiagnosticCode::kFileUnreadable;
  }

  const LibrarySearch& search_;
  DependencyClosure closure_;
  std::set<std::string> known_names_;
};

}  // namespace

DependencyClosure FindDependencies(const Library& file, const LibrarySearch& search) {
  return ClosureWalk(search).Run(file);
}

std::string ReadSoname(const ElfFile& elf) {
  return GetString(elf, DT_SONAME);
}

std::vector<std::string> ReadNeeded(const ElfFile& elf) {
  return GetStrings(elf, DT_NEEDED);
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
  const discovery::FileDescriptor descriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!descriptor.IsOpen() || fstat(descriptor.Get(), &status) != 0) return {};
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  const std::optional<ElfFile> elf =
      ElfFile::Open(descriptor.Get(), static_cast<std::uint64_t>(status.st_size), nullptr);
  if (!elf || length <= 0) return {};
  return ReadRequester(*elf, std::string(path, static_cast<std::size_t>(length)));
}

}  // namespace backplane::inspection
