#pragma once

/// Kernels that are one primitive of oneDNN.

#include "kernels/kernel.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// One argument of a primitive and where its memory comes from.
struct PrimitiveArgument {
  enum class Source : std::uint32_t { kInput, kOutput, kConstant, kScratch };

  int id;  // a DNNL_ARG
  dnnl::memory::desc desc;
  Source source;
  std::uint32_t index = 0;               // of the input or output
  std::shared_ptr<const void> constant;  // of kConstant
};

PrimitiveArgument FromInput(int id, const dnnl::memory::desc& desc, std::uint32_t index);
PrimitiveArgument FromOutput(int id, const dnnl::memory::desc& desc, std::uint32_t index = 0);
PrimitiveArgument FromConstant(int id, const dnnl::memory::desc& desc,
                               std::shared_ptr<const void> content);

/// Makes the kernel of a primitive whose scratch memory is the user's (scratchpad_mode::user).
std::unique_ptr<const Kernel> MakePrimitiveKernel(const dnnl::primitive& primitive,
                                                  std::vector<PrimitiveArgument> arguments,
                                                  const dnnl::memory::desc& scratchpad);

/// Attributes that all primitives have.
dnnl::primitive_attr MakeAttributes();

/// Makes a kernel that runs several, one after the other, on the same inputs and outputs.
std::unique_ptr<const Kernel> MakeSequence(std::vector<std::unique_ptr<const Kernel>> kernels);

}  // namespace cpuacc
}  // namespace backplane
