#include "library/dnnl_version.hpp"

namespace backplane {
namespace cpuacc {
namespace {

constexpr int kMajor = 2;
constexpr int kLeastMinor = 6;

std::string DescribeVersion(const dnnl_version_t& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

}  // namespace

BackendUnavailableException MakeUnavailable(const std::string& found, UnavailabilityReason reason) {
  return BackendUnavailableException(
      "CpuAcc needs oneDNN 2.6, or a later 2.x, but " + found + "; install libdnnl2", reason);
}

BackendUnavailableException MakeUnavailableProcessor() {
  return BackendUnavailableException(
      "CpuAcc needs a processor with SSE4.1, but this one has none; use CpuRef");
}

void RequireKnownVersion(const dnnl_version_t& version, const char* file_name) {
  if (version.major != kMajor || version.minor < kLeastMinor) {
    const bool is_too_old = version.major <= kMajor;
    throw MakeUnavailable(
        std::string(file_name) + " is oneDNN " + DescribeVersion(version),
        is_too_old ? UnavailabilityReason::kDriverTooOld : UnavailabilityReason::kOther);
  }
  if (version.cpu_runtime != DNNL_RUNTIME_OMP && version.cpu_runtime != DNNL_RUNTIME_SEQ) {
    throw MakeUnavailable(std::string(file_name) + " (" + DescribeVersion(version) +
                          ") was built without OpenMP");
  }
}

}  // namespace cpuacc
}  // namespace backplane
