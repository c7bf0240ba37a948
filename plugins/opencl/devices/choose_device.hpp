#pragma once

/// Which device is used.

#include "devices/device.hpp"
#include "options/options.hpp"

#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// The device that the options name, or the best of those that can be used.
/// Errors: BackendUnavailableException with what there is instead: no such platform or device, one
/// that is too old, cannot compile, or is not available now.
const Device& ChooseDevice(const std::vector<Platform>& platforms, const Options& options);

/// All devices, for messages: `platform 0 "Portable Computing Language": device 0 "pthread"`.
std::string DescribeDevices(const std::vector<Platform>& platforms);

}  // namespace opencl
}  // namespace backplane
