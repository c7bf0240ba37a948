#pragma once

/// What the oracles of operators over some axes have in common.

#include "conformance/layer_case.hpp"

#include <cmath>

namespace backplane {
namespace conformance {

/// The elements at whose indices `belongs(indices)` is true, in order.
template <typename Number, typename Belongs>
std::vector<Number> CollectIf(const NumberTensor<Number>& input, const Belongs& belongs) {
  std::vector<Number> group;
  Indices indices(input.shape.rank, 0);
  for (const Number element : input.data) {
    if (belongs(indices)) group.push_back(element);
    for (std::uint32_t axis = input.shape.rank; axis-- > 0;) {
      if (++indices[axis] < input.shape[axis]) break;
      indices[axis] = 0;
    }
  }
  return group;
}

/// The elements whose indices are those of `at` but for the axes that are marked, in order.
template <typename Number>
std::vector<Number> CollectGroup(const NumberTensor<Number>& input, const Indices& at,
                                 const std::vector<bool>& is_free) {
  return CollectIf(input, [&](const Indices& indices) {
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      if (indices[axis] != at[axis] && !is_free[axis]) return false;
    }
    return true;
  });
}

/// The elements along one axis.
template <typename Number>
std::vector<Number> CollectAlong(const NumberTensor<Number>& input, const Indices& at,
                                 std::uint32_t axis) {
  std::vector<bool> is_free(input.shape.rank, false);
  is_free[axis] = true;
  return CollectGroup(input, at, is_free);
}

inline long double GetMean(const std::vector<long double>& group) {
  long double sum = 0;
  for (const long double element : group) sum += element;
  return sum / static_cast<long double>(group.size());
}

inline long double GetVariance(const std::vector<long double>& group) {
  const long double mean = GetMean(group);
  std::vector<long double> squares;
  for (const long double element : group) squares.push_back((element - mean) * (element - mean));
  return GetMean(squares);
}

/// An epsilon that matters.
inline float MakeEpsilon(Random& random) {
  return static_cast<float>(random.Integer(1, 20)) / 100.0F;
}

}  // namespace conformance
}  // namespace backplane
