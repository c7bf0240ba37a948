#pragma once

/// The error of Winograd's algorithm for images.

#include "winograd/image_problem.hpp"

#include <vector>

namespace backplane {
namespace cpuacc {

/// The weights of some filters, which stand for all: [filters, channels, 3, 3].
struct SampledFilters {
  std::int64_t count = 0;
  std::vector<float> weights;
};

SampledFilters SampleFilters(const ImageProblem& problem, const float* weights);

/// The greatest difference from sums in double, in parts of the greatest sum, where an image of a
/// few tiles is noise. Not a number when results are not.
double MeasureImageError(const ImageProblem& problem, const SampledFilters& filters);

}  // namespace cpuacc
}  // namespace backplane
