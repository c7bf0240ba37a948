#pragma once

#include "threads/threads.hpp"
#include "winograd/winograd_line_problem.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The weights at the points of the algorithm, as the kernel reads them:
/// [points, panels, inputs, kPanelColumns], from [outputs, inputs, window].
/// Errors: Threads::RequireTime, between two panels.
std::shared_ptr<const void> TransformWeights(const LineProblem& problem, const float* weights,
                                             const Threads& threads);

}  // namespace cpuacc
}  // namespace backplane
