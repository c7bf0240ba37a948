#pragma once

/// What a kernel is, and where the kernel of a layer is found.

#include "layer.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace backplane {
namespace cpuref {

/// Stands for "in its own memory" among offsets in scratch memory.
constexpr std::uint64_t kNotInScratch = ~std::uint64_t{0};

/// The tensors of one run. The workload has checked that all are there.
class RunTensors {
 public:
  RunTensors(const ExecuteArgs& args, unsigned char* scratch) : args_(args), scratch_(scratch) {}

  /// The same tensors, of which some lie in scratch memory: at the offsets of the inputs, followed
  /// by those of the outputs, unless these are kNotInScratch.
  /// Ownership: the offsets are borrowed.
  RunTensors InScratch(const std::uint64_t* offsets) const {
    RunTensors tensors(args_, scratch_);
    tensors.offsets_ = offsets;
    return tensors;
  }

  /// Null: only for a tensor without elements.
  template <typename Element>
  const Element* Input(std::uint32_t index) const {
    if (IsInScratch(index)) return static_cast<const Element*>(GetInScratch(index));
    return args_.GetInput(index).Get<const Element>();
  }

  /// Null: only for a tensor without elements.
  template <typename Element>
  Element* Output(std::uint32_t index = 0) const {
    const std::uint32_t position = args_.GetNumInputs() + index;
    if (IsInScratch(position)) return static_cast<Element*>(GetInScratch(position));
    return args_.GetOutput(index).Get<Element>();
  }

  /// What the kernel itself asked for by GetScratchBytes, aligned to 64 bytes.
  template <typename Element>
  Element* GetScratch() const {
    return reinterpret_cast<Element*>(scratch_);
  }

  /// Of a tensor that has an offset; outputs count on from the inputs.
  void* GetInScratch(std::uint32_t index) const { return scratch_ + offsets_[index]; }

 private:
  bool IsInScratch(std::uint32_t index) const {
    return offsets_ != nullptr && offsets_[index] != kNotInScratch;
  }

  const ExecuteArgs& args_;
  unsigned char* scratch_;
  const std::uint64_t* offsets_ = nullptr;
};

/// The computation of one layer, with all that can be known before the run. Allocates nothing
/// while it runs.
///
/// Threads: any; several runs at once.
class Kernel {
 public:
  virtual ~Kernel() = default;

  /// The scratch memory that a run needs, see RunTensors::GetScratch.
  virtual std::uint64_t GetScratchBytes() const { return 0; }

  /// Computes the outputs. Called only when one of them has elements.
  virtual void Run(const RunTensors& tensors) const = 0;
};

/// FindRefusalOf<name> says why the layer cannot be run, and nothing when it can; Make<name> makes
/// the kernel of a layer that is not refused.
#define CPUREF_KERNEL(name)                            \
  std::string FindRefusalOf##name(const Layer& layer); \
  std::unique_ptr<Kernel> Make##name(const Layer& layer);
#include "kernels.def"
#undef CPUREF_KERNEL

/// Says why CpuRef cannot run the layer; empty when it can. Also checks what all kernels rely on:
/// the number of tensors, the size of the descriptor and shapes in which no index overflows.
std::string FindRefusal(const Layer& layer);

/// Makes the kernel of a layer for which FindRefusal is empty.
std::unique_ptr<Kernel> MakeKernel(const Layer& layer);

}  // namespace cpuref
}  // namespace backplane
