#pragma once

#include "cpu_layers/requantisation.hpp"
#include "quantised/quantised_convolution.hpp"
#include "quantised/zero_point_inputs.hpp"

#include <optional>

namespace backplane {
namespace cpuacc {

/// The kernel for what oneDNN cannot do exactly: weights that are computed or have zero points,
/// sums that float32 does not hold and that have zero points, processors without products of bytes.
/// Input and output have their channels last; the weights are plain. `unknown`: zero points that
/// take the place of those of the requantisation, where they are known only in the run.
std::unique_ptr<const Kernel> MakeByteConvolution(KernelMaker& maker,
                                                  const QuantisedConvolution& convolution,
                                                  cpu_layers::Requantisation requantisation,
                                                  std::optional<ZeroPointInputs> unknown = {});

}  // namespace cpuacc
}  // namespace backplane
