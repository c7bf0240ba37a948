#pragma once

/// Products of matrices that are held in the last two axes, with the steps by which they are read.

#include "kernel_builders/kernel_maker.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/fully_connected.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

/// How one operand is read. Steps count elements.
struct MatrixSteps {
  std::vector<std::int64_t> batch;  // one for each batch axis; 0 repeats
  std::int64_t row = 0;
  std::int64_t column = 0;
};

/// [batch..., rows, inner] times [batch..., inner, columns]. The result is plain.
struct MatrixProblem {
  std::int64_t CountBatches() const;
  /// Sums of so many products are made.
  std::int64_t CountProducts() const { return CountBatches() * rows * inner * columns; }
  /// Whether all batches meet the same second operand.
  bool HasOneMatrix() const;
  /// Whether it takes longer to read all of the second operand than all rows of the first, and
  /// matters.
  bool IsWide() const;

  std::vector<std::int64_t> batch;
  std::int64_t rows = 1;
  std::int64_t inner = 1;
  std::int64_t columns = 1;
  MatrixSteps a;
  MatrixSteps b;
};

/// Of a node with a BatchMatMulDescriptor. An operand that lies in steps is read as it lies, others
/// are wanted plain.
MatrixProblem MakeMatrixProblem(KernelMaker& maker, const BatchMatMulDescriptor& descriptor);

/// Makes the kernel of such a node, or one with a FullyConnectedDescriptor. `bias_input` counts
/// among the inputs of the node; kNoOperand: there is none.
std::unique_ptr<const Kernel> MakeProduct(KernelMaker& maker, const MatrixProblem& problem,
                                          std::uint32_t bias_input);

/// The two ways to make it: by a loop of our own, for what is small or has a constant matrix, and
/// by oneDNN.
std::unique_ptr<const Kernel> MakeSmallProduct(KernelMaker& maker, const MatrixProblem& problem,
                                               std::uint32_t bias_input);
std::unique_ptr<const Kernel> MakeLargeProduct(KernelMaker& maker, const MatrixProblem& problem,
                                               std::uint32_t bias_input);

}  // namespace cpuacc
}  // namespace backplane
