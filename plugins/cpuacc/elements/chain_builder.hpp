#pragma once

/// From the operations of a node to the kernels that do them.

#include "elements/element_kernel.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "layout/physical_axes.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Collects operations on the memory of output 0 in its layout, and asks for operands in layouts
/// that fit.
class ChainBuilder {
 public:
  /// `axes`: those of output 0 in `layout`.
  ChainBuilder(KernelMaker& maker, const Layout& layout, std::vector<PhysicalAxis> axes);

  /// The chain begins with input 0, which broadcasts to output 0.
  void BeginWithInput();
  /// The chain begins with what is in output 0.
  void BeginInPlace();

  /// What the chain begins with is int32.
  void AddConversion();
  /// Multiplies by one number for each index of the last axis. The output is plain.
  void AddScales(const std::vector<float>& scales);
  void Add(const ElementOp& op);

  /// One kernel or, for very long chains, several.
  std::vector<std::unique_ptr<const Kernel>> Finish();

 private:
  /// What an operation is done with.
  struct Operand {
    std::optional<float> number;   // the same everywhere
    std::size_t tensor = 0;        // otherwise
    std::optional<float> padding;  // what meets the padding of the output, when that is known
  };

  Operand AddOperand(std::uint32_t input);
  Operand AddInput(std::uint32_t input);
  Operand AddVariable(std::uint32_t input);
  Operand AddConstant(std::uint32_t input);
  std::size_t AddTensor(ElementSource source, Strides strides);
  bool HasBlocksOfOutput(std::uint32_t input) const;
  std::optional<float> FindPadding(const TensorShape& shape) const;
  Strides GetOwnStrides() const;
  void FollowPadding(const ElementOp& op, const Operand& operand);
  void MaskPadding();
  void FinishKernel();

  KernelMaker& maker_;
  const SimdFunctions& simd_;
  const Layout layout_;
  const std::vector<PhysicalAxis> axes_;
  const TensorShape& shape_;
  ElementChain chain_;
  std::vector<Strides> strides_;  // of the chain's tensors
  std::optional<float> padding_;  // what the chain leaves in the padding, when that is known
  std::vector<std::unique_ptr<const Kernel>> kernels_;
};

}  // namespace cpuacc
}  // namespace backplane
