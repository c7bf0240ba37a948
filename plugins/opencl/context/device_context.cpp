#include "context/device_context.hpp"

#include "library/errors.hpp"

#include <backplane/api/exceptions.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

Owned<cl_context> CreateContext(const Device& device) {
  cl_int error = CL_SUCCESS;
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
  auto context = Own(
      device.library->clCreateContext(properties, 1, &device.id, nullptr, nullptr, &error),
      device.library->clReleaseContext);
  if (error == CL_SUCCESS) return context;
  const bool is_busy = error == CL_DEVICE_NOT_AVAILABLE || error == CL_OUT_OF_RESOURCES;
  throw BackendUnavailableException(
      "clCreateContext on \"" + device.name + "\" failed: " + DescribeError(error),
      is_busy ? UnavailabilityReason::kBusy : UnavailabilityReason::kOther);
}

}  // namespace

DeviceContext::DeviceContext(const Device& device, std::shared_ptr<const Timeline> timeline)
    : device_(device),
      timeline_(std::move(timeline)),
      context_(CreateContext(device)),
      programs_(device, context_),
      host_queue_(CreateQueue(0)) {}

Owned<cl_command_queue> DeviceContext::CreateQueue(cl_command_queue_properties properties) const {
  cl_int error = CL_SUCCESS;
  auto queue = Own(
      GetLibrary().clCreateCommandQueue(context_.get(), device_.id, properties, &error),
      GetLibrary().clReleaseCommandQueue);
  Check(error, "clCreateCommandQueue");
  return queue;
}

Owned<cl_mem> DeviceContext::CreateBuffer(cl_mem_flags flags, std::uint64_t size_bytes,
                                          void* host_memory) const {
  cl_int error = CL_SUCCESS;
  auto buffer = Own(GetLibrary().clCreateBuffer(context_.get(), flags,
                                                std::max<std::uint64_t>(size_bytes, 1), host_memory,
                                                &error),
                    GetLibrary().clReleaseMemObject);
  if (error != CL_SUCCESS) {
    throw OpenClError("clCreateBuffer of " + std::to_string(size_bytes) + " bytes on \"" +
                          device_.name + "\"",
                      error);
  }
  return buffer;
}

}  // namespace opencl
}  // namespace backplane
