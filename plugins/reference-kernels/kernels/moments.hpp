#pragma once

#include "cpu_layers/axis_groups.hpp"

#include <cstdint>

namespace backplane {
namespace reference {

struct Moments {
  double mean;
  double variance;  // divided by the number of elements
};

/// The mean and the variance of the group of each lane. Squares are those of differences to the
/// mean: nothing is lost when it is large.
template <typename Number>
void ComputeMoments(const AxisGroups& groups, const Number* input, const AxisGroups::Block& block,
                    double (&means)[AxisGroups::kLanes], double (&variances)[AxisGroups::kLanes]) {
  const auto size = static_cast<double>(groups.GetGroupSize());
  const auto add = [](double a, double b) { return a + b; };
  groups.Reduce(
      input, block, 0.0, means,
      [](double sum, Number x, std::int64_t) { return sum + static_cast<double>(x); }, add);
  for (double& mean : means) mean /= size;
  groups.Reduce(
      input, block, 0.0, variances,
      [&means](double sum, Number x, std::int64_t lane) {
        const double difference = static_cast<double>(x) - means[lane];
        return sum + difference * difference;
      },
      add);
  for (double& variance : variances) variance /= size;
}

/// Those of contiguous elements.
template <typename Number>
Moments ComputeMoments(const Number* input, std::int64_t count) {
  const AxisGroups groups({count}, {true});
  double means[AxisGroups::kLanes] = {};
  double variances[AxisGroups::kLanes] = {};
  ComputeMoments(groups, input, {0, 0, 1}, means, variances);
  return {means[0], variances[0]};
}

}  // namespace reference
}  // namespace backplane
