#pragma once

/// The kernel that runs a chain over the memory of an output.

#include "elements/element_loops.hpp"
#include "elements/element_steps.hpp"
#include "elements/padded_operand.hpp"
#include "kernel_builders/kernel.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Where a tensor of a chain comes from.
struct ElementSource {
  enum class Kind : std::uint32_t { kInput, kOutput, kConstant };

  Kind kind = Kind::kInput;
  std::uint32_t index = 0;               // of the input
  std::shared_ptr<const void> constant;  // of kConstant
  std::optional<PaddedOperand> padding;  // copied before each run, into scratch memory
};

/// What a chain is made of. Tensor 0 is what it begins with.
struct ElementChain {
  ElementLoops loops;
  std::vector<ElementSource> sources;  // for each tensor of the loops
  std::vector<ElementStep> steps;
  std::int64_t cost = 1;  // of one element, compared with an addition
};

/// Writes output 0.
std::unique_ptr<const Kernel> MakeElementKernel(ElementChain chain);

}  // namespace cpuacc
}  // namespace backplane
