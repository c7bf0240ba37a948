#pragma once

/// A real backend that was made elsewhere, for another host with the same entry points.

#include <filesystem>
#include <string>
#include <system_error>

namespace backplane::test {

/// Where Debian's libarmnn-cpuref-backend puts it, whatever its version; "" when it is not there.
inline std::string FindArmNnBackend() {
  std::error_code ignored;
  for (const auto& libraries : std::filesystem::directory_iterator("/usr/lib", ignored)) {
    for (const auto& folder : std::filesystem::directory_iterator(libraries, ignored)) {
      if (folder.path().filename().string().rfind("armnn", 0) != 0) continue;
      const std::filesystem::path file = folder.path() / "Arm_CpuRef_backend.so";
      if (std::filesystem::exists(file)) return file.string();
    }
  }
  return "";
}

}  // namespace backplane::test
