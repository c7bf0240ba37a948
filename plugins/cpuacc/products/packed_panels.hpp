#pragma once

/// Constant matrices in panels of columns, as ProductFunctions::multiply reads them.

#include "products/matrix_problem.hpp"

#include <backplane/api/data_type.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Products of so many rows take as long as it takes to read the matrix.
constexpr std::int64_t kFewRows = 6;

/// Matrices of fewer elements stay in caches, whatever their type.
constexpr std::int64_t kLargeMatrix = std::int64_t{1} << 16;

struct PackedPanels {
  DataType type = DataType::kFloat32;  // of the elements
  std::shared_ptr<const void> content;
};

/// The second operand of the product, which is constant and has one matrix. The elements of a large
/// one have 16 bits if these are as exact: models of float16 and bfloat16, and what was trained in
/// them, have such weights.
PackedPanels PackPanels(KernelMaker& maker, const MatrixProblem& problem);

}  // namespace cpuacc
}  // namespace backplane
