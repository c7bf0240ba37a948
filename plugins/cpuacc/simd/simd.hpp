#pragma once

/// Loops over plain arrays, compiled for several instruction sets.

#include "simd/attention_functions.hpp"
#include "simd/byte_functions.hpp"
#include "simd/byte_product_functions.hpp"
#include "simd/comparison_functions.hpp"
#include "simd/conversion_functions.hpp"
#include "simd/element_functions.hpp"
#include "simd/half_functions.hpp"
#include "simd/image_tile_functions.hpp"
#include "simd/narrow_functions.hpp"
#include "simd/product_functions.hpp"
#include "simd/recurrent_functions.hpp"
#include "simd/row_functions.hpp"
#include "simd/sampling_functions.hpp"
#include "simd/selection_functions.hpp"
#include "simd/winograd_functions.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

enum class InstructionSet : std::uint32_t {
  kBaseline,  // what every processor of the architecture has
  kAvx2,      // with FMA and F16C
  kAvx512,    // F, BW, DQ and VL
};

/// All functions as compiled for one instruction set. They allocate nothing and throw nothing.
struct SimdFunctions {
  AttentionFunctions attention;
  ByteFunctions bytes;
  ByteProductFunctions byte_products;
  ComparisonFunctions comparisons;
  ConversionFunctions conversions;
  ElementFunctions elements;
  HalfFunctions halves;
  ImageTileFunctions image_tiles;
  NarrowFunctions narrow;
  ProductFunctions products;
  RecurrentFunctions recurrent;
  RowFunctions rows;
  SamplingFunctions sampling;
  SelectionFunctions selection;
  WinogradFunctions winograd;
};

/// Those of the best instruction set that the processor has and ONEDNN_MAX_CPU_ISA allows, as
/// oneDNN reads it. Decided once, after RequireLibrary.
///
/// Threads: any.
const SimdFunctions& GetSimdFunctions();

/// Those of one instruction set; null when the processor does not have it, or it is not allowed.
///
/// Threads: any.
const SimdFunctions* FindSimdFunctions(InstructionSet instruction_set);

/// Whether the functions of kAvx512 may use VBMI, or VNNI.
///
/// Threads: any.
bool HasAvx512Vbmi();
bool HasAvx512Vnni();

}  // namespace cpuacc
}  // namespace backplane
