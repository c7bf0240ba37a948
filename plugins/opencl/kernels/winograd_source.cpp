#include "kernels/winograd_source.hpp"

namespace backplane {
namespace opencl {

// A work-item has 16 tiles side by side. Tiles that are missing in the last strip are those before
// once more: nobody reads what becomes of them.
const char* const kWinogradSource = R"(
#define LANES 16
#define INPUTS 6
#define OUTPUTS 4
#define POINTS (INPUTS * INPUTS)

#ifdef TO_POINTS
void TransformInputs(const float16* d, float16* v) {
  const float16 near_even = d[4] - FAR * FAR * d[2];
  const float16 near_odd = NEAR * d[3] - NEAR * FAR * FAR * d[1];
  const float16 far_even = d[4] - NEAR * NEAR * d[2];
  const float16 far_odd = FAR * d[3] - FAR * NEAR * NEAR * d[1];
  v[0] = NEAR * NEAR * FAR * FAR * d[0] - (NEAR * NEAR + FAR * FAR) * d[2] + d[4];
  v[1] = near_even + near_odd;
  v[2] = near_even - near_odd;
  v[3] = far_even + far_odd;
  v[4] = far_even - far_odd;
  v[5] = NEAR * NEAR * FAR * FAR * d[1] - (NEAR * NEAR + FAR * FAR) * d[3] + d[5];
}

__kernel void ToPoints(__global const storage* restrict in, const int in_begin,
                       __global float* restrict points, const int points_begin, const int channels,
                       const int height, const int width, const int pad_top, const int pad_left,
                       const int tiles_in_row, const int num_tiles, const int columns) {
  const int first = (int)get_global_id(0) * LANES;
  const int channel = get_global_id(1);
  const int image = get_global_id(2);
  __global const storage* plane = in + in_begin + (image * channels + channel) * height * width;
  float elements[POINTS][LANES];
  for (int lane = 0; lane < LANES; ++lane) {
    const int tile = min(first + lane, num_tiles - 1);
    const int y = tile / tiles_in_row * OUTPUTS - pad_top;
    const int x = tile % tiles_in_row * OUTPUTS - pad_left;
    if (y >= 0 && x >= 0 && y + INPUTS <= height && x + INPUTS <= width) {
      for (int r = 0; r < INPUTS; ++r) {
        for (int c = 0; c < INPUTS; ++c) {
          elements[r * INPUTS + c][lane] = LOAD(plane, (y + r) * width + x + c);
        }
      }
      continue;
    }
    for (int r = 0; r < INPUTS; ++r) {
      for (int c = 0; c < INPUTS; ++c) {
        const bool is_inside = y + r >= 0 && y + r < height && x + c >= 0 && x + c < width;
        elements[r * INPUTS + c][lane] = is_inside ? LOAD(plane, (y + r) * width + x + c) : 0.0f;
      }
    }
  }
  float16 rows[INPUTS][INPUTS];
#pragma unroll
  for (int r = 0; r < INPUTS; ++r) {
    float16 d[INPUTS];
#pragma unroll
    for (int c = 0; c < INPUTS; ++c) d[c] = vload16(0, elements[r * INPUTS + c]);
    TransformInputs(d, rows[r]);
  }
  points += points_begin + (image * POINTS * channels + channel) * columns + first;
#pragma unroll
  for (int c = 0; c < INPUTS; ++c) {
    float16 d[INPUTS];
    float16 v[INPUTS];
#pragma unroll
    for (int r = 0; r < INPUTS; ++r) d[r] = rows[r][c];
    TransformInputs(d, v);
#pragma unroll
    for (int r = 0; r < INPUTS; ++r) vstore16(v[r], 0, points + (r * INPUTS + c) * channels * columns);
  }
}
#else
void TransformOutputs(const float16* m, float16* y) {
  const float16 near_sum = m[1] + m[2];
  const float16 far_sum = m[3] + m[4];
  const float16 near_difference = m[1] - m[2];
  const float16 far_difference = m[3] - m[4];
  y[0] = m[0] + near_sum + far_sum;
  y[1] = NEAR * near_difference + FAR * far_difference;
  y[2] = NEAR * NEAR * near_sum + FAR * FAR * far_sum;
  y[3] = NEAR * NEAR * NEAR * near_difference + FAR * FAR * FAR * far_difference + m[5];
}

__kernel void FromPoints(__global const float* restrict points, const int points_begin,
                         __global storage* restrict out, const int out_begin BIAS_PARAMETERS,
                         const int filters, const int height, const int width,
                         const int tiles_in_row, const int num_tiles,
                         const int columns FINISH_PARAMETERS) {
  const int first = (int)get_global_id(0) * LANES;
  const int filter = get_global_id(1);
  const int image = get_global_id(2);
  points += points_begin + (image * POINTS * filters + filter) * columns + first;
  float16 rows[INPUTS][OUTPUTS];
#pragma unroll
  for (int r = 0; r < INPUTS; ++r) {
    float16 m[INPUTS];
#pragma unroll
    for (int c = 0; c < INPUTS; ++c) m[c] = vload16(0, points + (r * INPUTS + c) * filters * columns);
    TransformOutputs(m, rows[r]);
  }
  float results[OUTPUTS * OUTPUTS][LANES];
#pragma unroll
  for (int c = 0; c < OUTPUTS; ++c) {
    float16 m[INPUTS];
    float16 y[OUTPUTS];
#pragma unroll
    for (int r = 0; r < INPUTS; ++r) m[r] = rows[r][c];
    TransformOutputs(m, y);
#pragma unroll
    for (int r = 0; r < OUTPUTS; ++r) vstore16(y[r], 0, results[r * OUTPUTS + c]);
  }
  const float addend = BIAS_OF(filter);
  const int plane = (image * filters + filter) * height * width;
  const int count = min(LANES, num_tiles - first);
  for (int lane = 0; lane < count; ++lane) {
    const int y = (first + lane) / tiles_in_row * OUTPUTS;
    const int x = (first + lane) % tiles_in_row * OUTPUTS;
    const int y_end = min(OUTPUTS, height - y);
    const int x_end = min(OUTPUTS, width - x);
    for (int r = 0; r < y_end; ++r) {
      for (int c = 0; c < x_end; ++c) {
        const int at = plane + (y + r) * width + x + c;
        STORE(Finish(results[r * OUTPUTS + c][lane] + addend, at FINISH_ARGUMENTS), out,
              out_begin + at);
      }
    }
  }
}
#endif
)";

}  // namespace opencl
}  // namespace backplane
