#include "recorder.hpp"

#include <dlfcn.h>

#include <mutex>

namespace {

using backplane::bench::Call;

std::mutex mutex;
bool is_recording = false;
std::vector<Call> recorded;

/// The function of the ICD loader, which this library is linked with.
template <typename Function>
Function FindNext(const char* name) {
  void* const loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(dlsym(loader, name));
}

const auto set_argument = FindNext<decltype(&clSetKernelArg)>("clSetKernelArg");
const auto release = FindNext<decltype(&clReleaseMemObject)>("clReleaseMemObject");
const auto enqueue = FindNext<decltype(&clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");

cl_int Repeat(const Call& call) {
  if (call.queue == nullptr) {
    return set_argument(call.kernel, call.index, call.value.size(),
                        call.has_value ? call.value.data() : nullptr);
  }
  return enqueue(call.queue, call.kernel, call.index, nullptr, call.global_size,
                 call.has_local_size ? call.local_size : nullptr, 0, nullptr, nullptr);
}

}  // namespace

extern "C" {

#define BENCH_EXPORT __attribute__((visibility("default")))

BENCH_EXPORT cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                                   const void* value) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (is_recording) {
    Call call;
    call.kernel = kernel;
    call.index = index;
    call.has_value = value != nullptr;
    call.value.resize(size);
    if (value != nullptr) {
      const auto* const bytes = static_cast<const unsigned char*>(value);
      call.value.assign(bytes, bytes + size);
    }
    recorded.push_back(call);
  }
  return set_argument(kernel, index, size, value);
}

// What the recorded kernels use stays: it is needed again.
BENCH_EXPORT cl_int clReleaseMemObject(cl_mem memory) {
  const std::lock_guard<std::mutex> lock(mutex);
  return is_recording ? CL_SUCCESS : release(memory);
}

BENCH_EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                           cl_uint num_dimensions, const size_t* offset,
                                           const size_t* global_size, const size_t* local_size,
                                           cl_uint num_events, const cl_event* events,
                                           cl_event* event) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (is_recording) {
    Call call;
    call.kernel = kernel;
    call.queue = queue;
    call.index = num_dimensions;
    call.has_local_size = local_size != nullptr;
    for (cl_uint i = 0; i < num_dimensions; ++i) {
      call.global_size[i] = global_size[i];
      if (local_size != nullptr) call.local_size[i] = local_size[i];
    }
    recorded.push_back(call);
  }
  return enqueue(queue, kernel, num_dimensions, offset, global_size, local_size, num_events, events,
                 event);
}

BENCH_EXPORT void StartRecording() {
  const std::lock_guard<std::mutex> lock(mutex);
  recorded.clear();
  is_recording = true;
}

BENCH_EXPORT const std::vector<Call>* StopRecording() {
  const std::lock_guard<std::mutex> lock(mutex);
  is_recording = false;
  return &recorded;
}

BENCH_EXPORT cl_int CallAgain(const std::vector<Call>* calls) {
  cl_int status = CL_SUCCESS;
  cl_command_queue queue = nullptr;
  for (const Call& call : *calls) {
    if (status == CL_SUCCESS) status = Repeat(call);
    if (call.queue != nullptr) queue = call.queue;
  }
  const cl_int finished = queue != nullptr ? clFinish(queue) : CL_SUCCESS;
  return status == CL_SUCCESS ? finished : status;
}

}  // extern "C"
