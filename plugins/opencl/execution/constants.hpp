#pragma once

/// Content of constants on the device: each once for all workloads and runs of a network.

#include "context/device_context.hpp"
#include "library/library.hpp"
#include "plan/work_plan.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {

class Constants {
 public:
  explicit Constants(std::shared_ptr<DeviceContext> device) : device_(std::move(device)) {}

  /// Content of the network, known by its owner, or by its address.
  /// Errors: std::runtime_error with the sizes when the device has no room for it.
  Owned<cl_mem> GetShared(const ConstantData& constant);
  Owned<cl_mem> GetShared(const std::shared_ptr<const Bytes>& content);
  /// Content that nobody else has.
  Owned<cl_mem> Make(const void* data, std::uint64_t size_bytes);

 private:
  std::shared_ptr<DeviceContext> device_;
  std::uint64_t used_bytes_ = 0;
  std::map<std::pair<const void*, std::uint64_t>, Owned<cl_mem>> shared_;
};

}  // namespace opencl
}  // namespace backplane
