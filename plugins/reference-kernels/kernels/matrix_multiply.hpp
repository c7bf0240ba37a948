#pragma once

#include "cpu_layers/matrix_operands.hpp"
#include "layer.hpp"

#include <cstdint>

namespace backplane {
namespace reference {

/// As many columns, gone through together, stay in the cache.
constexpr std::int64_t kColumnsAtOnce = 256;

/// Adds a times b to `result`, which is dense and overlaps neither. For float, double and uint64_t.
template <typename Number>
void AddMatrixProduct(const MatrixProduct& product, const Number* a, const Number* b,
                      Number* result);

}  // namespace reference
}  // namespace backplane
