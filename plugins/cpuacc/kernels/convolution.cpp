#include "convolutions/convolution_dims.hpp"
#include "convolutions/direct_convolution.hpp"
#include "convolutions/narrow_convolution.hpp"
#include "cpu_layers/convolution_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/fill_zeros.hpp"
#include "products/bias_fill.hpp"
#include "quantised/byte_geometry.hpp"
#include "quantised/integer_convolution.hpp"
#include "quantised/quantised_convolution.hpp"
#include "winograd/winograd.hpp"
#include "winograd/winograd_line.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace backplane {
namespace cpuacc {
namespace {

/// A way to compute a convolution. Null: the layer does not meet its condition. Of each list below,
/// the first way that gives a kernel is taken.
using ConvolutionWay = std::unique_ptr<const Kernel> (*)(KernelMaker& maker);

/// Floats with constant weights. Computed weights are read as they lie, by MakeAnyConvolution. The
/// option `winograd` rules both of Winograd's ways out, or takes tiles wherever the error is small.
constexpr ConvolutionWay kWaysOfFloats[] = {
    // bfloat16 by oneDNN: the processor has AMX, and the model or `fast_math` allows rounding.
    &MakeBfloat16Convolution,
    // Winograd's algorithm along lines: windows of 3 to 6 neighbours, many channels and places.
    &MakeWinogradLine,
    // CpuAcc's loops for few filters: of wide images that lie plain, or of groups that do not fill
    // oneDNN's blocks.
    &MakeNarrowConvolution,
    // Winograd's algorithm in tiles: windows of 3 x 3, the time estimated or measured is shorter
    // than by the next two ways, and the error is small.
    &MakeWinogradTiles,
    // oneDNN's direct algorithm with channels in blocks: oneDNN has fast code for them.
    &MakeBlockedConvolution,
    // oneDNN's direct algorithm in the layouts that it chooses: any layer.
    &MakeAnyConvolution,
};

/// Quantised bytes.
constexpr ConvolutionWay kWaysOfQuantised[] = {
    // oneDNN: the processor multiplies bytes exactly, the weights are constant, int8 and have the
    // zero point 0, and no sum can lose a bit.
    &MakeQuantisedByPrimitive,
    // CpuAcc's loops, which are exact on each processor: any layer.
    &MakeQuantisedByLoops,
};

/// Bytes whose sums stay integers, or become floats that are only scaled.
constexpr ConvolutionWay kWaysOfIntegers[] = {
    // oneDNN: the processor multiplies bytes exactly, the weights are constant and int8, and no sum
    // can lose a bit. Their zero points, which many filters share, are taken off the sums
    // afterwards.
    &MakeIntegersByPrimitive,
    // CpuAcc's loops: any layer.
    &MakeIntegersByLoops,
};

/// The last way takes any layer.
template <std::size_t kCount>
std::unique_ptr<const Kernel> MakeByFirst(const ConvolutionWay (&ways)[kCount],
                                          KernelMaker& maker) {
  std::unique_ptr<const Kernel> kernel;
  for (std::size_t i = 0; i < kCount && !kernel; ++i) kernel = ways[i](maker);
  return kernel;
}

/// Sums without terms.
bool HasNoProducts(const KernelMaker& maker) {
  return IsEmpty(maker.GetInput(0)) || IsEmpty(maker.GetInput(1));
}

}  // namespace

std::string FindRefusalOfConvolution(const Layer& layer) {
  Refusal refusal;
  if (IsQuantised(layer)) {
    RequireQuantisedBytes(layer, 0, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
  RequireConvolution(layer, refusal);
  RequireConvolutionBias(layer, refusal);
  if (refusal.IsEmpty()) RequireModestConvolution(layer, refusal);
  if (refusal.IsEmpty() && IsQuantised(layer)) RequireModestLine(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeConvolution(KernelMaker& maker) {
  if (maker.GetOutput().info.quantization.IsQuantized()) {
    return MakeByFirst(kWaysOfQuantised, maker);
  }
  if (HasNoProducts(maker)) return MakeBiasFill(maker, 1);
  if (!maker.GetInput(1).IsConstant()) return MakeAnyConvolution(maker);
  return MakeByFirst(kWaysOfFloats, maker);
}

std::unique_ptr<const Kernel> MakeIntegerConvolution(KernelMaker& maker) {
  if (HasNoProducts(maker)) return MakeFillZeros(maker.GetOutput().info);
  return MakeByFirst(kWaysOfIntegers, maker);
}

}  // namespace cpuacc
}  // namespace backplane
