#include "quantised/byte_strips.hpp"

#include "simd/simd.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// `line` is the first byte of a line of the input.
void PrepareLine(const ByteGeometry& geometry, ByteType type, const unsigned char* line,
                 std::int16_t* to) {
  const ByteAxis& axis = geometry.axes[2];
  const std::int64_t num_read = axis.CountRead(axis.output);
  const std::int64_t begin = std::min(axis.pad, num_read);
  const std::int64_t end = std::clamp(axis.pad + axis.input, begin, num_read);
  // Where channels are filled up together, all groups are one.
  const std::int64_t groups = geometry.has_own_channels ? 1 : geometry.groups;
  ByteRun run;
  run.bytes = line;
  run.flip = static_cast<std::uint8_t>(type.sign_bit);
  run.zero_point = static_cast<std::int16_t>(type.zero_point + type.sign_bit);
  run.num_places = (end - begin) * groups;
  run.num_channels = geometry.groups * geometry.channels / groups;
  run.step = geometry.place_step / groups;
  std::fill_n(to, begin * geometry.place_step, std::int16_t{0});
  GetSimdFunctions().byte_products.widen(run, to + begin * geometry.place_step);
  std::fill_n(to + end * geometry.place_step, (num_read - end) * geometry.place_step,
              std::int16_t{0});
}

}  // namespace

void PrepareStrip(const ByteGeometry& geometry, const ByteStrip& strip, ByteType type,
                  const unsigned char* input, std::int16_t* elements) {
  const auto& axes = geometry.axes;
  const std::int64_t line_bytes = axes[2].input * geometry.groups * geometry.channels;
  const std::int64_t first_line = strip.first_line * axes[1].stride - axes[1].pad;
  const std::int64_t first_slice = strip.slice * axes[0].stride - axes[0].pad;
  for (std::int64_t kernel = 0; kernel < axes[0].kernel; ++kernel) {
    const std::int64_t slice = first_slice + kernel * axes[0].dilation;
    const bool has_slice = slice >= 0 && slice < axes[0].input;
    const std::int64_t lines_before = (strip.image * axes[0].input + slice) * axes[1].input;
    for (std::int64_t i = 0; i < axes[1].CountRead(strip.num_lines); ++i) {
      const std::int64_t line = first_line + i;
      std::int16_t* to = elements + kernel * geometry.slice_step + i * geometry.line_step;
      if (has_slice && line >= 0 && line < axes[1].input) {
        PrepareLine(geometry, type, input + (lines_before + line) * line_bytes, to);
      } else {
        std::fill_n(to, geometry.line_step, std::int16_t{0});
      }
    }
  }
}

}  // namespace cpuacc
}  // namespace backplane
