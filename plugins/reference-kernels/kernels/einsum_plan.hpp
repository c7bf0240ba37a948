#pragma once

/// How an einsum is calculated: operands are taken in one after the other, each by one product of
/// matrices; what is in no later operand and not in the output is summed up at once.

#include "kernels/matrix_multiply.hpp"

#include <backplane/api/einsum_equation.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace backplane {
namespace reference {

/// Where the elements of a step are.
struct EinsumPlace {
  enum class Kind : std::uint32_t { kInput, kScratch, kOutput };
  Kind kind = Kind::kInput;
  std::int64_t position = 0;  // number of the input, or element of the scratch memory
};

/// One index that runs through two tensors, with the elements from one value to the next.
struct EinsumLoop {
  std::int64_t extent = 1;
  std::int64_t step_a = 0;
  std::int64_t step_b = 0;
};
using EinsumLoops = std::vector<EinsumLoop>;

/// Makes a dense tensor, in the order of the kept loops, of sums over the others. Only step_a is
/// used. There is at least one kept loop.
struct EinsumSum {
  EinsumPlace source;
  EinsumPlace target;
  EinsumLoops kept;
  EinsumLoops summed;
};

/// Makes a dense stack of products of matrices.
struct EinsumProduct {
  EinsumPlace a;
  EinsumPlace b;
  EinsumPlace result;
  EinsumLoops batches;
  MatrixProduct product;
};

using EinsumStep = std::variant<EinsumSum, EinsumProduct>;

struct EinsumPlan {
  std::vector<EinsumStep> steps;
  std::int64_t scratch_elements = 0;
};

/// Nothing: when an intermediate result would be too large to have a size. The shapes fit the
/// labels.
std::optional<EinsumPlan> MakeEinsumPlan(const EinsumLabels& labels,
                                         const std::vector<TensorShape>& operands);

/// Calls visit(offset in a, offset in b) for each combination of the indices, the last one fastest.
template <typename Visit>
void VisitLoops(const EinsumLoop* loops, std::size_t num_loops, Visit&& visit) {
  constexpr std::size_t kMost = 64;  // more than there are letters and axes of an ellipsis
  std::int64_t indices[kMost] = {};
  for (std::size_t i = 0; i < num_loops; ++i) {
    if (loops[i].extent == 0) return;
  }
  std::int64_t offset_a = 0;
  std::int64_t offset_b = 0;
  for (;;) {
    visit(offset_a, offset_b);
    std::size_t left = num_loops;
    for (; left > 0; --left) {
      const EinsumLoop& loop = loops[left - 1];
      offset_a += loop.step_a;
      offset_b += loop.step_b;
      if (++indices[left - 1] < loop.extent) break;
      offset_a -= loop.step_a * loop.extent;
      offset_b -= loop.step_b * loop.extent;
      indices[left - 1] = 0;
    }
    if (left == 0) return;
  }
}

}  // namespace reference
}  // namespace backplane
