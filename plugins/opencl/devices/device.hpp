#pragma once

/// The devices of this machine, and what each is and can.

#include "library/library.hpp"
#include "plan/kernel_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// One device, asked once.
struct Device {
  const Library* library = nullptr;
  cl_platform_id platform = nullptr;
  cl_device_id id = nullptr;
  std::string platform_name;
  std::string name;
  std::string version;  // of OpenCL, as the device says it
  std::string driver_version;
  std::string extensions;
  DeviceLimits limits;
  std::uint64_t global_memory_bytes = 0;
  std::uint64_t alignment_bytes = 1;  // of what lies in one buffer
  bool has_unified_memory = false;    // the CPU's memory is the device's
  bool is_accelerator = false;        // neither the CPU nor a software device

  bool HasExtension(const std::string& extension) const;
};

struct Platform {
  cl_platform_id id = nullptr;
  std::string name;
  std::vector<Device> devices;
};

/// All platforms with their devices.
/// Errors: BackendUnavailableException when there is no platform; OpenClError.
std::vector<Platform> ListPlatforms(const Library& library);

}  // namespace opencl
}  // namespace backplane
