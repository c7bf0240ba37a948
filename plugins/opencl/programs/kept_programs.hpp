#pragma once

/// Built programs in a folder, from one process to the next.

#include "devices/device.hpp"

#include <backplane/api/i_logger.hpp>

#include <optional>
#include <string>

namespace backplane {
namespace opencl {

/// By what a program is told from others: device, driver, options and the whole text, so that an
/// entry is never taken for another's.
std::string MakeProgramKey(const Device& device, const std::string& source,
                           const std::string& options);

/// One entry of a folder. It is code that the driver runs, so folder and entry must belong to the
/// user or to root, and nobody else may be able to write them.
class KeptProgram {
 public:
  /// `logger` may be null.
  KeptProgram(const std::string& folder, std::string key, ILogger* logger);

  /// What was kept; nothing when there is no entry, or it is damaged or another's.
  std::optional<std::string> Load() const;
  /// Keeps the binary instead of what was there. What goes wrong is logged.
  void Store(const std::string& binary) const;
  /// Logs why the entry is not used.
  void Reject(const std::string& why) const;

 private:
  std::string folder_;
  std::string file_;
  std::string key_;
  ILogger* logger_;
};

}  // namespace opencl
}  // namespace backplane
