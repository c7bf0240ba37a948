#include "devices/device_capabilities.hpp"

#include "devices/device.hpp"
#include "library/library.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {
namespace {

std::string Describe(const Device& device) {
  return device.name + " of " + device.platform_name + ", " + device.version + ", driver " +
         device.driver_version;
}

}  // namespace

void AppendDevices(BackendCapabilities& capabilities) {
  try {
    const std::vector<Platform> platforms = ListPlatforms(OpenLibrary(kDefaultLibrary));
    for (std::size_t i = 0; i < platforms.size(); ++i) {
      for (std::size_t k = 0; k < platforms[i].devices.size(); ++k) {
        capabilities.emplace_back("Platform" + std::to_string(i) + ".Device" + std::to_string(k),
                                  Describe(platforms[i].devices[k]));
      }
    }
  } catch (const std::exception& /*no driver*/) {
    return;
  }
}

}  // namespace opencl
}  // namespace backplane
