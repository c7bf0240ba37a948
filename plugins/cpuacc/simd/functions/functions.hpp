#pragma once

/// What every source of this folder fills in. Each is compiled once for each instruction set, with
/// CPUACC_ISA as the namespace that keeps the copies apart. They call nothing of the standard
/// library but C functions.

#include "simd/simd.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

void FillActivations(ElementFunctions& functions);
void FillAttention(AttentionFunctions& functions);
void FillAttentionRows(BlockFunctions& functions);
void FillUnaryOperations(ElementFunctions& functions);
void FillBinaryOperations(ElementFunctions& functions);
void FillBytes(ByteFunctions& functions);
void FillHalves(HalfFunctions& functions);
void FillImageTiles(ImageTileFunctions& functions);
void FillNarrow(NarrowFunctions& functions);
void FillProducts(ProductFunctions& functions);
void FillTiles(WinogradFunctions& functions);
void FillRecurrentCells(RecurrentFunctions& functions);
void FillByteWeights(ProductFunctions& functions);
void FillRoundedProducts(ProductFunctions& functions);
void FillBytePanels(ByteProductFunctions& functions);
void FillByteProducts(ByteProductFunctions& functions);
void FillComparisons(ComparisonFunctions& functions);
void FillConversions(ConversionFunctions& functions);
void FillReductions(RowFunctions& functions);
void FillRows(RowFunctions& functions);
void FillSampling(SamplingFunctions& functions);
void FillSelection(SelectionFunctions& functions);

/// Everything.
void Fill(SimdFunctions& functions);

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
