#pragma once

/// What a reference kernel is, and where the kernel of a layer is found. It knows layers and plain
/// memory, and nothing of backends or of the core.

#include "cpu_layers/layer.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {
namespace reference {

using cpu_layers::Layer;

/// Stands for "in its own memory" among offsets in scratch memory.
constexpr std::uint64_t kNotInScratch = ~std::uint64_t{0};

/// Where the tensors of a layer lie: dense, and aligned for their types.
class ITensorMemory {
 public:
  /// Null: only for a tensor without elements, and for one of which the kernel reads only the
  /// shape. [any thread]
  virtual const void* GetInput(std::uint32_t index) const = 0;
  /// Null: only for a tensor without elements. [any thread]
  virtual void* GetOutput(std::uint32_t index) const = 0;

 protected:
  ~ITensorMemory() = default;
};

struct PlainMemory final : ITensorMemory {
  const void* GetInput(std::uint32_t index) const override { return inputs[index]; }
  void* GetOutput(std::uint32_t index) const override { return outputs[index]; }

  std::vector<const void*> inputs;
  std::vector<void*> outputs;
};

/// The tensors of one run. Whoever makes it has checked that all are there.
class RunTensors {
 public:
  /// `scratch` has as many bytes as the kernel asks for, aligned to 64 bytes.
  RunTensors(const ITensorMemory& memory, std::uint32_t num_inputs, unsigned char* scratch)
      : memory_(memory), num_inputs_(num_inputs), scratch_(scratch) {}

  /// The same tensors, of which some lie in scratch memory: at the offsets of the inputs, followed
  /// by those of the outputs, unless these are kNotInScratch.
  /// Ownership: the offsets are borrowed.
  RunTensors InScratch(const std::uint64_t* offsets) const {
    RunTensors tensors(memory_, num_inputs_, scratch_);
    tensors.offsets_ = offsets;
    return tensors;
  }

  /// Null: as ITensorMemory::GetInput.
  template <typename Element>
  const Element* Input(std::uint32_t index) const {
    if (IsInScratch(index)) return static_cast<const Element*>(GetInScratch(index));
    return static_cast<const Element*>(memory_.GetInput(index));
  }

  /// Null: only for a tensor without elements.
  template <typename Element>
  Element* Output(std::uint32_t index = 0) const {
    const std::uint32_t position = num_inputs_ + index;
    if (IsInScratch(position)) return static_cast<Element*>(GetInScratch(position));
    return static_cast<Element*>(memory_.GetOutput(index));
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

  const ITensorMemory& memory_;
  std::uint32_t num_inputs_;
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

  /// The scratch memory that a run needs, see RunTensors::GetScratch. [any thread]
  virtual std::uint64_t GetScratchBytes() const { return 0; }

  /// Computes the outputs. Called only when one of them has elements.
  /// Errors: InvalidArgumentException for values of the inputs that the layer cannot have.
  /// [any thread]
  virtual void Run(const RunTensors& tensors) const = 0;
};

/// Says why there is no kernel for the layer; empty when there is one. Also checks what all kernels
/// rely on: the number of tensors, the size of the descriptor and shapes in which no index
/// overflows. [any thread]
std::string FindRefusal(const Layer& layer);

/// Makes the kernel of a layer for which FindRefusal is empty. [any thread]
std::unique_ptr<Kernel> MakeKernel(const Layer& layer);

}  // namespace reference
}  // namespace backplane
