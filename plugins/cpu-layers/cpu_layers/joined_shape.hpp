#pragma once

#include "cpu_layers/refusal.hpp"

#include <cstdint>
#include <initializer_list>

namespace backplane {
namespace cpu_layers {

/// Some axes of a shape: `count` from `begin` on.
struct AxisRange {
  const TensorShape& shape;
  std::uint32_t begin;
  std::uint32_t count;
};

/// Refuses an output that has not the axes of these ranges, one behind the other.
void RequireJoinedOutput(const Layer& layer, std::initializer_list<AxisRange> ranges,
                         Refusal& refusal);

/// The number of combinations of indices along `count` axes from `begin` on.
std::int64_t CountElements(const TensorShape& shape, std::uint32_t begin, std::uint32_t count);

/// Refuses indices, input 1, that are not empty where input 0 is, along this axis.
void RequireElementsToIndex(const Layer& layer, std::uint32_t axis, Refusal& refusal);

/// Refuses indices, input 1, with another rank than input 0, or that reach beyond it along another
/// axis than this one.
void RequireIndicesInside(const Layer& layer, std::uint32_t axis, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
