#include "devices/choose_device.hpp"

#include "library/errors.hpp"

#include <backplane/api/exceptions.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>

namespace backplane {
namespace opencl {
namespace {

constexpr int kMajor = 1;
constexpr int kLeastMinor = 2;

std::string ToLower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Whether what the user wrote means this one: its index, or a part of its name in any case.
bool IsMeant(const std::string& wanted, std::size_t index, const std::string& name) {
  if (wanted.empty() || wanted == std::to_string(index)) return true;
  const bool is_index = std::all_of(wanted.begin(), wanted.end(),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
  return !is_index && ToLower(name).find(ToLower(wanted)) != std::string::npos;
}

struct Unusable {
  std::string why;
  UnavailabilityReason reason = UnavailabilityReason::kOther;
};

std::optional<Unusable> FindVersionFault(const Device& device) {
  int major = 0;
  int minor = 0;
  const bool is_read = std::sscanf(device.version.c_str(), "OpenCL %d.%d", &major, &minor) == 2;
  if (is_read && (major > kMajor || (major == kMajor && minor >= kLeastMinor))) return {};
  return Unusable{"has " + (device.version.empty() ? "no version" : device.version) +
                      ", but OpenCL 1.2 is needed",
                  UnavailabilityReason::kDriverTooOld};
}

/// What keeps the device from being used now.
std::optional<Unusable> FindFault(const Device& device) {
  if (auto fault = FindVersionFault(device)) return fault;
  const auto is_true = [&device](cl_device_info what) {
    cl_bool value = CL_FALSE;
    Check(device.library->clGetDeviceInfo(device.id, what, sizeof(value), &value, nullptr),
          "clGetDeviceInfo");
    return value != CL_FALSE;
  };
  if (!is_true(CL_DEVICE_AVAILABLE)) {
    return Unusable{"is not available (CL_DEVICE_AVAILABLE is false)", UnavailabilityReason::kBusy};
  }
  if (!is_true(CL_DEVICE_COMPILER_AVAILABLE)) {
    return Unusable{"has no compiler for OpenCL C", UnavailabilityReason::kDriverMissing};
  }
  return {};
}

std::string DescribeWish(const Options& options) {
  std::string text;
  if (!options.platform.empty()) text += " of platform \"" + options.platform + "\"";
  if (!options.device.empty()) text += " \"" + options.device + "\"";
  return text;
}

std::vector<const Device*> FindMeant(const std::vector<Platform>& platforms,
                                     const Options& options) {
  std::vector<const Device*> meant;
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    if (!IsMeant(options.platform, i, platforms[i].name)) continue;
    const std::vector<Device>& devices = platforms[i].devices;
    for (std::size_t k = 0; k < devices.size(); ++k) {
      if (IsMeant(options.device, k, devices[k].name)) meant.push_back(&devices[k]);
    }
  }
  return meant;
}

}  // namespace

std::string DescribeDevices(const std::vector<Platform>& platforms) {
  std::string text;
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    text += (i == 0 ? "platform " : "; platform ") + std::to_string(i) + " \"" + platforms[i].name +
            "\":";
    const std::vector<Device>& devices = platforms[i].devices;
    for (std::size_t k = 0; k < devices.size(); ++k) {
      text +=
          (k == 0 ? " device " : ", device ") + std::to_string(k) + " \"" + devices[k].name + "\"";
    }
    if (devices.empty()) text += " no device";
  }
  return text;
}

const Device& ChooseDevice(const std::vector<Platform>& platforms, const Options& options) {
  std::vector<const Device*> meant = FindMeant(platforms, options);
  if (meant.empty()) {
    throw BackendUnavailableException("there is no OpenCL device" + DescribeWish(options) +
                                          ", only " + DescribeDevices(platforms),
                                      UnavailabilityReason::kNoDevice);
  }
  std::stable_partition(meant.begin(), meant.end(),
                        [](const Device* device) { return device->is_accelerator; });
  std::string faults;
  UnavailabilityReason reason = UnavailabilityReason::kOther;
  for (const Device* device : meant) {
    const auto fault = FindFault(*device);
    if (!fault) return *device;
    if (faults.empty()) reason = fault->reason;
    faults += (faults.empty() ? "\"" : "; \"") + device->name + "\" " + fault->why;
  }
  throw BackendUnavailableException(
      "no OpenCL device" + DescribeWish(options) + " can be used: " + faults, reason);
}

}  // namespace opencl
}  // namespace backplane
