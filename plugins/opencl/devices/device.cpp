#include "devices/device.hpp"

#include "cpu_layers/blocked_signals.hpp"
#include "library/errors.hpp"
#include "library/process_state.hpp"

#include <backplane/api/exceptions.hpp>

#include <algorithm>
#include <string>

namespace backplane {
namespace opencl {
namespace {

constexpr cl_uint kBitsPerByte = 8;

template <typename Value>
Value Ask(const Library& library, cl_device_id device, cl_device_info what) {
  Value value{};
  Check(library.clGetDeviceInfo(device, what, sizeof(value), &value, nullptr), "clGetDeviceInfo");
  return value;
}

/// Without the zero behind it, and the spaces around it that drivers leave.
std::string Trim(std::string text) {
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string AskText(const Library& library, cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  Check(library.clGetDeviceInfo(device, what, 0, nullptr, &size), "clGetDeviceInfo");
  std::string text(size, '\0');
  Check(library.clGetDeviceInfo(device, what, size, text.data(), nullptr), "clGetDeviceInfo");
  return Trim(text);
}

std::string AskText(const Library& library, cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  Check(library.clGetPlatformInfo(platform, what, 0, nullptr, &size), "clGetPlatformInfo");
  std::string text(size, '\0');
  Check(library.clGetPlatformInfo(platform, what, size, text.data(), nullptr), "clGetPlatformInfo");
  return Trim(text);
}

DeviceLimits AskLimits(const Library& library, cl_device_id device) {
  DeviceLimits limits;
  limits.max_work_group_size = Ask<std::size_t>(library, device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  // A device may have more than the three dimensions that kernels use; all are asked for together.
  std::vector<std::size_t> sizes(Ask<cl_uint>(library, device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  Check(library.clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
                                sizes.size() * sizeof(std::size_t), sizes.data(), nullptr),
        "clGetDeviceInfo");
  sizes.resize(limits.max_work_item_sizes.size(), 1);
  std::copy(sizes.begin(), sizes.end(), limits.max_work_item_sizes.begin());
  limits.local_memory_bytes = Ask<cl_ulong>(library, device, CL_DEVICE_LOCAL_MEM_SIZE);
  limits.max_allocation_bytes = Ask<cl_ulong>(library, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  limits.num_compute_units = Ask<cl_uint>(library, device, CL_DEVICE_MAX_COMPUTE_UNITS);
  limits.float_vector_width =
      std::max<cl_uint>(1, Ask<cl_uint>(library, device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
  const auto type = Ask<cl_device_type>(library, device, CL_DEVICE_TYPE);
  limits.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  return limits;
}

Device AskDevice(const Library& library, const Platform& platform, cl_device_id id) {
  Device device;
  device.library = &library;
  device.platform = platform.id;
  device.id = id;
  device.platform_name = platform.name;
  device.name = AskText(library, id, CL_DEVICE_NAME);
  device.version = AskText(library, id, CL_DEVICE_VERSION);
  device.driver_version = AskText(library, id, CL_DRIVER_VERSION);
  device.extensions = AskText(library, id, CL_DEVICE_EXTENSIONS);
  device.limits = AskLimits(library, id);
  device.global_memory_bytes = Ask<cl_ulong>(library, id, CL_DEVICE_GLOBAL_MEM_SIZE);
  device.alignment_bytes =
      std::max<cl_uint>(1, Ask<cl_uint>(library, id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / kBitsPerByte);
  device.has_unified_memory = Ask<cl_bool>(library, id, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE;
  const auto type = Ask<cl_device_type>(library, id, CL_DEVICE_TYPE);
  device.is_accelerator = (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)) != 0;
  return device;
}

std::vector<cl_device_id> ListDevices(const Library& library, cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int error = library.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (error == CL_DEVICE_NOT_FOUND || (error == CL_SUCCESS && count == 0)) return {};
  Check(error, "clGetDeviceIDs");
  std::vector<cl_device_id> ids(count);
  Check(library.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr),
        "clGetDeviceIDs");
  return ids;
}

std::vector<cl_platform_id> ListPlatformIds(const Library& library) {
  const cpu_layers::BlockedSignals inherited;  // by threads of the drivers
  cl_uint count = 0;
  const cl_int error = library.clGetPlatformIDs(0, nullptr, &count);
  if (error == CL_PLATFORM_NOT_FOUND_KHR || (error == CL_SUCCESS && count == 0)) return {};
  Check(error, "clGetPlatformIDs");
  std::vector<cl_platform_id> ids(count);
  Check(library.clGetPlatformIDs(count, ids.data(), nullptr), "clGetPlatformIDs");
  return ids;
}

}  // namespace

bool Device::HasExtension(const std::string& extension) const {
  return (" " + extensions + " ").find(" " + extension + " ") != std::string::npos;
}

std::vector<Platform> ListPlatforms(const Library& library) {
  // Drivers begin to work at the first question.
  const ProcessState process_state;
  std::vector<Platform> platforms;
  for (cl_platform_id id : ListPlatformIds(library)) {
    Platform platform;
    platform.id = id;
    platform.name = AskText(library, id, CL_PLATFORM_NAME);
    for (cl_device_id device : ListDevices(library, id)) {
      platform.devices.push_back(AskDevice(library, platform, device));
    }
    platforms.push_back(std::move(platform));
  }
  if (platforms.empty()) {
    throw BackendUnavailableException(
        "OpenCL's ICD loader found no platform; install a driver with OpenCL, for example "
        "pocl-opencl-icd, which computes on the CPU",
        UnavailabilityReason::kDriverMissing);
  }
  return platforms;
}

}  // namespace opencl
}  // namespace backplane
