#include "execution/host_buffers.hpp"

#include "library/errors.hpp"

namespace backplane {
namespace opencl {

BufferPlace HostBuffers::Wrap(void* data, std::uint64_t size_bytes, Use use) {
  // OpenCL leaves open what two buffers over the same memory hold.
  for (const Wrapped& wrapped : buffers_) {
    if (wrapped.data == data && wrapped.size_bytes == size_bytes && wrapped.use == use) {
      return {wrapped.buffer.get(), 0, true};
    }
  }
  // A device that is not the CPU may take what the memory holds when the buffer is made, which work
  // in the queue perhaps still writes.
  const bool is_first = buffers_.empty();
  if (is_first && !device_.GetDevice().limits.is_cpu) {
    Check(device_.GetLibrary().clFinish(queue_), "clFinish");
  }
  const cl_mem_flags access = use == Use::kRead ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  auto buffer = device_.CreateBuffer(access | CL_MEM_USE_HOST_PTR, size_bytes, data);
  buffers_.push_back({data, size_bytes, use, buffer});
  return {buffer.get(), 0, true};
}

void HostBuffers::GiveBack() const {
  const Library& library = device_.GetLibrary();
  for (const Wrapped& wrapped : buffers_) {
    if (wrapped.use == Use::kRead) continue;
    cl_int error = CL_SUCCESS;
    void* data = library.clEnqueueMapBuffer(queue_, wrapped.buffer.get(), CL_FALSE, CL_MAP_READ, 0,
                                            wrapped.size_bytes, 0, nullptr, nullptr, &error);
    Check(error, "clEnqueueMapBuffer");
    Check(library.clEnqueueUnmapMemObject(queue_, wrapped.buffer.get(), data, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
  }
}

}  // namespace opencl
}  // namespace backplane
