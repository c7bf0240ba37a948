#include "simd/functions/functions.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

void Fill(SimdFunctions& functions) {
  FillActivations(functions.elements);
  FillUnaryOperations(functions.elements);
  FillBinaryOperations(functions.elements);
  FillNarrow(functions.narrow);
  FillProducts(functions.products);
  FillTiles(functions.winograd);
  FillRecurrentCells(functions.recurrent);
  FillBytes(functions.bytes);
  FillComparisons(functions.comparisons);
  FillConversions(functions.conversions);
  FillReductions(functions.rows);
  FillRows(functions.rows);
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
