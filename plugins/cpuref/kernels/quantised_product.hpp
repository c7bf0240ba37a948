#pragma once

#include "kernel.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <memory>

namespace backplane {
namespace cpuref {

/// The kernel, in integers, of a product of matrices: inputs 0 and 1 are its operands, which fit
/// the descriptor, and input 2, if any, is a bias for each column.
/// Null: the layer has no integer form, see requantisation.hpp.
std::unique_ptr<Kernel> MakeQuantisedProduct(const Layer& layer,
                                             const BatchMatMulDescriptor& descriptor);

}  // namespace cpuref
}  // namespace backplane
