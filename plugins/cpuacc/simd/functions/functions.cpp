#include "simd/functions/functions.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

void Fill(SimdFunctions& functions) {
  FillActivations(functions.elements);
  FillAttention(functions.attention);
  FillUnaryOperations(functions.elements);
  FillBinaryOperations(functions.elements);
  FillBytes(functions.bytes);
  FillHalves(functions.halves);
  FillImageTiles(functions.image_tiles);
  FillNarrow(functions.narrow);
  FillProducts(functions.products);
  FillTiles(functions.winograd);
  FillRecurrentCells(functions.recurrent);
  FillBytePanels(functions.byte_products);
  FillByteProducts(functions.byte_products);
  FillByteWeights(functions.products);
  FillRoundedProducts(functions.products);
  FillComparisons(functions.comparisons);
  FillConversions(functions.conversions);
  FillReductions(functions.rows);
  FillRows(functions.rows);
  FillSampling(functions.sampling);
  FillSelection(functions.selection);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
