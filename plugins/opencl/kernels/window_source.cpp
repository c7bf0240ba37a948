#include "kernels/window_source.hpp"

namespace backplane {
namespace opencl {

const char* const kWindowGridSource = R"(
typedef struct {
  int input_depth, input_height, input_width;
  int stride_depth, stride_height, stride_width;
  int pad_depth, pad_height, pad_width;
  int phases_depth, phases_height, phases_width;
  int depth, height, width;  // of a phase
} grid_shape;

#define GRID_PARAMETERS                                                     \
  const int input_depth, const int input_height, const int input_width,     \
      const int stride_depth, const int stride_height, const int stride_width, \
      const int pad_depth, const int pad_height, const int pad_width,       \
      const int phases_depth, const int phases_height, const int phases_width, \
      const int grid_depth, const int grid_height, const int grid_width
#define MAKE_GRID_SHAPE                                                       \
  const grid_shape shape = {input_depth,  input_height,  input_width,         \
                            stride_depth, stride_height, stride_width,        \
                            pad_depth,    pad_height,    pad_width,           \
                            phases_depth, phases_height, phases_width,        \
                            grid_depth,   grid_height,   grid_width}

// vload16 and vstore16 of CPUs may take vectors apart.
typedef float16 __attribute__((aligned(4))) unaligned16;
#ifdef STORAGE_HALF
#define LOAD16(p) vload_half16(0, p)
#else
#define LOAD16(p) (*(const __global unaligned16*)(p))
#endif

void LayOutRow(GRID_SPACE float* restrict to, __global const storage* restrict from, int is_inside,
               int first, int stride, int input_width, int width, float fill) {
  int begin = width;
  int end = width;
  if (is_inside && stride == 1) {
    begin = clamp(-first, 0, width);
    end = clamp(input_width - first, begin, width);
  } else if (is_inside) {
    begin = clamp((stride - 1 - first) / stride, 0, width);
    end = clamp((input_width - first + stride - 1) / stride, begin, width);
  }
  for (int i = 0; i < begin; ++i) to[i] = fill;
  if (stride == 1) {
    for (int i = begin; i < end; ++i) to[i] = LOAD(from, first + i);
  } else {
    int i = begin;
    for (; stride == 2 && i + 16 <= end && first + 2 * i + 32 <= input_width; i += 16) {
      const float16 low = LOAD16(from + first + 2 * i);
      const float16 high = LOAD16(from + first + 2 * i + 16);
      *(GRID_SPACE unaligned16*)(to + i) = (float16)(low.even, high.even);
    }
    for (; i < end; ++i) to[i] = LOAD(from, first + stride * i);
  }
  for (int i = end; i < width; ++i) to[i] = fill;
}

// Of all rows of all phases, those from `begin` to before `end`.
void LayOutRows(GRID_SPACE float* grid, __global const storage* plane, const grid_shape shape,
                int begin, int end, float fill) {
  int h = begin % shape.height;
  int rest = begin / shape.height;
  int d = rest % shape.depth;
  rest /= shape.depth;
  int phase_width = rest % shape.phases_width;
  rest /= shape.phases_width;
  int phase_height = rest % shape.phases_height;
  int phase_depth = rest / shape.phases_height;
  for (int row = begin; row < end; ++row) {
    const int input_h = h * shape.stride_height + phase_height - shape.pad_height;
    const int input_d = d * shape.stride_depth + phase_depth - shape.pad_depth;
    const int is_inside = input_h >= 0 && input_h < shape.input_height && input_d >= 0 &&
                          input_d < shape.input_depth;
    const int from = is_inside ? (input_d * shape.input_height + input_h) * shape.input_width : 0;
    LayOutRow(grid + row * shape.width, plane + from, is_inside, phase_width - shape.pad_width,
              shape.stride_width, shape.input_width, shape.width, fill);
    if (++h < shape.height) continue;
    h = 0;
    if (++d < shape.depth) continue;
    d = 0;
    if (++phase_width < shape.phases_width) continue;
    phase_width = 0;
    if (++phase_height < shape.phases_height) continue;
    phase_height = 0;
    ++phase_depth;
  }
}

#ifdef LAY_OUT
__kernel void LayOut(__global const storage* restrict input, const int input_begin,
                     __global float* restrict grid, const int grid_begin,
                     const int rows_per_item, const int num_planes, GRID_PARAMETERS) {
  MAKE_GRID_SHAPE;
  const int num_rows =
      phases_depth * phases_height * phases_width * grid_depth * grid_height;
  const int plane = get_global_id(1);
  const int first = get_global_id(0) * rows_per_item;
  if (plane >= num_planes) return;
  __global const storage* from =
      input + input_begin + plane * input_depth * input_height * input_width;
  __global float* to = grid + grid_begin + plane * num_rows * grid_width;
  LayOutRows(to, from, shape, first, min(num_rows, first + rows_per_item), 0.0f);
}
#endif
)";

const char* const kWindowSource = R"(
#if defined(MAXIMUM)
#define FIRST (-INFINITY)
#define TAKE(value, x, weight, p) select(value, x, isgreater(x, value) | ((x) != (x)))
#elif defined(AVERAGE)
#define FIRST 0.0f
#define TAKE(value, x, weight, p) ((value) + (x))
#elif defined(POWERS)
#define FIRST 0.0f
#define TAKE(value, x, weight, p) ((value) + pow(fabs(x), p))
#else
#define FIRST 0.0f
#define TAKE(value, x, weight, p) fma(x, weight, value)
#endif

#ifdef PRODUCTS
#define WEIGHT_PARAMETERS , __global const storage* restrict weights, const int weights_begin
#else
#define WEIGHT_PARAMETERS
#endif
#ifdef AVERAGE
#define COUNT_PARAMETERS , __global const int* restrict counts, const int counts_begin
#else
#define COUNT_PARAMETERS
#endif

float Conclude(float value, float addend, int count, float inverse_p) {
#if defined(AVERAGE)
  return count == 0 ? 0.0f : value / count;
#elif defined(POWERS)
  return pow(value, inverse_p);
#elif defined(PRODUCTS)
  return value + addend;
#else
  return value;
#endif
}

#ifdef MAXIMUM
#define COMBINE(a, b) TAKE(a, b, 0, 0)
#else
#define COMBINE(a, b) ((a) + (b))
#endif

// The window is the whole plane.
#ifdef OF_PLANE
__kernel void OfPlane(__global const storage* restrict input, const int input_begin,
                      __global storage* restrict output, const int output_begin,
                      const int num_planes, const int elements, const float p,
                      const float inverse_p FINISH_PARAMETERS) {
  const int plane = get_global_id(0);
  if (plane >= num_planes) return;
  input += input_begin + plane * elements;
  float16 sums = (float16)(FIRST);
  int i = 0;
  for (; i + 16 <= elements; i += 16) sums = TAKE(sums, LOAD16(input + i), 0, (float16)(p));
  const float8 eight = COMBINE(sums.lo, sums.hi);
  const float4 four = COMBINE(eight.lo, eight.hi);
  const float2 two = COMBINE(four.lo, four.hi);
  float value = COMBINE(two.lo, two.hi);
  for (; i < elements; ++i) value = TAKE(value, LOAD(input, i), 0, p);
  const float result = Conclude(value, 0, elements, inverse_p);
  STORE(Finish(result, plane FINISH_ARGUMENTS), output, output_begin + plane);
}
#endif

#ifdef ON_PLANE
#define VECTORS 4
// Behind the grid in local memory, the results in its order.
__kernel void OnPlane(__global const storage* restrict input, const int input_begin,
                      __global storage* restrict output, const int output_begin,
                      __global const int* restrict taps, const int taps_begin
                      WEIGHT_PARAMETERS BIAS_PARAMETERS COUNT_PARAMETERS,
                      __local float* restrict grid, const int results_begin,
                      const int num_taps, const int columns,
                      const int output_depth, const int output_height, const int output_width,
                      const int filters, const int channels, const float p, const float inverse_p,
                      GRID_PARAMETERS FINISH_PARAMETERS) {
  MAKE_GRID_SHAPE;
  const int plane = get_global_id(0);
  const int filter = plane % filters;
  const int input_plane = plane / filters * channels + filter / (filters / channels);
  const int num_rows = phases_depth * phases_height * phases_width * grid_depth * grid_height;
  LayOutRows(grid, input + input_begin + input_plane * input_depth * input_height * input_width,
             shape, 0, num_rows, FIRST);
#ifdef PRODUCTS
  weights += weights_begin + filter * num_taps;
#endif
  taps += taps_begin;
  __local float* results = grid + results_begin;
  for (int first = 0; first < columns; first += VECTORS * 16) {
    float16 values[VECTORS];
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) values[v] = (float16)(FIRST);
    for (int tap = 0; tap < num_taps; ++tap) {
      __local const float* elements = grid + taps[tap] + first;
#ifdef PRODUCTS
      const float16 weight = (float16)(LOAD(weights, tap));
#endif
#pragma unroll
      for (int v = 0; v < VECTORS; ++v) {
        const float16 x = *(const __local unaligned16*)(elements + 16 * v);
        values[v] = TAKE(values[v], x, weight, (float16)(p));
      }
    }
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) {
      *(__local unaligned16*)(results + first + 16 * v) = values[v];
    }
  }
  const float addend = BIAS_OF(filter);
  for (int d = 0; d < output_depth; ++d) {
    for (int h = 0; h < output_height; ++h) {
      __local const float* row = results + (d * grid_height + h) * grid_width;
      const int at = ((plane * output_depth + d) * output_height + h) * output_width;
#ifdef AVERAGE
      const int row_count = counts[counts_begin + output_width + h] *
                            counts[counts_begin + output_width + output_height + d];
#endif
      for (int w = 0; w < output_width; ++w) {
#ifdef AVERAGE
        const int count = row_count * counts[counts_begin + w];
#else
        const int count = 0;
#endif
        const float value = Conclude(row[w], addend, count, inverse_p);
        STORE(Finish(value, at + w FINISH_ARGUMENTS), output, output_begin + at + w);
      }
    }
  }
}
#endif

#ifdef AT_POSITION
__kernel void AtPosition(__global const storage* restrict input, const int input_begin,
                         __global storage* restrict output, const int output_begin
                         WEIGHT_PARAMETERS BIAS_PARAMETERS COUNT_PARAMETERS,
                         const int kernel_depth, const int kernel_height, const int kernel_width,
                         const int dilation_depth, const int dilation_height,
                         const int dilation_width,
                         const int output_depth, const int output_height, const int output_width,
                         const int filters, const int channels, const int group_channels,
                         const float p, const float inverse_p, GRID_PARAMETERS FINISH_PARAMETERS) {
  const int position = get_global_id(0);
  const int plane = get_global_id(1);
  const int w = position % output_width;
  const int h = position / output_width % output_height;
  const int d = position / output_width / output_height;
  if (d >= output_depth) return;
  const int filter = plane % filters;
  const int group = filter / (filters / (channels / group_channels));
  const int input_elements = input_depth * input_height * input_width;
  input += input_begin + (plane / filters * channels + group * group_channels) * input_elements;
#ifdef PRODUCTS
  weights += weights_begin +
             filter * group_channels * kernel_depth * kernel_height * kernel_width;
  int weight = 0;
#endif
  float value = FIRST;
  for (int channel = 0; channel < group_channels; ++channel, input += input_elements) {
    for (int kd = 0; kd < kernel_depth; ++kd) {
      const long from_d = (long)d * stride_depth + (long)kd * dilation_depth - pad_depth;
      for (int kh = 0; kh < kernel_height; ++kh) {
        const long from_h = (long)h * stride_height + (long)kh * dilation_height - pad_height;
        for (int kw = 0; kw < kernel_width; ++kw) {
          const long from_w = (long)w * stride_width + (long)kw * dilation_width - pad_width;
          const bool is_inside = from_d >= 0 && from_d < input_depth && from_h >= 0 &&
                                 from_h < input_height && from_w >= 0 && from_w < input_width;
#ifdef PRODUCTS
          const float x =
              is_inside ? LOAD(input, (from_d * input_height + from_h) * input_width + from_w)
                        : 0.0f;
          value = fma(x, LOAD(weights, weight), value);
          ++weight;
#else
          if (!is_inside) continue;
          const float x = LOAD(input, (from_d * input_height + from_h) * input_width + from_w);
          value = TAKE(value, x, 0, p);
#endif
        }
      }
    }
  }
#ifdef AVERAGE
  const int count = counts[counts_begin + w] * counts[counts_begin + output_width + h] *
                    counts[counts_begin + output_width + output_height + d];
#else
  const int count = 0;
#endif
  const int at = plane * output_depth * output_height * output_width + position;
  const float result = Conclude(value, BIAS_OF(filter), count, inverse_p);
  STORE(Finish(result, at FINISH_ARGUMENTS), output, output_begin + at);
}
#endif
)";

}  // namespace opencl
}  // namespace backplane
