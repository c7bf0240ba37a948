#include "execution/work_state.hpp"

#include "cpu_layers/indices.hpp"
#include "library/errors.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace backplane {
namespace opencl {

WorkState::WorkState(const DeviceContext& device, std::shared_ptr<const Work> work, cl_mem memory)
    : library_(device.GetLibrary()), work_(std::move(work)), memory_(memory) {
  for (const WorkCommand& command : work_->commands) {
    kernels_.push_back(MakeKernel(command, device.GetKernels()));
  }
}

WorkState::Kernel WorkState::MakeKernel(const WorkCommand& command, Kernels& kernels) const {
  Kernel made;
  const auto* work = std::get_if<WorkKernel>(&command.command);
  if (work == nullptr) return made;
  try {
    made.kernel = kernels.Make(work->program, work->kernel);
  } catch (const OpenClError& failed) {
    throw OpenClError("clCreateKernel of '" + work->kernel + "' for '" + command.name + "'",
                      failed.GetError());
  }
  cl_uint index = 0;
  try {
    for (const WorkArgument& argument : work->arguments) SetArgument(made, index, argument);
  } catch (const OpenClError& failed) {
    throw OpenClError("clSetKernelArg of argument " + std::to_string(index) + " of '" +
                          work->kernel + "' for '" + command.name + "'",
                      failed.GetError());
  }
  return made;
}

void WorkState::SetBuffer(cl_kernel kernel, cl_uint index, cl_mem buffer,
                          std::uint64_t offset_bytes, std::uint32_t element_bytes) const {
  const std::uint64_t begin = offset_bytes / element_bytes;
  if (offset_bytes % element_bytes != 0 || begin > std::numeric_limits<cl_int>::max()) {
    throw std::runtime_error("a tensor begins at byte " + std::to_string(offset_bytes) +
                             " of its buffer, where kernels cannot count its elements of " +
                             std::to_string(element_bytes) + " bytes");
  }
  const auto position = static_cast<cl_int>(begin);
  Check(library_.clSetKernelArg(kernel, index, sizeof(buffer), &buffer), "clSetKernelArg");
  Check(library_.clSetKernelArg(kernel, index + 1, sizeof(position), &position), "clSetKernelArg");
}

void WorkState::SetArgument(Kernel& kernel, cl_uint& index, const WorkArgument& argument) const {
  const auto set = [&](std::size_t size, const void* value) {
    Check(library_.clSetKernelArg(kernel.kernel.get(), index, size, value), "clSetKernelArg");
    ++index;
  };
  if (const auto* buffer = std::get_if<WorkBuffer>(&argument)) {
    if (const auto* tensor = std::get_if<TensorOfRun>(&buffer->source)) {
      kernel.tensors.push_back({index, *tensor, buffer->element_bytes, buffer->offset_bytes});
    } else {
      const BufferPlace place = Find(*buffer);
      SetBuffer(kernel.kernel.get(), index, place.buffer, place.offset_bytes,
                buffer->element_bytes);
    }
    index += 2;
  } else if (const auto* local = std::get_if<LocalArgument>(&argument)) {
    set(local->size_bytes, nullptr);
  } else if (const auto* integer = std::get_if<std::int32_t>(&argument)) {
    set(sizeof(*integer), integer);
  } else {
    set(sizeof(float), &std::get<float>(argument));
  }
}

BufferPlace WorkState::Find(const WorkBuffer& buffer) const {
  BufferPlace place;
  if (const auto* tensor = std::get_if<TensorOfRun>(&buffer.source)) {
    place = tensors_.Get(*tensor);
  } else if (const auto* memory = std::get_if<StateMemory>(&buffer.source)) {
    place = {memory_, memory->offset_bytes, false};
  } else {
    place.buffer = std::get<Owned<cl_mem>>(buffer.source).get();
  }
  place.offset_bytes += buffer.offset_bytes;
  return place;
}

void WorkState::SetTensors(Kernel& kernel) const {
  for (TensorArgument& argument : kernel.tensors) {
    const BufferPlace& place = tensors_.Get(argument.tensor);
    // An empty tensor may lie nowhere, but a kernel wants a buffer also for what it does not read.
    const cl_mem buffer = place.buffer != nullptr ? place.buffer : memory_;
    // A buffer of this run may have got the address of one that is no more.
    const std::uint64_t begin_bytes = place.offset_bytes + argument.offset_bytes;
    const bool is_as_before =
        !place.is_of_run && buffer == argument.buffer && begin_bytes == argument.begin_bytes;
    if (is_as_before) continue;
    SetBuffer(kernel.kernel.get(), argument.index, buffer, begin_bytes, argument.element_bytes);
    argument.buffer = place.is_of_run ? nullptr : buffer;
    argument.begin_bytes = begin_bytes;
  }
}

void WorkState::ExpectIndices(cl_command_queue queue) const {
  static constexpr OutsideIndex kNone;
  Check(library_.clEnqueueWriteBuffer(queue, memory_, CL_FALSE, work_->outside->offset_bytes,
                                      sizeof(kNone), &kNone, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

void WorkState::CheckIndices(cl_command_queue queue) const {
  OutsideIndex outside;
  Check(library_.clEnqueueReadBuffer(queue, memory_, CL_TRUE, work_->outside->offset_bytes,
                                     sizeof(outside), &outside, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  if (outside.place == 0) return;
  const std::int64_t index = std::int64_t{outside.high} * (std::int64_t{1} << 32) +
                             static_cast<std::uint32_t>(outside.low);
  const std::string& name = work_->commands.at(static_cast<std::size_t>(outside.command)).name;
  throw InvalidArgumentException(
      "layer \"" + name +
      "\": " + cpu_layers::DescribeOutside(index, outside.place - 1, outside.extent));
}

cl_int WorkState::EnqueueKernel(const WorkKernel& work, Kernel& kernel, cl_command_queue queue,
                                cl_event* event) const {
  SetTensors(kernel);
  const bool has_local_size = work.local_size[0] != 0;
  return library_.clEnqueueNDRangeKernel(
      queue, kernel.kernel.get(), work.num_dimensions, nullptr, work.global_size.data(),
      has_local_size ? work.local_size.data() : nullptr, 0, nullptr, event);
}

cl_int WorkState::EnqueueCopy(const WorkCopy& copy, cl_command_queue queue, cl_event* event) const {
  const BufferPlace from = Find(copy.from);
  const BufferPlace to = Find(copy.to);
  return library_.clEnqueueCopyBuffer(queue, from.buffer, to.buffer, from.offset_bytes,
                                      to.offset_bytes, copy.size_bytes, 0, nullptr, event);
}

void WorkState::Enqueue(std::size_t position, cl_command_queue queue, cl_event* event) {
  const WorkCommand& command = work_->commands[position];
  const auto* kernel = std::get_if<WorkKernel>(&command.command);
  const cl_int error = kernel != nullptr
                           ? EnqueueKernel(*kernel, kernels_[position], queue, event)
                           : EnqueueCopy(std::get<WorkCopy>(command.command), queue, event);
  if (error == CL_SUCCESS) return;
  throw OpenClError(kernel != nullptr ? "clEnqueueNDRangeKernel of '" + kernel->kernel + "' for '" +
                                            command.name + "'"
                                      : "clEnqueueCopyBuffer for '" + command.name + "'",
                    error);
}

}  // namespace opencl
}  // namespace backplane
