#include "simd/functions/exponentials.hpp"
#include "simd/functions/functions.hpp"
#include "simd/functions/vectors.hpp"

namespace backplane {
namespace cpuacc {
namespace CPUACC_ISA {

/// `Store` says where an exponential goes. Exponentials are at most 1: a few thousand of them are
/// summed up in float, in lanes, before the sum goes on in double.
template <typename Store>
CPUACC_INLINE double SumExponentials(const float* x, std::int64_t count, float factor,
                                     float extreme, Store store) {
  constexpr std::int64_t kMostInFloat = 4096;
  double sum = 0.0;
  for (std::int64_t begin = 0; begin < count; begin += kMostInFloat) {
    const std::int64_t end = begin + kMostInFloat < count ? begin + kMostInFloat : count;
    float part = 0.0F;
#pragma omp simd reduction(+ : part)
    for (std::int64_t i = begin; i < end; ++i) {
      const float exponential = ExpOfNegative(factor * (x[i] - extreme));
      store(i, exponential);
      part += exponential;
    }
    sum += static_cast<double>(part);
  }
  return sum;
}

template <typename Store>
CPUACC_INLINE void SumColumnExponentials(const float* x, const Panel& panel, float factor,
                                         const double* extremes, double* sums, Store store) {
  for (std::int64_t row = 0; row < panel.num_rows; ++row) {
    const float* elements = x + row * panel.step;
#pragma omp simd
    for (std::int64_t i = 0; i < panel.width; ++i) {
      const float exponential =
          ExpOfNegative(factor * (elements[i] - static_cast<float>(extremes[i])));
      store(row * panel.step + i, exponential);
      sums[i] += static_cast<double>(exponential);
    }
  }
}

void FillExponentials(RowFunctions& functions) {
  functions.sum_exponentials = [](const float* x, std::int64_t count, float factor, float extreme) {
    return SumExponentials(x, count, factor, extreme, [](std::int64_t, float) {});
  };
  functions.store_exponentials = [](const float* x, float* y, std::int64_t count, float factor,
                                    float extreme) {
    return SumExponentials(x, count, factor, extreme,
                           [y](std::int64_t i, float exponential) { y[i] = exponential; });
  };
  functions.sum_column_exponentials = [](const float* x, const Panel& panel, float factor,
                                         const double* extremes, double* sums) {
    SumColumnExponentials(x, panel, factor, extremes, sums, [](std::int64_t, float) {});
  };
  functions.store_column_exponentials = [](const float* x, float* y, const Panel& panel,
                                           float factor, const double* extremes, double* sums) {
    SumColumnExponentials(x, panel, factor, extremes, sums,
                          [y](std::int64_t i, float exponential) { y[i] = exponential; });
  };
}

/// A number as two of float32: what the first leaves out.
struct Parts {
  explicit Parts(double number)
      : high(static_cast<float>(number)),
        low(static_cast<float>(number - static_cast<double>(high))) {
    // The rest of an infinity or of what is beyond float32 would be NaN, or no rest.
    if (!(low - low == 0.0F) || high - high != 0.0F) low = 0.0F;
  }
  float high;
  float low;
};

void ScaleRow(const float* x, float* y, std::int64_t count, float factor) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] * factor;
}

void ScaleColumns(const float* x, float* y, const Panel& panel, const double* factors) {
  for (std::int64_t row = 0; row < panel.num_rows; ++row) {
    const float* elements = x + row * panel.step;
    float* results = y + row * panel.step;
#pragma omp simd
    for (std::int64_t i = 0; i < panel.width; ++i) {
      results[i] = static_cast<float>(static_cast<double>(elements[i]) * factors[i]);
    }
  }
}

void NormalizeRow(const float* x, float* y, std::int64_t count, double mean, float factor,
                  float addend) {
  const Parts parts(mean);
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = ((x[i] - parts.high) - parts.low) * factor + addend;
  }
}

void NormalizeColumns(const float* x, float* y, const Panel& panel, const double* means,
                      const double* factors, const double* addends) {
  for (std::int64_t row = 0; row < panel.num_rows; ++row) {
    const float* elements = x + row * panel.step;
    float* results = y + row * panel.step;
#pragma omp simd
    for (std::int64_t i = 0; i < panel.width; ++i) {
      const double difference = static_cast<double>(elements[i]) - means[i];
      results[i] = static_cast<float>(difference * factors[i] + addends[i]);
    }
  }
}

void NormalizeAndScaleRow(const float* x, float* y, std::int64_t count, double mean, float factor,
                          const float* scale, const float* bias) {
  const Parts parts(mean);
  if (bias == nullptr) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
      y[i] = ((x[i] - parts.high) - parts.low) * factor * scale[i];
    }
    return;
  }
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    y[i] = ((x[i] - parts.high) - parts.low) * factor * scale[i] + bias[i];
  }
}

void DivideByPowers(const float* x, float* y, std::int64_t count, const double* sums, float bias,
                    float factor, float power) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float base = bias + factor * static_cast<float>(sums[i]);
    y[i] = x[i] * Exp(-power * Log(base));
  }
}

CPUACC_INLINE bool IsValue(float x, float value) {
  return x == value || (value != value && x != x);
}

constexpr std::int64_t kSearched = 64;  // at once

CPUACC_INLINE bool HasValue(const float* x, float value) {
  std::int32_t count = 0;
#pragma omp simd reduction(+ : count)
  for (std::int64_t i = 0; i < kSearched; ++i) count += IsValue(x[i], value) ? 1 : 0;
  return count != 0;
}

std::int64_t FindFirst(const float* x, std::int64_t count, float value) {
  std::int64_t index = 0;
  while (index + kSearched < count && !HasValue(x + index, value)) index += kSearched;
  while (index + 1 < count && !IsValue(x[index], value)) ++index;
  return index;
}

std::int64_t FindLast(const float* x, std::int64_t count, float value) {
  std::int64_t end = count;
  while (end > kSearched && !HasValue(x + end - kSearched, value)) end -= kSearched;
  while (end > 1 && !IsValue(x[end - 1], value)) --end;
  return end - 1;
}

typedef std::int32_t Indices __attribute__((vector_size(sizeof(Vector))));

/// Of `count` columns, at most as many as a vector has. Rows are counted from one that is near, in
/// 32 bits.
template <typename LoadRow>
CPUACC_INLINE void FindGreatestOfVector(std::int64_t num_rows, LoadRow load, std::int64_t count,
                                        std::int64_t* rows) {
  constexpr std::int64_t kMostRows = 1 << 16;
  Vector greatest = load(0);
  for (std::int64_t i = 0; i < count; ++i) rows[i] = 0;
  for (std::int64_t begin = 1; begin < num_rows; begin += kMostRows) {
    const std::int64_t end = num_rows - begin < kMostRows ? num_rows : begin + kMostRows;
    Indices found = Indices{} - 1;
    for (std::int64_t row = begin; row < end; ++row) {
      const Vector x = load(row);
      const Indices is_greater = ~(x <= greatest) & (greatest == greatest);
      greatest = is_greater ? x : greatest;
      found = is_greater ? Indices{} + static_cast<std::int32_t>(row - begin) : found;
    }
    for (std::int64_t i = 0; i < count; ++i) rows[i] = found[i] < 0 ? rows[i] : begin + found[i];
  }
}

/// Of fewer columns than a vector has. It reads beyond them where that is inside of the panel.
void FindGreatestOfFew(const float* x, const Panel& panel, float sign, std::int64_t* rows) {
  const std::int64_t end = panel.width + (panel.step > 0 ? (panel.num_rows - 1) * panel.step : 0);
  const auto load = [&](std::int64_t row) {
    const std::int64_t begin = row * panel.step;
    Lanes lanes = {};
    if (begin + kLanes <= end) {
      __builtin_memcpy(lanes.at, x + begin, sizeof(lanes.at));
    } else {
      CopyFirst<kLanes>(x + begin, panel.width, lanes.at);
    }
    return ToVector(lanes) * sign;
  };
  FindGreatestOfVector(panel.num_rows, load, panel.width, rows);
}

void FindGreatest(const float* x, const Panel& panel, float sign, std::int64_t* rows) {
  if (panel.width < kLanes) return FindGreatestOfFew(x, panel, sign, rows);
  for (std::int64_t i = 0; i < panel.width; i += kLanes) {
    // The last vector begins among the columns of the one before where it would reach too far.
    const std::int64_t first = i + kLanes <= panel.width ? i : panel.width - kLanes;
    const auto load = [&](std::int64_t row) {
      Vector vector;
      __builtin_memcpy(&vector, x + row * panel.step + first, sizeof(vector));
      return vector * sign;
    };
    FindGreatestOfVector(panel.num_rows, load, kLanes, rows + first);
  }
}

void FillRows(RowFunctions& functions) {
  FillExponentials(functions);
  functions.scale_row = &ScaleRow;
  functions.scale_columns = &ScaleColumns;
  functions.normalize_row = &NormalizeRow;
  functions.normalize_columns = &NormalizeColumns;
  functions.normalize_and_scale_row = &NormalizeAndScaleRow;
  functions.divide_by_powers = &DivideByPowers;
  functions.find_first = &FindFirst;
  functions.find_last = &FindLast;
  functions.find_greatest = &FindGreatest;
}

}  // namespace CPUACC_ISA
}  // namespace cpuacc
}  // namespace backplane
