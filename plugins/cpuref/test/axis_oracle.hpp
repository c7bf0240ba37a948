#pragma once

/// What the oracles of operators over some axes have in common.

#include "test/layer_case.hpp"

#include <cmath>

namespace backplane {
namespace cpuref_test {

/// The elements whose indices are those of `at` but for the axes that are marked, in order.
template <typename Number>
std::vector<Number> CollectGroup(const NumberTensor<Number>& input, const Indices& at,
                                 const std::vector<bool>& is_free) {
  std::vector<Number> group;
  for (std::int64_t element = 0; element < input.shape.GetNumElements(); ++element) {
    const Indices indices = GetIndices(input.shape, element);
    bool belongs = true;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      belongs = belongs && (is_free[axis] || indices[axis] == at[axis]);
    }
    if (belongs) group.push_back(input.At(indices));
  }
  return group;
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

}  // namespace cpuref_test
}  // namespace backplane
