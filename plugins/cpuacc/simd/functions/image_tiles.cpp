#include "simd/functions/functions.hpp"
#include "simd/functions/vectors.hpp"
#include "simd/product_functions.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {
namespace {

/// A line of places to points, and of points to results. Points that differ in their sign share the
/// sums of even and of odd elements.
template <int kResults>
struct Line;

template <>
struct Line<2> {
  static CPUACC_INLINE void Read(const Vector* x, int step, Vector* points) {
    points[0] = x[0] - x[2 * step];
    points[1] = x[step] + x[2 * step];
    points[2] = x[2 * step] - x[step];
    points[3] = x[3 * step] - x[step];
  }

  static CPUACC_INLINE void Write(const Vector* points, int step, Vector* results) {
    results[0] = points[0] + (points[step] + points[2 * step]);
    results[1] = (points[step] - points[2 * step]) + points[3 * step];
  }
};

template <>
struct Line<4> {
  static constexpr auto kNear = static_cast<float>(kNearPoint);
  static constexpr auto kFar = static_cast<float>(kFarPoint);
  static constexpr float kNearSquare = kNear * kNear;
  static constexpr float kFarSquare = kFar * kFar;
  static constexpr float kSquares = kNearSquare + kFarSquare;
  static constexpr float kProduct = kNearSquare * kFarSquare;

  static CPUACC_INLINE void Read(const Vector* x, int step, Vector* points) {
    const Vector x1 = x[step];
    const Vector x2 = x[2 * step];
    const Vector x3 = x[3 * step];
    const Vector x4 = x[4 * step];
    points[0] = kProduct * x[0] - kSquares * x2 + x4;
    const Vector near_even = x4 - kFarSquare * x2;
    const Vector near_odd = kNear * x3 - (kNear * kFarSquare) * x1;
    points[1] = near_even + near_odd;
    points[2] = near_even - near_odd;
    const Vector far_even = x4 - kNearSquare * x2;
    const Vector far_odd = kFar * x3 - (kFar * kNearSquare) * x1;
    points[3] = far_even + far_odd;
    points[4] = far_even - far_odd;
    points[5] = kProduct * x1 - kSquares * x3 + x[5 * step];
  }

  static CPUACC_INLINE void Write(const Vector* points, int step, Vector* results) {
    const Vector near_sum = points[step] + points[2 * step];
    const Vector near_difference = points[step] - points[2 * step];
    const Vector far_sum = points[3 * step] + points[4 * step];
    const Vector far_difference = points[3 * step] - points[4 * step];
    results[0] = points[0] + near_sum + far_sum;
    results[1] = kNear * near_difference + kFar * far_difference;
    results[2] = kNearSquare * near_sum + kFarSquare * far_sum;
    results[3] = (kNear * kNearSquare) * near_difference + (kFar * kFarSquare) * far_difference +
                 points[5 * step];
  }
};

template <int kPoints>
CPUACC_INLINE bool IsInside(const ImageTileInput& tile) {
  return tile.row >= 0 && tile.column >= 0 && tile.row + kPoints <= tile.height &&
         tile.column + kPoints <= tile.width;
}

template <int kPoints, bool kIsInside>
CPUACC_INLINE void LoadRow(const ImageTileInput& tile, int index, Vector* row) {
  const std::int64_t y = tile.row + index;
  for (int i = 0; i < kPoints; ++i) {
    const std::int64_t x = tile.column + i;
    const bool is_there = kIsInside || (y >= 0 && y < tile.height && x >= 0 && x < tile.width);
    row[i] = is_there ? Load(tile.image + (y * tile.width + x) * kLanes) : Vector{};
  }
}

template <int kResults, bool kIsInside>
CPUACC_INLINE void ReadPlaces(const ImageTileInput& tile, float* points, std::int64_t point_step) {
  constexpr int kPoints = kResults + 2;
  Vector rows[kPoints * kPoints];
  for (int y = 0; y < kPoints; ++y) {
    Vector row[kPoints];
    LoadRow<kPoints, kIsInside>(tile, y, row);
    Line<kResults>::Read(row, 1, rows + y * kPoints);
  }
  for (int x = 0; x < kPoints; ++x) {
    Vector column[kPoints];
    Line<kResults>::Read(rows + x, kPoints, column);
    for (int y = 0; y < kPoints; ++y) Store(column[y], points + (y * kPoints + x) * point_step);
  }
}

template <int kResults>
void ReadTile(const ImageTileInput& tile, float* points, std::int64_t point_step) {
  if (IsInside<kResults + 2>(tile)) return ReadPlaces<kResults, true>(tile, points, point_step);
  ReadPlaces<kResults, false>(tile, points, point_step);
}

/// NaN stays.
CPUACC_INLINE Vector Bound(Vector x, float low, float high) {
  const Vector lowest = low - Vector{};
  const Vector highest = high - Vector{};
  x = x < lowest ? lowest : x;
  return x > highest ? highest : x;
}

CPUACC_INLINE void WriteResult(const ImageTileOutput& output, Vector result, std::int64_t offset) {
  if (output.addend != nullptr) result += Load(output.addend + offset);
  Store(Bound(result, output.low, output.high), output.to + offset);
}

template <int kResults>
void WriteTile(const float* points, std::int64_t point_step, const ImageTileOutput& output) {
  constexpr int kPoints = kResults + 2;
  Vector columns[kPoints * kResults];
  for (int x = 0; x < kPoints; ++x) {
    Vector column[kPoints];
    for (int y = 0; y < kPoints; ++y) column[y] = Load(points + (y * kPoints + x) * point_step);
    Line<kResults>::Write(column, 1, columns + x * kResults);
  }
  const Vector bias = Load(output.bias);
  for (int y = 0; y < kResults && y < output.num_rows; ++y) {
    Vector row[kResults];
    Line<kResults>::Write(columns + y, kResults, row);
    for (int x = 0; x < kResults && x < output.num_columns; ++x) {
      WriteResult(output, row[x] + bias, y * output.row_step + x * kLanes);
    }
  }
}

/// A number of each filter of a panel.
struct Filters {
  double at[kPanelColumns];
};

/// A pair of points that differ in their sign, of one line of a window.
CPUACC_INLINE void WeighPair(const double* x, double point, double scale, double* plus,
                             double* minus) {
  const double even = scale * (x[0] + point * point * x[2]);
  const double odd = scale * point * x[1];
  *plus = even + odd;
  *minus = even - odd;
}

/// Lines of windows, at all points.
template <int kResults>
CPUACC_INLINE void WeighLines(const Filters* lines, int step, Filters* points) {
  constexpr double kNear = kNearPoint * kNearPoint;
  constexpr double kFar = kFarPoint * kFarPoint;
#pragma omp simd
  for (int i = 0; i < kPanelColumns; ++i) {
    const double x[3] = {lines[0].at[i], lines[step].at[i], lines[2 * step].at[i]};
    if constexpr (kResults == 2) {
      points[0].at[i] = x[0];
      WeighPair(x, 1.0, 0.5, &points[1].at[i], &points[2].at[i]);
    } else {
      points[0].at[i] = x[0] / (kNear * kFar);
      WeighPair(x, kNearPoint, 1.0 / (2.0 * kNear * (kNear - kFar)), &points[1].at[i],
                &points[2].at[i]);
      WeighPair(x, kFarPoint, 1.0 / (2.0 * kFar * (kFar - kNear)), &points[3].at[i],
                &points[4].at[i]);
    }
    points[kResults + 1].at[i] = x[2];
  }
}

template <int kResults>
void WeighWindows(const ImageWindows& windows, float* points, std::int64_t point_step) {
  constexpr int kPoints = kResults + 2;
  constexpr int kSize = kImageWindow;
  Filters places[kSize * kSize] = {};
  for (std::int64_t filter = 0; filter < windows.num_filters; ++filter) {
    const float* window = windows.windows + filter * windows.filter_step;
    for (int i = 0; i < kSize * kSize; ++i) places[i].at[filter] = static_cast<double>(window[i]);
  }
  Filters rows[kSize * kPoints];
  for (int y = 0; y < kSize; ++y) WeighLines<kResults>(places + y * kSize, 1, rows + y * kPoints);
  for (int x = 0; x < kPoints; ++x) {
    Filters column[kPoints];
    WeighLines<kResults>(rows + x, kPoints, column);
    for (int y = 0; y < kPoints; ++y) {
      float* to = points + (y * kPoints + x) * point_step;
      for (int i = 0; i < kPanelColumns; ++i) to[i] = static_cast<float>(column[y].at[i]);
    }
  }
}

template <int kResults>
ImageTileTransforms MakeTransforms() {
  ImageTileTransforms transforms;
  transforms.results = kResults;
  transforms.read = &ReadTile<kResults>;
  transforms.write = &WriteTile<kResults>;
  transforms.weigh = &WeighWindows<kResults>;
  return transforms;
}

}  // namespace

void FillImageTiles(ImageTileFunctions& functions) {
  functions.block = kLanes;
  functions.small = MakeTransforms<2>();
  functions.large = MakeTransforms<4>();
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
