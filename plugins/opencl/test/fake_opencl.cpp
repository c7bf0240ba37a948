#include "test/fake_opencl.hpp"

#include <dlfcn.h>

#include <cstring>
#include <string>

namespace {

using backplane::opencl_test::FakeOrders;

FakeOrders orders;

/// The function of the library behind this one.
template <typename Function>
Function* Find(Function* /*own*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The error with which this call of the function fails; CL_SUCCESS when it does not.
cl_int Count(const char* function) {
  if (orders.failing == nullptr || std::strcmp(orders.failing, function) != 0) return CL_SUCCESS;
  return orders.num_good_calls-- > 0 ? CL_SUCCESS : orders.error;
}

cl_int Answer(const std::string& text, size_t room, void* value, size_t* size) {
  if (size != nullptr) *size = text.size() + 1;
  if (value != nullptr && room > text.size()) std::memcpy(value, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) FakeOrders* GetFakeOrders() {
  return &orders;
}

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* ids, cl_uint* count) {
  if (!orders.has_platforms) return CL_PLATFORM_NOT_FOUND_KHR;
  return Find(&clGetPlatformIDs, "clGetPlatformIDs")(room, ids, count);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id* ids,
                      cl_uint* count) {
  if (!orders.has_devices) return CL_DEVICE_NOT_FOUND;
  return Find(&clGetDeviceIDs, "clGetDeviceIDs")(platform, type, room, ids, count);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void* value,
                       size_t* size) {
  if (what == CL_DEVICE_VERSION && orders.version != nullptr) {
    return Answer(orders.version, room, value, size);
  }
  if (what == CL_DEVICE_AVAILABLE && !orders.is_available) {
    *static_cast<cl_bool*>(value) = CL_FALSE;
    return CL_SUCCESS;
  }
  if (what == CL_DEVICE_HOST_UNIFIED_MEMORY && !orders.shares_memory) {
    *static_cast<cl_bool*>(value) = CL_FALSE;
    return CL_SUCCESS;
  }
  return Find(&clGetDeviceInfo, "clGetDeviceInfo")(device, what, room, value, size);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                      void* data) {
  const cl_int error = Count("clBuildProgram");
  if (error != CL_SUCCESS) return error;
  return Find(&clBuildProgram, "clBuildProgram")(program, count, devices, options, notify, data);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t room, void* value, size_t* size) {
  if (what == CL_PROGRAM_BUILD_LOG && orders.build_log != nullptr) {
    return Answer(orders.build_log, room, value, size);
  }
  return Find(&clGetProgramBuildInfo, "clGetProgramBuildInfo")(program, device, what, room, value,
                                                               size);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* memory,
                      cl_int* error) {
  *error = Count("clCreateBuffer");
  if (*error != CL_SUCCESS) return nullptr;
  return Find(&clCreateBuffer, "clCreateBuffer")(context, flags, size, memory, error);
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* error) {
  *error = Count("clCreateKernel");
  if (*error != CL_SUCCESS) return nullptr;
  return Find(&clCreateKernel, "clCreateKernel")(program, name, error);
}

/// A failure is the status of the event.
cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t room, void* value, size_t* size) {
  const cl_int error = Count("clGetEventInfo");
  if (error == CL_SUCCESS) {
    return Find(&clGetEventInfo, "clGetEventInfo")(event, what, room, value, size);
  }
  *static_cast<cl_int*>(value) = error;
  return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                           void* data, cl_int* error) {
  *error = Count("clCreateContext");
  if (*error != CL_SUCCESS) return nullptr;
  return Find(&clCreateContext, "clCreateContext")(properties, count, devices, notify, data, error);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint num_events, const cl_event* events, cl_event* event) {
  const cl_int error = Count("clEnqueueNDRangeKernel");
  if (error != CL_SUCCESS) return error;
  return Find(&clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel")(
      queue, kernel, dimensions, offset, global, local, num_events, events, event);
}

}  // extern "C"
