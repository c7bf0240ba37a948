#pragma once

/// Products of bytes less their zero points. Kernels for double make them: double has all sums of
/// such products without loss, of which the last 32 bits are kept.

#include "cpu_layers/axis_span.hpp"
#include "kernel.hpp"
#include "layer.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace reference {

/// The layer's product in double, of inputs 0 and 1 alone, or with a bias as input 2.
std::unique_ptr<Kernel> MakeConvolutionOfDoubles(const Layer& layer);
std::unique_ptr<Kernel> MakeMatMulOfDoubles(const Layer& layer,
                                            const BatchMatMulDescriptor& descriptor);

/// A layer of plain bytes, whose inputs 2 and 3 are the zero points of inputs 0 and 1 and whose
/// output has the sums. Zero points that are a vector lie along `axis_a` and `axis_b`.
std::unique_ptr<Kernel> MakeIntegerProduct(const Layer& layer, std::uint32_t axis_a,
                                           std::uint32_t axis_b, std::unique_ptr<Kernel> product);

/// A layer that has an integer form, see cpu_layers/requantisation.hpp, with the axis of input 1
/// and of the output along which its channels lie.
std::unique_ptr<Kernel> MakeQuantisedProduct(const Layer& layer, std::uint32_t axis_b,
                                             const AxisSpan& channels,
                                             std::unique_ptr<Kernel> product);

}  // namespace reference
}  // namespace backplane
