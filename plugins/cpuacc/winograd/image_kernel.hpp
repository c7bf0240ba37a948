#pragma once

/// The kernel of Winograd's algorithm for images.

#include "kernel_builders/kernel.hpp"
#include "winograd/image_problem.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace backplane {
namespace cpuacc {

/// Operations on the results before they are written.
struct ImageOps {
  std::size_t count = 0;                // operations of a node's chain
  std::optional<std::uint32_t> addend;  // an input that lies as the output does
  float low = -std::numeric_limits<float>::infinity();
  float high = std::numeric_limits<float>::infinity();
};

/// Reads input 0 in blocks of channels and, where there is a bias, input 2; writes the output in
/// blocks. The weights are those of TransformImageWeights.
std::unique_ptr<const Kernel> MakeImageKernel(const ImageProblem& problem, const ImageOps& ops,
                                              std::shared_ptr<const void> weights, bool has_bias,
                                              int num_threads);

}  // namespace cpuacc
}  // namespace backplane
