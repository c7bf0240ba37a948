#pragma once

/// Softmax along one axis of a dense tensor of float or double.

#include "cpu_layers/axis_groups.hpp"
#include "cpu_layers/exponents.hpp"

#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpu_layers {

/// Sums are added in an order that depends on the shape alone.
template <typename Number>
class Softmax {
 public:
  Softmax(const TensorShape& shape, const SoftmaxDescriptor& descriptor)
      : beta_(static_cast<Number>(descriptor.beta)), groups_(shape, MakeAxisSet(descriptor.axis)) {}

  /// The output may be the input itself.
  void Run(const Number* input, Number* output) const {
    groups_.VisitBlocks([&](const AxisGroups::Block& block) { RunBlock(input, block, output); });
  }

 private:
  void RunBlock(const Number* input, const AxisGroups::Block& block, Number* output) const {
    Number extremes[AxisGroups::kLanes];
    double sums[AxisGroups::kLanes];
    FindExtremes(groups_, input, block, beta_, extremes);
    ComputeExponentials(input, extremes, block, output, sums);
    groups_.VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      Number* row = output + offset;
      for (std::int64_t i = 0; i < width; ++i) {
        row[i] = static_cast<Number>(static_cast<double>(row[i]) / sums[i]);
      }
    });
  }

  /// Sums are double: axes can be long and their terms small.
  void ComputeExponentials(const Number* input, const Number* extremes,
                           const AxisGroups::Block& block, Number* output, double* sums) const {
    std::fill_n(sums, AxisGroups::kLanes, 0.0);
    groups_.VisitRows(block, [&](std::int64_t offset, std::int64_t width) {
      const Number* row = input + offset;
      Number* exponentials = output + offset;
      for (std::int64_t i = 0; i < width; ++i) {
        exponentials[i] = std::exp(beta_ * (row[i] - extremes[i]));
        sums[i] += static_cast<double>(exponentials[i]);
      }
    });
    groups_.CombineLanes(sums, [](double a, double b) { return a + b; });
  }

  const Number beta_;
  const AxisGroups groups_;
};

}  // namespace cpu_layers
}  // namespace backplane
