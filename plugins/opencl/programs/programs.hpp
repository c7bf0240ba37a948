#pragma once

/// Programs built from text for one device, each once.

#include "devices/device.hpp"
#include "library/library.hpp"
#include "programs/kept_programs.hpp"

#include <backplane/api/i_logger.hpp>

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
  /// `logger` may be null; else it stays as long as this.
  Programs(const Device& device, Owned<cl_context> context, ILogger* logger);

  /// The program of this text, built with these options. `kernel_cache` is a folder in which what
  /// is built is kept, or empty; then it is kept in `cache`.
  /// Null: without `cache`, it is not kept there.
  /// Errors: std::runtime_error with the compiler's log; OpenClError.
  Owned<cl_program> Get(const std::string& source, const std::string& options,
                        const std::string& kernel_cache, ICompiledSubgraphCache* cache = nullptr);

  bool Has(const std::string& source, const std::string& options);

 private:
  /// Null: without `kept`, it is built of its text.
  Owned<cl_program> Build(const std::string& source, const std::string& options,
                          const IKeptProgram* kept) const;
  std::unique_ptr<const IKeptProgram> FindKept(std::string key, const std::string& kernel_cache,
                                               ICompiledSubgraphCache* cache) const;
  Owned<cl_program> BuildFromText(const std::string& source, const std::string& options) const;
  /// Errors: as Get; OpenClError when the driver does not take the binary.
  Owned<cl_program> BuildFromBinary(const std::string& binary, const std::string& options) const;
  /// What the driver made of a program; empty when it does not say.
  std::string GetBinary(cl_program program) const;

  Device device_;
  Owned<cl_context> context_;
  ILogger* logger_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Owned<cl_program>> programs_;
};

}  // namespace opencl
}  // namespace backplane
