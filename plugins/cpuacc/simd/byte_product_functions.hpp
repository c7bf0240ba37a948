#pragma once

/// Sums of products of quantised bytes, exact, and what becomes of them. Bytes
/// are widened to int16 without their zero points first, so that nothing saturates; sums of int32
/// wrap around.

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Filters are computed in panels of so many.
constexpr std::int64_t kByteFilters = 16;

/// Bytes to widen: places, each with so many channels, which lie one after the other.
struct ByteRun {
  const unsigned char* bytes = nullptr;
  std::uint8_t flip = 0;        // 128 for int8, which makes them uint8
  std::int16_t zero_point = 0;  // as uint8
  std::int64_t num_places = 0;
  std::int64_t num_channels = 0;
  std::int64_t step = 0;  // from one place to the next of what is written; the rest is 0
};

/// Places of the output, line by line, and where the elements begin that each is computed from.
struct BytePlaces {
  const std::int16_t* elements = nullptr;
  std::int64_t num_lines = 0;
  std::int64_t num_places = 0;  // of a line
  std::int64_t line_step = 0;
  std::int64_t place_step = 0;
};

/// How sums become bytes, or reals. Arrays have one element for each filter, up to the end of the
/// last panel.
struct ByteResult {
  const std::int32_t* bias = nullptr;
  const float* multipliers = nullptr;
  float least = 0.0F;  // of what is rounded
  float most = 0.0F;
  std::int32_t zero_point = 0;
  unsigned char* bytes = nullptr;  // of the first filter of the first place
  std::int64_t place_step = 0;
  std::int64_t num_filters = 0;
  // In place of the bytes: sums as they are, or only scaled.
  std::int32_t* sums = nullptr;
  float* reals = nullptr;
};

/// Every filter reads the same elements of a place.
struct ByteProduct {
  BytePlaces places;
  const std::int64_t* runs = nullptr;  // where elements that lie together begin, in a place
  std::int64_t num_runs = 0;
  std::int64_t num_pairs = 0;             // of a run
  const std::int16_t* weights = nullptr;  // [panels, runs, pairs, kByteFilters, 2]
  ByteResult result;
};

/// Every filter has a channel of its own.
struct ByteChannels {
  BytePlaces places;
  const std::int64_t* taps = nullptr;  // where the channels of each tap begin, in a place
  std::int64_t num_taps = 0;
  const std::int16_t* weights = nullptr;  // [taps, channels]
  std::int64_t weight_step = 0;           // from one tap to the next
  ByteResult result;
};

/// So many elements of a column lie together in panels.
constexpr std::int64_t kByteGroup = 4;

/// Rows of bytes times int8. Panels have kByteFilters columns, and are filled up with 0: [panels,
/// groups, kByteFilters, kByteGroup]. The rows have as many groups, and may have anything where the
/// panels are filled up.
struct BytePanels {
  std::int64_t rows = 0;
  std::int64_t num_groups = 0;
  std::int64_t columns = 0;
  const unsigned char* a = nullptr;
  std::int64_t a_row_step = 0;
  std::uint8_t flip = 0;                      // 128 for int8, which makes them uint8
  const std::int32_t* zero_points = nullptr;  // of each row, as uint8
  const std::int8_t* b = nullptr;
  const std::int32_t* column_sums = nullptr;  // of b, up to the end of the last panel
  std::int32_t* result = nullptr;
};

struct ByteProductFunctions {
  void (*widen)(const ByteRun& run, std::int16_t* elements) = nullptr;
  void (*multiply)(const ByteProduct& product) = nullptr;
  void (*multiply_channels)(const ByteChannels& channels) = nullptr;
  /// The panels from `begin` to `end`. Null where the processor does not add up products of bytes.
  void (*multiply_panels)(const BytePanels& product, std::int64_t begin,
                          std::int64_t end) = nullptr;
  /// Makes the bytes of one place of its sums, which are read up to the end of the last panel.
  void (*requantise)(const std::int32_t* sums, const ByteResult& result) = nullptr;
  /// sums[i] -= a * x[i] + b * y[i], wrapping around.
  void (*subtract)(const std::int32_t* x, std::int32_t a, const std::int32_t* y, std::int32_t b,
                   std::int32_t* sums, std::int64_t count) = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
