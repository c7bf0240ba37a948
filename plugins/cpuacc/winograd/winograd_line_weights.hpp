#pragma once

#include "winograd/winograd_line_problem.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The weights at the points of the algorithm, as the kernel reads them:
/// [points, panels, inputs, kPanelColumns], from [outputs, inputs, window].
std::shared_ptr<const void> TransformWeights(const LineProblem& problem, const float* weights);

}  // namespace cpuacc
}  // namespace backplane
