#include "kernels/product_source.hpp"

namespace backplane {
namespace opencl {

// A work-item computes a strip of columns, for `blocks_per_item` blocks of rows. On a CPU it first
// copies its columns of B into local memory, where they lie without gaps.
const char* const kProductSource = R"(
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define COLUMNS (VECTORS * WIDTH)
typedef JOIN(float, WIDTH) vector;
// vload and vstore of CPUs may take vectors apart.
typedef vector __attribute__((aligned(4))) unaligned_vector;
#define VECTOR(space, p) (*(space unaligned_vector*)(p))

#ifdef A_PACKED
typedef float a_type;
#define A_ELEMENT(row, k) a_rows[0][(k) * ROWS + (row)]
#else
typedef storage a_type;
#ifdef A_ROWS
#define A_ELEMENT(row, k) LOAD(a_rows[row], k)
#else
#define A_ELEMENT(row, k) LOAD(a_rows[row], (k) * a_step)
#endif
#endif

#ifdef B_FLOATS
typedef float b_type;
#define LOAD_B(p, i) ((p)[i])
#define LOAD_B_VECTOR(p) VECTOR(const __global, p)
#else
typedef storage b_type;
#define LOAD_B(p, i) LOAD(p, i)
#ifdef STORAGE_HALF
#define LOAD_B_VECTOR(p) JOIN(vload_half, WIDTH)(0, p)
#else
#define LOAD_B_VECTOR(p) VECTOR(const __global, p)
#endif
#endif

#ifdef C_FLOATS
typedef float c_type;
#define STORE_C(value, p, i) ((p)[i] = (value))
#else
typedef storage c_type;
#define STORE_C(value, p, i) STORE(value, p, i)
#endif

#ifdef B_OFFSETS
#define B_ROW(k) (offsets[k])
#else
#define B_ROW(k) ((k) * b_row)
#endif

// Columns that lie next to each other in the output, of a strip.
typedef struct {
  int begin;
  int end;
  int at;  // of column 0
} segment;

#ifdef GRID
int FindSegments(segment* segments, int first, int count, int height, int width, int output_height,
                 int output_width) {
  int num_segments = 0;
  int w = first % width;
  int h = first / width % height;
  int d = first / width / height;
  for (int i = 0; i < count;) {
    const int length = min(count - i, width - w);
    const int inside = min(length, output_width - w);
    if (inside > 0 && h < output_height) {
      segments[num_segments].begin = i;
      segments[num_segments].end = i + inside;
      segments[num_segments].at = (d * output_height + h) * output_width + w - i;
      ++num_segments;
    }
    i += length;
    w = 0;
    if (++h == height) {
      h = 0;
      ++d;
    }
  }
  return num_segments;
}
#endif

#if defined(B_IN_PLACE) && !defined(B_PANELS)
void LoadRow(vector* row, __global const b_type* b, int at, int count, int b_column) {
#ifndef B_TRANSPOSED
  if (count >= COLUMNS) {
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) row[v] = LOAD_B_VECTOR(b + at + v * WIDTH);
    return;
  }
#endif
  float* elements = (float*)row;
  for (int i = 0; i < COLUMNS; ++i) elements[i] = LOAD_B(b, at + min(i, count - 1) * b_column);
}
#endif

#ifdef BIAS_OF_COLUMNS
#define STORE_PARAMETERS \
  , __global c_type* restrict c, __global const storage* restrict bias FINISH_PARAMETERS
#define STORE_ARGUMENTS , c, bias FINISH_ARGUMENTS
#define COLUMN_BIAS(i) LOAD(bias, i)
#else
#define STORE_PARAMETERS , __global c_type* restrict c FINISH_PARAMETERS
#define STORE_ARGUMENTS , c FINISH_ARGUMENTS
#define COLUMN_BIAS(i) 0.0f
#endif
void StoreColumns(const float* values, int begin, int end, int at STORE_PARAMETERS) {
  for (int i = begin; i < end; ++i) {
    STORE_C(Finish(values[i] + COLUMN_BIAS(i), at + i FINISH_ARGUMENTS), c, at + i);
  }
}

__kernel void Product(
    __global const a_type* restrict a, const int a_begin,
    __global const b_type* restrict b, const int b_begin,
    __global c_type* restrict c, const int c_begin,
    __global const int* restrict batches, const int batches_begin,
#if defined(BIAS_OF_ROWS) || defined(BIAS_OF_COLUMNS)
    __global const storage* restrict bias, const int bias_begin,
#endif
#ifdef B_OFFSETS
    __global const int* restrict offsets, const int offsets_begin,
#endif
#if !defined(B_IN_PLACE)
    __local float* restrict panel,
#endif
#ifdef GRID
    const int height, const int width, const int output_height, const int output_width,
#endif
    const int rows, const int inner, const int columns, const int blocks_per_item,
    const int a_row, const int a_step, const int b_row, const int b_column, const int c_row,
    const float alpha FINISH_PARAMETERS) {
  const int strip = get_global_id(STRIP_DIMENSION);
  const int first_row = get_global_id(1 - STRIP_DIMENSION) * blocks_per_item * ROWS;
  const int batch = get_global_id(2);
  const int first = strip * COLUMNS;
  if (first >= columns || first_row >= rows) return;
  const int count = min(columns - first, COLUMNS);
  a += a_begin + batches[batches_begin + batch * 3];
  c += c_begin;
  b += b_begin + batches[batches_begin + batch * 3 + 1];
#ifdef BIAS_OF_ROWS
  bias += bias_begin + batches[batches_begin + batch * 3 + 2];
#endif
#ifdef BIAS_OF_COLUMNS
  bias += bias_begin + batches[batches_begin + batch * 3 + 2] + first;
#endif
#ifdef B_OFFSETS
  offsets += offsets_begin;
#endif
#ifdef B_PANELS
  b += first * inner;
#else
  b += first * b_column;
#endif
#ifndef B_IN_PLACE
#ifdef B_TRANSPOSED
  for (int begin = 0; begin < inner; begin += 16) {
    const int end = min(begin + 16, inner);
    for (int i = 0; i < COLUMNS; ++i) {
      const int line = min(i, count - 1) * b_column;
      for (int k = begin; k < end; ++k) panel[k * COLUMNS + i] = LOAD_B(b, line + k);
    }
  }
#else
  for (int k = 0; k < inner; ++k) {
    const int line = B_ROW(k);
#ifndef B_OFFSETS
    if (count < COLUMNS) {
      for (int i = 0; i < COLUMNS; ++i) {
        panel[k * COLUMNS + i] = LOAD_B(b, line + min(i, count - 1));
      }
      continue;
    }
#endif
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) {
      VECTOR(__local, panel + k * COLUMNS + v * WIDTH) = LOAD_B_VECTOR(b + line + v * WIDTH);
    }
  }
#endif
#endif

#ifdef GRID
  segment segments[COLUMNS];
  const int num_segments = FindSegments(segments, first, count, height, width, output_height,
                                        output_width);
#else
  const segment segments[1] = {{0, count, first}};
  const int num_segments = 1;
#endif
  const int end_row = min(rows, first_row + blocks_per_item * ROWS);
  for (int block_row = first_row; block_row < end_row; block_row += ROWS) {
    __global const a_type* a_rows[ROWS];
    vector sums[ROWS][VECTORS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#ifdef A_PACKED
      a_rows[r] = a + block_row * inner;
#else
      a_rows[r] = a + min(block_row + r, rows - 1) * a_row;
#endif
#pragma unroll
      for (int v = 0; v < VECTORS; ++v) sums[r][v] = (vector)(0.0f);
    }
    for (int k = 0; k < inner; ++k) {
      vector row[VECTORS];
#if defined(B_PANELS)
#pragma unroll
      for (int v = 0; v < VECTORS; ++v) row[v] = VECTOR(const __global, b + k * COLUMNS + v * WIDTH);
#elif defined(B_IN_PLACE)
#ifdef B_OFFSETS
      LoadRow(row, b, B_ROW(k), COLUMNS, 1);
#elif defined(B_TRANSPOSED)
      LoadRow(row, b, k, count, b_column);
#else
      LoadRow(row, b, B_ROW(k), count, 1);
#endif
#else
#pragma unroll
      for (int v = 0; v < VECTORS; ++v) row[v] = VECTOR(const __local, panel + k * COLUMNS + v * WIDTH);
#endif
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const vector factor = (vector)(A_ELEMENT(r, k));
#pragma unroll
        for (int v = 0; v < VECTORS; ++v) sums[r][v] = fma(factor, row[v], sums[r][v]);
      }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      const int row = block_row + r;
      if (row < rows) {
        vector values[VECTORS];
#ifdef BIAS_OF_ROWS
        const float addend = LOAD(bias, row);
#else
        const float addend = 0.0f;
#endif
#pragma unroll
        for (int v = 0; v < VECTORS; ++v) values[v] = sums[r][v] * alpha + addend;
        const int line = (batch * rows + row) * c_row;
        if (segments[0].end == COLUMNS && segments[0].begin == 0) {
          // As many as the compiler knows.
          StoreColumns((const float*)values, 0, COLUMNS, line + segments[0].at STORE_ARGUMENTS);
          continue;
        }
        for (int s = 0; s < num_segments; ++s) {
          StoreColumns((const float*)values, segments[s].begin, segments[s].end,
                       line + segments[s].at STORE_ARGUMENTS);
        }
      }
    }
  }
}
)";

}  // namespace opencl
}  // namespace backplane
