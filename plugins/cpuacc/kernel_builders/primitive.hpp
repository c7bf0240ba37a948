#pragma once

/// Kernels that are a primitive of oneDNN, or several for parts of the work.

#include "kernel_builders/kernel_maker.hpp"
#include "simd/element_functions.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Planes of an input that lie apart, and are copied together before a primitive reads them: oneDNN
/// wants images without gaps.
struct CopiedPlanes {
  std::uint64_t count = 0;  // 0: nothing is copied
  std::uint64_t step_bytes = 0;
  std::uint64_t size_bytes = 0;            // of each
  std::uint64_t scratch_offset_bytes = 0;  // set by MakePartsKernel
};

/// One argument of a primitive and where its memory comes from.
struct PrimitiveArgument {
  enum class Source : std::uint32_t { kInput, kOutput, kConstant, kScratch };

  int id;  // a DNNL_ARG
  dnnl::memory::desc desc;
  Source source;
  std::uint32_t index = 0;               // of the input or output
  std::shared_ptr<const void> constant;  // of kConstant
  std::uint64_t offset_bytes = 0;        // from where that memory begins
  CopiedPlanes copied = {};
};

PrimitiveArgument FromInput(int id, const dnnl::memory::desc& desc, std::uint32_t index);
PrimitiveArgument FromOutput(int id, const dnnl::memory::desc& desc, std::uint32_t index = 0);
PrimitiveArgument FromConstant(int id, const dnnl::memory::desc& desc,
                               std::shared_ptr<const void> content);

/// Input `index`: packed when it is constant, else read in the layout `to`, which is then `from`.
PrimitiveArgument FromConstantOrInput(KernelMaker& maker, int id, std::uint32_t index,
                                      const dnnl::memory::desc& from, const dnnl::memory::desc& to);

/// What is done to the output of a primitive while it is still in a cache: a function of each float
/// of a stretch of memory.
struct PartFunction {
  MapFunction map = nullptr;  // null: nothing
  float alpha = 0.0F;
  float beta = 0.0F;
  std::uint64_t offset_bytes = 0;  // in output 0
  std::int64_t count = 0;          // of elements
};

/// A primitive that does a part of the work, with all arguments but the scratch memory.
struct PrimitivePart {
  dnnl::primitive primitive;
  std::vector<PrimitiveArgument> arguments;
  dnnl::memory::desc scratchpad;
  PartFunction function = {};  // runs behind it
};

/// Makes the kernel of a primitive whose scratch memory is the user's (scratchpad_mode::user).
std::unique_ptr<const Kernel> MakePrimitiveKernel(const dnnl::primitive& primitive,
                                                  std::vector<PrimitiveArgument> arguments,
                                                  const dnnl::memory::desc& scratchpad);

/// The same of several that may run at the same time.
std::unique_ptr<const Kernel> MakePartsKernel(std::vector<PrimitivePart> parts);

/// Attributes that all primitives have.
dnnl::primitive_attr MakeAttributes();

/// Makes a kernel that runs several, one after the other, on the same inputs and outputs.
std::unique_ptr<const Kernel> MakeSequence(std::vector<std::unique_ptr<const Kernel>> kernels);

}  // namespace cpuacc
}  // namespace backplane
