#include "library/library.hpp"

#include <backplane/api/exceptions.hpp>

#include <dlfcn.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

namespace backplane {
namespace opencl {
namespace {

constexpr char kCure[] = "; install an OpenCL ICD loader (ocl-icd-libopencl1) and a driver";

void* OpenFile(const std::string& file_name) {
  void* file = dlopen(file_name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (file != nullptr) return file;
  throw BackendUnavailableException(
      "OpenCL's library " + file_name + " cannot be opened (" + dlerror() + ")" + kCure,
      UnavailabilityReason::kDriverMissing);
}

template <typename Function>
void Find(void* file, const std::string& file_name, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(file, name));
  if (function != nullptr) return;
  throw BackendUnavailableException(
      file_name + " has no function " + name + ", but OpenCL 1.2 is needed" + kCure,
      UnavailabilityReason::kDriverTooOld);
}

std::unique_ptr<const Library> MakeLibrary(const std::string& file_name) {
  void* file = OpenFile(file_name);
  auto library = std::make_unique<Library>();
  library->process = getpid();
#define OPENCL_FUNCTION(name) Find(file, file_name, #name, library->name);
#include "library/functions.def"
#undef OPENCL_FUNCTION
  constexpr char kWithProperties[] = "clCreateCommandQueueWithProperties";
  library->clCreateCommandQueueWithProperties =
      reinterpret_cast<decltype(library->clCreateCommandQueueWithProperties)>(
          dlsym(file, kWithProperties));
  return library;
}

}  // namespace

bool Library::IsSameProcess() const {
  return process == getpid();
}

void Library::RequireSameProcess() const {
  if (IsSameProcess()) return;
  throw std::runtime_error(
      "the process was forked after OpenCL was opened, and drivers do not work in the copy; fork "
      "before the runtime is made");
}

const Library& OpenLibrary(const std::string& file_name) {
  static std::mutex mutex;
  // What still has OpenCL objects when this code is unloaded needs the functions until then.
  static std::map<std::string, std::unique_ptr<const Library>> libraries;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<const Library>& library = libraries[file_name];
  if (library == nullptr) library = MakeLibrary(file_name);
  library->RequireSameProcess();
  return *library;
}

}  // namespace opencl
}  // namespace backplane
