#pragma once

/// OpenCL's library, the ICD loader, which is opened when the backend is used and never linked.

#include "library/opencl.hpp"

#include <sys/types.h>

#include <memory>
#include <string>
#include <type_traits>

namespace backplane {
namespace opencl {

constexpr char kDefaultLibrary[] = "libOpenCL.so.1";

/// The functions of one library.
struct Library {
  /// Errors: std::runtime_error in a process that was forked since the library was opened. Threads
  /// of drivers are not in it, and every wait would last for ever.
  void RequireSameProcess() const;
  bool IsSameProcess() const;

  pid_t process = 0;
#define OPENCL_FUNCTION(name) decltype(&::name) name = nullptr;
#include "library/functions.def"
#undef OPENCL_FUNCTION

  /// Of OpenCL 2.0.
  /// Null: the library is older.
  cl_command_queue(CL_API_CALL* clCreateCommandQueueWithProperties)(cl_context, cl_device_id,
                                                                    const cl_ulong*,
                                                                    cl_int*) = nullptr;
};

/// Opens the library, at the first call for the file. It stays open until the process ends, because
/// threads of drivers do.
/// Errors: BackendUnavailableException when it cannot be opened, or lacks a function;
/// std::runtime_error in a process that was forked since.
///
/// Threads: any.
const Library& OpenLibrary(const std::string& file_name);

/// An OpenCL object with a count of its users.
template <typename Object>
using Owned = std::shared_ptr<std::remove_pointer_t<Object>>;

/// Takes over an object that was made, to be released by the function.
template <typename Object>
Owned<Object> Own(Object object, cl_int(CL_API_CALL* release)(Object)) {
  return Owned<Object>(object, [release](Object unused) {
    if (unused != nullptr) static_cast<void>(release(unused));
  });
}

}  // namespace opencl
}  // namespace backplane
