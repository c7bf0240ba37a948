#pragma once

#include "nodes/node.hpp"
#include "tensors/memory_budget.hpp"
#include "values/value.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace backplane::onnx {

/// Thrown where a node is not evaluated after all; it is converted to a layer instead, and what is
/// wrong with it, if anything is, is said there.
struct NotFolded {};

/// Memory for a result. Errors: NotFolded when it is more than the budget allows.
std::shared_ptr<unsigned char> AllocateResult(MemoryBudget& budget, std::uint64_t size_bytes);

/// Errors: NotFolded when there is more of something than is worked on while a model is imported.
void RequireAtMost(const MemoryBudget& budget, std::uint64_t count, std::uint64_t most);

/// For nodes that read more than they make: an input is about to be read as a whole, so many times.
/// Errors: NotFolded when it is more than the budget allows.
void CountReading(Node& node, std::size_t index, std::uint64_t times = 1);

/// A constant of int64. Errors: as AllocateResult.
Value MakeInts(Node& node, const TensorShape& shape, const std::vector<std::int64_t>& elements);

/// The elements of a constant input.
template <typename Element>
const Element* Read(Node& node, std::size_t index) {
  return static_cast<const Element*>(node.GetValue(index).data.get());
}

/// Gives the outputs of a node without layers, whose inputs are constants, as constants or as
/// layers that read such. Errors: NotFolded; DiagnosticException.
#define BACKPLANE_ONNX_FOLDING(op, inputs)
#define BACKPLANE_ONNX_CHOICE(op, inputs) void Fold##op(Node& node);
#include "folding/foldings.def"
#undef BACKPLANE_ONNX_FOLDING
#undef BACKPLANE_ONNX_CHOICE

}  // namespace backplane::onnx
