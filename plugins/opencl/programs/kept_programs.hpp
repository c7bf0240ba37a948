#pragma once

/// Built programs in a folder, or in the cache of the application, from one process to the next.

#include "devices/device.hpp"

#include <backplane/api/i_logger.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <memory>
#include <optional>
#include <string>

namespace backplane {
namespace opencl {

/// By what a program is told from others: device, driver, options and the whole text, so that an
/// entry is never taken for another's.
std::string MakeProgramKey(const Device& device, const std::string& source,
                           const std::string& options);

/// Whether a driver can be given this binary. PoCL ends the process over one of its own that has no
/// program in it, which it makes while another process puts the same program into PoCL's cache.
bool IsWholeBinary(const std::string& binary);

/// One program that is kept somewhere.
class IKeptProgram {
 public:
  virtual ~IKeptProgram() = default;

  /// Gives what was kept; nothing when there is no entry, or it is damaged or another's.
  virtual std::optional<std::string> Load() const = 0;
  /// Keeps the binary instead of what was there. What goes wrong is logged.
  virtual void Store(const std::string& binary) const = 0;
  /// Logs why the entry is not used.
  virtual void Reject(const std::string& why) const = 0;
};

/// One entry of the application's cache, which says itself what goes wrong.
std::unique_ptr<const IKeptProgram> MakeCachedProgram(ICompiledSubgraphCache& cache,
                                                      std::string key, ILogger* logger);

/// One entry of a folder. It is code that the driver runs, so folder and entry must belong to the
/// user or to root, and nobody else may be able to write them.
class KeptProgram final : public IKeptProgram {
 public:
  /// `logger` may be null.
  KeptProgram(const std::string& folder, std::string key, ILogger* logger);

  std::optional<std::string> Load() const override;
  void Store(const std::string& binary) const override;
  void Reject(const std::string& why) const override;

 private:
  std::string folder_;
  std::string file_;
  std::string key_;
  ILogger* logger_;
};

}  // namespace opencl
}  // namespace backplane
