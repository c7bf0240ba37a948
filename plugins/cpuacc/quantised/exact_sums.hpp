#pragma once

/// Whether fast sums and products of bytes are as exact as the reference's.

#include "cpu_layers/byte_arithmetic.hpp"
#include "cpu_layers/requantisation.hpp"
#include "graph/graph.hpp"

#include <dnnl.hpp>

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Constant weights of int8, which lie as `desc` says: with the filters, and their groups in front,
/// outermost.
struct Filters {
  const GraphTensor& weights;
  const dnnl::memory::desc& desc;
  std::size_t num_outer;  // axes of groups and filters
};

/// Whether oneDNN's sums of products of bytes are exact on this processor. Without these
/// instructions, sums of two products do not fit where it puts them.
bool HasExactByteProducts();

/// Whether oneDNN's products of matrices take zero points off sums of so many products of bytes as
/// integers do. With AMX, these are float32 before, which has all integers up to 2^24 alone.
bool AreZeroPointsExact(std::int64_t num_products);

/// Whether no sum of products can lose a bit, for any input. `bias`: one for each filter, or null.
bool AreSumsExact(const Filters& filters, const std::int32_t* bias,
                  const cpu_layers::Requantisation& requantisation, DataType input_type);

/// Whether double has all sums of two bytes without loss, so that they are rounded once.
bool IsSumExact(const cpu_layers::ByteSum& sum);

}  // namespace cpuacc
}  // namespace backplane
