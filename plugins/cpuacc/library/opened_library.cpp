// oneDNN is opened, not linked: a linked plugin would get the functions of another oneDNN that the
// program has. The backend says what a machine lacks. Its functions are jumps into it. For x86-64.

#include "library/dnnl_version.hpp"
#include "library/library.hpp"

#include <backplane/api/exceptions.hpp>

#include <dlfcn.h>
#include <omp.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace {

[[noreturn]] void CallBeforeOpening() {
  throw std::logic_error("oneDNN was called before RequireLibrary");
}

}  // namespace

#define CPUACC_DNNL_FUNCTION(name)                                                                 \
  extern "C" __attribute__((visibility("hidden"))) void* cpuacc_address_of_##name;                 \
  void* cpuacc_address_of_##name = reinterpret_cast<void*>(&CallBeforeOpening);                    \
  asm(".text\n.p2align 4\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name \
      ":\nendbr64\njmp *cpuacc_address_of_" #name "(%rip)\n.size " #name ", . - " #name "\n");
#include "library/dnnl_functions.def"
#undef CPUACC_DNNL_FUNCTION

namespace backplane {
namespace cpuacc {
namespace {

struct Function {
  const char* name;
  void** address;
};

constexpr Function kFunctions[] = {
#define CPUACC_DNNL_FUNCTION(name) {#name, &cpuacc_address_of_##name},
#include "library/dnnl_functions.def"
#undef CPUACC_DNNL_FUNCTION
};

struct Close {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Close>;

Library Open(const char* file_name) {
  Library library(dlopen(file_name, RTLD_NOW | RTLD_LOCAL));
  if (library == nullptr) {
    // The loader's own text is there whenever opening has failed.
    throw MakeUnavailable(std::string(file_name) + " cannot be opened (" + dlerror() + ")",
                          UnavailabilityReason::kDriverMissing);
  }
  return library;
}

void RequireVersion(void* library, const char* file_name) {
  void* address = dlsym(library, "dnnl_version");
  if (address == nullptr) throw MakeUnavailable(std::string(file_name) + " has no dnnl_version");
  const auto get_version = reinterpret_cast<const dnnl_version_t* (*)()>(address);
  RequireKnownVersion(*get_version(), file_name);
}

void FindFunctions(void* library, const char* file_name) {
  for (const Function& function : kFunctions) {
    if (dlsym(library, function.name) != nullptr) continue;
    throw MakeUnavailable(std::string(file_name) + " has no " + function.name);
  }
  for (const Function& function : kFunctions) *function.address = dlsym(library, function.name);
}

void KeepForever(const char* file_name) {
  const Library kept(dlopen(file_name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE));
}

/// Threads of OpenMP sleep in its library, and would wake up to nothing when it were unloaded with
/// this backend; and what it allocates when it is loaded is never freed.
void KeepOpenMp() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&omp_get_max_threads), &info) != 0) {
    KeepForever(info.dli_fname);
  }
}

}  // namespace

LibraryNeeds LibraryNeeds::OfThisMachine() {
  __builtin_cpu_init();
  return {"libdnnl.so.2", __builtin_cpu_supports("sse4.1") != 0};
}

void OpenLibrary(const LibraryNeeds& needs) {
  KeepOpenMp();
  if (!needs.has_sse41) throw MakeUnavailableProcessor();
  const Library library = Open(needs.file_name);
  RequireVersion(library.get(), needs.file_name);
  FindFunctions(library.get(), needs.file_name);
  KeepForever(needs.file_name);
}

}  // namespace cpuacc
}  // namespace backplane
