#pragma once

/// Programs built from text for one device, each once.

#include "devices/device.hpp"
#include "library/library.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {

/// Threads: any.
class Programs {
 public:
  Programs(const Device& device, Owned<cl_context> context);

  /// The program of this text, built with these options. `kernel_cache` is a folder in which what
  /// is built is kept, or empty.
  /// Errors: std::runtime_error with the compiler's log; OpenClError.
  Owned<cl_program> Get(const std::string& source, const std::string& options,
                        const std::string& kernel_cache);

 private:
  Owned<cl_program> Build(const std::string& source, const std::string& options,
                          const std::string& kernel_cache) const;
  Owned<cl_program> BuildFromText(const std::string& source, const std::string& options) const;

  Device device_;
  Owned<cl_context> context_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Owned<cl_program>> programs_;
};

}  // namespace opencl
}  // namespace backplane
