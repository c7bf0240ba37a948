#pragma once

#include "strides.hpp"
#include "work.hpp"

#include <backplane/api/run_arguments.hpp>

#include <cstddef>
#include <deque>
#include <stdexcept>

namespace memory_mock {

/// A dense tensor in memory of the CPU, as a kernel meets it.
class DenseTensor final : public backplane::ITensorHandle {
 public:
  DenseTensor(const backplane::TensorInfo& info, unsigned char* data) : view_(MakeDenseView(info)) {
    view_.data = data;
    view_.source = backplane::MemorySource::kMalloc;
    view_.size_bytes = info.GetSizeBytes();
    view_.alignment_bytes = GetAlignmentOf(reinterpret_cast<std::uintptr_t>(data));
  }

  const backplane::MemoryView* GetMemoryView() const override { return &view_; }
  backplane::Status Bind(const backplane::MemoryBlock& /*block*/,
                         std::uint64_t /*offset_bytes*/) override {
    return backplane::Status::kUnsupported;
  }
  backplane::Status Map(backplane::MemoryAccess /*access*/,
                        backplane::MemoryView* /*view*/) override {
    return backplane::Status::kUnsupported;
  }
  backplane::Status Unmap() override { return backplane::Status::kUnsupported; }
  backplane::Status Import(const backplane::MemoryView& /*memory*/) override {
    return backplane::Status::kUnsupported;
  }
  backplane::Status Unimport() override { return backplane::Status::kUnsupported; }
  backplane::Status Export(backplane::MemorySource /*source*/,
                           backplane::MemoryView* /*memory*/) override {
    return backplane::Status::kUnsupported;
  }

 private:
  backplane::MemoryView view_;
};

/// The tensors of one run of a kernel. What does not lie dense is moved through the memory for
/// operands, where each tensor has a place of its own.
class KernelTensors {
 public:
  explicit KernelTensors(unsigned char* memory) : next_(memory) {}

  static std::uint64_t GetPlaceBytes(const backplane::TensorInfo& info) {
    constexpr std::uint64_t kLineBytes = 64;
    return (info.GetSizeBytes() + kLineBytes - 1) / kLineBytes * kLineBytes;
  }

  void Add(const backplane::TensorInfo& info, const Elements& elements,
           backplane::MemoryAccess access) {
    unsigned char* dense = elements.FindDense();
    if (dense == nullptr) {
      dense = next_;
      if (access == backplane::MemoryAccess::kRead) elements.DecodeInto(dense);
      if (access == backplane::MemoryAccess::kWrite) moved_back_.push_back({&elements, dense});
    }
    next_ += GetPlaceBytes(info);
    handles_.push_back(&tensors_.emplace_back(info, dense));
  }

  /// Those that were added from one on.
  std::vector<backplane::ITensorHandle*> GetHandles(std::size_t first, std::size_t count) const {
    const auto begin = handles_.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  void MoveOutputsBack() const {
    for (const auto& [elements, dense] : moved_back_) elements->EncodeFrom(dense);
  }

 private:
  unsigned char* next_;
  std::deque<DenseTensor> tensors_;  // their addresses stay
  std::vector<backplane::ITensorHandle*> handles_;
  std::vector<std::pair<const Elements*, const unsigned char*>> moved_back_;
};

/// Has a kernel of the reference backend compute.
class KernelWork final : public Work {
 public:
  KernelWork(const backplane::WorkloadArgs& args, backplane::IWorkloadFactory& kernels)
      : kernel_(kernels.CreateWorkload(args)) {
    for (std::uint32_t i = 0; i < args.num_inputs; ++i) inputs_.push_back(*args.inputs[i]);
    for (std::uint32_t i = 0; i < args.num_outputs; ++i) outputs_.push_back(*args.outputs[i]);
  }

  std::uint64_t GetOperandBytes() const override {
    std::uint64_t bytes = 0;
    for (const backplane::TensorInfo& info : inputs_) bytes += KernelTensors::GetPlaceBytes(info);
    for (const backplane::TensorInfo& info : outputs_) bytes += KernelTensors::GetPlaceBytes(info);
    return bytes;
  }

  void Run(const Tensors& inputs, const Tensors& outputs, const RunState* state) const override {
    if (state == nullptr) throw std::invalid_argument("the run has no execution state");
    KernelTensors tensors(state->GetOperandMemory());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      tensors.Add(inputs_[i], inputs[i], backplane::MemoryAccess::kRead);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      tensors.Add(outputs_[i], outputs[i], backplane::MemoryAccess::kWrite);
    }
    const backplane::RunArguments args(tensors.GetHandles(0, inputs.size()),
                                       tensors.GetHandles(inputs.size(), outputs.size()),
                                       state->GetKernelState());
    const backplane::Status status = kernel_->Execute(args.Show());
    if (status != backplane::Status::kSuccess) {
      throw std::runtime_error(std::string("the kernel failed: ") +
                               backplane::GetStatusText(status));
    }
    tensors.MoveOutputsBack();
  }

 private:
  const std::unique_ptr<backplane::IWorkload> kernel_;
  std::vector<backplane::TensorInfo> inputs_;
  std::vector<backplane::TensorInfo> outputs_;
};

}  // namespace memory_mock
