#pragma once

/// Convolutions, transposed ones too, in parts for several threads: images, channels of the output,
/// or rows.

#include "kernel_builders/primitive_parts.hpp"

#include <dnnl.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {

/// A part as oneDNN is asked for it.
struct ConvolutionPart {
  std::vector<PrimitiveArgument> arguments;
  dnnl::memory::dims pads_begin;
  dnnl::memory::dims pads_end;
};

/// What oneDNN has for a part: nothing, where that is slower than for the whole.
using MakeConvolutionPart =
    std::function<std::optional<PrimitivePart>(const ConvolutionPart& part)>;

/// How a convolution may be cut.
struct ConvolutionCuts {
  bool has_channels = true;
  bool has_rows = true;          // not those of transposed convolutions
  std::int64_t stride = 1;       // of windows along the rows
  std::int64_t row_extent = 1;   // of a window, with its gaps
  std::int64_t least_parts = 1;  // into which it should be cut whatever the threads
};

/// Into how many parts an output is cut so that each is in a cache still when it has been computed.
std::int64_t CountCachedParts(const dnnl::memory::desc& output);

/// Puts the function behind all parts. False, and nothing is done, where one of them does not lie
/// dense, or is too large.
bool RunBehind(const PartFunction& function, std::vector<PrimitivePart>& parts);

/// The parts of a convolution for so many threads; none where the whole is better.
std::vector<PrimitivePart> MakeConvolutionParts(const ConvolutionPart& whole,
                                                const ConvolutionCuts& cuts, int num_threads,
                                                const MakeConvolutionPart& make);

}  // namespace cpuacc
}  // namespace backplane
