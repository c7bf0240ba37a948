#include "context/device_context.hpp"

#include "cpu_layers/blocked_signals.hpp"
#include "library/errors.hpp"

#include <backplane/api/exceptions.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace backplane {
namespace opencl {
namespace {

Owned<cl_context> CreateContext(const Device& device) {
  const cpu_layers::BlockedSignals inherited;  // by threads of the driver
  cl_int error = CL_SUCCESS;
  const cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
  auto context =
      Own(device.library->clCreateContext(properties, 1, &device.id, nullptr, nullptr, &error),
          device.library->clReleaseContext);
  if (error == CL_SUCCESS) return context;
  const bool is_busy = error == CL_DEVICE_NOT_AVAILABLE || error == CL_OUT_OF_RESOURCES;
  throw BackendUnavailableException(
      "clCreateContext on \"" + device.name + "\" failed: " + DescribeError(error),
      is_busy ? UnavailabilityReason::kBusy : UnavailabilityReason::kOther);
}

cl_ulong ToPriority(QueuePriority priority) {
  if (priority == QueuePriority::kLow) return CL_QUEUE_PRIORITY_LOW_KHR;
  return priority == QueuePriority::kHigh ? CL_QUEUE_PRIORITY_HIGH_KHR : CL_QUEUE_PRIORITY_MED_KHR;
}

}  // namespace

DeviceContext::DeviceContext(const Device& device,
                             std::shared_ptr<const cpu_layers::Timeline> timeline, ILogger* logger)
    : device_(device),
      timeline_(std::move(timeline)),
      context_(CreateContext(device)),
      programs_(device, context_, logger),
      kernels_(std::make_shared<Kernels>(*device.library)),
      host_queue_(CreateQueue(0)) {}

void DeviceContext::NoteError(cl_int error) {
  // Drivers name what OpenCL has no name for by numbers far below its own.
  constexpr cl_int kLastOfOpenCl = -1000;
  const bool is_gone = error == CL_DEVICE_NOT_AVAILABLE || error == CL_INVALID_COMMAND_QUEUE ||
                       error == CL_INVALID_CONTEXT || error < kLastOfOpenCl;
  if (is_gone) is_lost_.store(true, std::memory_order_relaxed);
}

Owned<cl_command_queue> DeviceContext::CreateQueue(cl_command_queue_properties properties,
                                                   QueuePriority priority) const {
  cl_int error = CL_SUCCESS;
  const auto make_with_properties = GetLibrary().clCreateCommandQueueWithProperties;
  const bool has_priority = priority != QueuePriority::kDefault &&
                            make_with_properties != nullptr &&
                            device_.HasExtension("cl_khr_priority_hints");
  cl_command_queue made = nullptr;
  if (has_priority) {
    const cl_ulong wanted[] = {CL_QUEUE_PROPERTIES, properties, CL_QUEUE_PRIORITY_KHR,
                               ToPriority(priority), 0};
    made = make_with_properties(context_.get(), device_.id, wanted, &error);
  } else {
    made = GetLibrary().clCreateCommandQueue(context_.get(), device_.id, properties, &error);
  }
  auto queue = Own(made, GetLibrary().clReleaseCommandQueue);
  Check(error, has_priority ? "clCreateCommandQueueWithProperties" : "clCreateCommandQueue");
  return queue;
}

Owned<cl_mem> DeviceContext::CreateBuffer(cl_mem_flags flags, std::uint64_t size_bytes,
                                          void* host_memory) const {
  cl_int error = CL_SUCCESS;
  auto buffer =
      Own(GetLibrary().clCreateBuffer(context_.get(), flags, std::max<std::uint64_t>(size_bytes, 1),
                                      host_memory, &error),
          GetLibrary().clReleaseMemObject);
  if (error != CL_SUCCESS) {
    throw OpenClError(
        "clCreateBuffer of " + std::to_string(size_bytes) + " bytes on \"" + device_.name + "\"",
        error);
  }
  return buffer;
}

}  // namespace opencl
}  // namespace backplane
