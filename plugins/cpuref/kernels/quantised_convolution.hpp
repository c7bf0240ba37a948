#pragma once

#include "kernel.hpp"

#include <memory>

namespace backplane {
namespace cpuref {

/// The kernel of a convolution in integers.
/// Null: the layer has no integer form, see requantisation.hpp.
std::unique_ptr<Kernel> MakeQuantisedConvolution(const Layer& layer);

}  // namespace cpuref
}  // namespace backplane
