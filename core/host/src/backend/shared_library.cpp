// The only place that opens and closes libraries and looks for symbols. (What is loaded already is
// also listed in inspection, with dl_iterate_phdr.)

#include "backend/shared_library.hpp"

#include <backplane/host/thread_places.hpp>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <iterator>
#include <set>

namespace backplane::backend {
namespace {

/// Libraries whose threads wait for work of others.
constexpr const char* kThreadRuntimes[] = {"libgomp.so.1", "libomp.so.5", "libiomp5.so",
                                           "libtbb.so.12"};

/// The loader's own list, RPATH, RUNPATH and LD_LIBRARY_PATH expanded.
void AddSearchedDirectories(void* handle, std::set<std::string>& directories) {
  Dl_serinfo size{};
  if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) != 0) return;
  std::vector<char> memory(size.dls_size);
  auto* list = reinterpret_cast<Dl_serinfo*>(memory.data());
  if (dlinfo(handle, RTLD_DI_SERINFOSIZE, list) != 0) return;
  if (dlinfo(handle, RTLD_DI_SERINFO, list) != 0) return;
  for (unsigned i = 0; i < list->dls_cnt; ++i) directories.insert(list->dls_serpath[i].dls_name);
}

/// The function loads nothing: a library that is not there stays away.
void KeepIfLoaded(const char* name) {
  void* const handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (handle != nullptr) dlclose(handle);
}

/// dlsym looks into the library first, but then into what it needs.
bool DefinesItself(void* handle, const char* symbol) {
  const link_map* library = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &library) != 0) return false;
  const void* address = dlsym(handle, symbol);
  Dl_info info{};
  link_map* object = nullptr;
  return address != nullptr &&
         dladdr1(address, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0 &&
         object == library;
}

}  // namespace

SharedLibrary::OpenResult SharedLibrary::Open(const std::string& path) {
  OpenResult result;
  dlerror();  // what an earlier call left must not be taken for ours
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* text = dlerror();
    result.loader_text = text != nullptr ? text : "the loader gave no reason";
    return result;
  }
  NoteLibraries();
  result.library = std::shared_ptr<SharedLibrary>(new SharedLibrary(handle, path));
  return result;
}

// Whatever lies in its file by now.
void SharedLibrary::KeepMapped() const {
  const link_map* library = nullptr;
  if (dlinfo(handle_, RTLD_DI_LINKMAP, &library) == 0) KeepIfLoaded(library->l_name);
}

SharedLibrary::~SharedLibrary() {
  // Their threads wait for work after the last library that gave them some.
  for (const char* const runtime : kThreadRuntimes) KeepIfLoaded(runtime);
  const CallScope scope([this] { return "in " + path_ + ", which was closed"; });
  dlclose(handle_);
}

void* SharedLibrary::FindSymbol(const char* name) const {
  return dlsym(handle_, name);
}

void OpenForGood(const std::string& path, Visibility visibility) {
  dlopen(path.c_str(),
         RTLD_LAZY | RTLD_NODELETE | (visibility == Visibility::kAll ? RTLD_GLOBAL : RTLD_LOCAL));
}

bool HasThreadRuntime() {
  return std::any_of(std::begin(kThreadRuntimes), std::end(kThreadRuntimes), [](const char* name) {
    void* const handle = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
  });
}

bool IsDefinedInProcess(const std::string& symbol, const std::string& version) {
  return version.empty() ? dlsym(RTLD_DEFAULT, symbol.c_str()) != nullptr
                         : dlvsym(RTLD_DEFAULT, symbol.c_str(), version.c_str()) != nullptr;
}

std::string FindGlobalDefiner(const std::string& symbol) {
  const void* address = dlsym(RTLD_DEFAULT, symbol.c_str());
  return address != nullptr ? FindFileOf(address) : "";
}

std::optional<std::uint64_t> FindStaticTlsBytes() {
  // What debuggers and sanitizers ask: all that a thread has, its descriptor at the end included.
  using GetInfo = void (*)(std::size_t * size_bytes, std::size_t * alignment);
  const auto get_info = reinterpret_cast<GetInfo>(dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info"));
  const auto* descriptor_bytes =
      static_cast<const std::uint32_t*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  if (get_info == nullptr || descriptor_bytes == nullptr) return std::nullopt;
  std::size_t size_bytes = 0;
  std::size_t alignment = 0;
  get_info(&size_bytes, &alignment);
  if (size_bytes < *descriptor_bytes) return std::nullopt;
  return size_bytes - *descriptor_bytes;
}

std::vector<std::string> GetLoadedLibraries() {
  std::vector<std::string> paths;
  const auto add = [](dl_phdr_info* object, std::size_t /*size*/, void* list) {
    const char* path = object->dlpi_name;
    if (path != nullptr && *path == '/') static_cast<decltype(&paths)>(list)->emplace_back(path);
    return 0;
  };
  dl_iterate_phdr(add, &paths);
  return paths;
}

std::vector<std::string> FindLibrariesThatDefine(const std::string& symbol) {
  std::vector<std::string> paths;
  for (const std::string& path : GetLoadedLibraries()) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    if (DefinesItself(handle, symbol.c_str())) paths.push_back(path);
    dlclose(handle);
  }
  return paths;
}

std::vector<std::string> GetSearchedDirectories() {
  std::set<std::string> directories;
  for (const std::string& path : GetLoadedLibraries()) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    AddSearchedDirectories(handle, directories);
    dlclose(handle);
  }
  return {directories.begin(), directories.end()};
}

std::string FindFileOf(const void* address) {
  Dl_info info{};
  link_map* object = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return "";
  // The program itself is known to the loader by no name.
  const bool is_program = object == nullptr || *object->l_name == '\0';
  char resolved[PATH_MAX];
  if (realpath(is_program ? "/proc/self/exe" : object->l_name, resolved) == nullptr) return "";
  return resolved;
}

std::string GetOwnPath() {
  static const char kHere = 0;
  return FindFileOf(&kHere);
}

std::string GetOwnDirectory() {
  const std::string path = GetOwnPath();
  return path.substr(0, path.find_last_of('/'));
}

}  // namespace backplane::backend
