#pragma once

#include "kernel_builders/primitive.hpp"

#include <dnnl.hpp>

#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// The kernel of a product of matrices: in parts of the rows, of the columns where there are few
/// rows, or of what lies in front of the matrices, for so many threads.
std::unique_ptr<const Kernel> MakeProductKernel(const dnnl::matmul::primitive_desc& whole,
                                                std::vector<PrimitiveArgument> arguments,
                                                int num_threads);

}  // namespace cpuacc
}  // namespace backplane
