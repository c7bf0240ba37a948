#include "quantised/byte_geometry.hpp"

#include "cpu_layers/divide_up.hpp"
#include "simd/simd.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::DivideUp;

/// The weights as they lie.
struct WeightSteps {
  explicit WeightSteps(const QuantisedConvolution& convolution) {
    const dnnl_dim_t* steps = convolution.weights.data.format_desc.blocking.strides;
    const bool has_groups = convolution.dims.weights.size() > convolution.dims.input.size();
    if (has_groups) group = *steps++;
    filter = steps[0];
    channel = steps[1];
    const std::size_t rank = convolution.dims.strides.size();
    std::copy(steps + 2, steps + 2 + rank, axes.end() - static_cast<std::ptrdiff_t>(rank));
  }

  std::int64_t group = 0;
  std::int64_t filter;
  std::int64_t channel;
  std::array<std::int64_t, kMaxSpatialRank> axes = {};
};

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

ByteGeometry::ByteGeometry(const ConvolutionDims& dims) {
  const bool has_groups = dims.weights.size() > dims.input.size();
  const std::size_t first = has_groups ? 1 : 0;
  images = dims.input[0];
  if (has_groups) groups = dims.weights[0];
  filters = dims.weights[first];
  channels = dims.weights[first + 1];
  has_own_channels = has_groups && filters == 1 && channels == 1;
  const std::size_t rank = dims.strides.size();
  for (std::size_t i = 0; i < rank; ++i) {
    axes[kMaxSpatialRank - rank + i] = {dims.input[i + 2],     dims.weights[first + i + 2],
                                        dims.output[i + 2],    dims.strides[i],
                                        dims.dilations[i] + 1, dims.pads_begin[i]};
  }
  JoinAxes();
  SetSteps();
  SetRuns();
}

/// Where each place of the output reads only its own of the input, all are lines of one place.
void ByteGeometry::JoinAxes() {
  std::int64_t count = 1;
  for (const ByteAxis& axis : axes) {
    if (axis.kernel != 1 || axis.stride != 1 || axis.pad != 0 || axis.input != axis.output) return;
    count *= axis.output;
  }
  axes = {};
  axes[1].input = axes[1].output = count;
}

void ByteGeometry::SetSteps() {
  constexpr std::int64_t kElementsOfStrip = 1 << 15;  // what stays near while filters read it
  group_step = has_own_channels ? 1 : DivideUp(channels, 2) * 2;
  place_step =
      has_own_channels ? DivideUp(groups, kByteFilters) * kByteFilters : groups * group_step;
  line_step = axes[2].CountRead(axes[2].output) * place_step;
  const std::int64_t of_line = std::max<std::int64_t>(1, axes[0].kernel * line_step);
  const std::int64_t fitting = kElementsOfStrip / of_line - axes[1].CountRead(1);
  strip_lines = std::clamp<std::int64_t>(fitting / axes[1].stride + 1, 1, axes[1].output);
  slice_step = axes[1].CountRead(strip_lines) * line_step;
  panels = DivideUp(has_own_channels ? groups : filters, kByteFilters);
}

/// Neighbours of the last axis lie together where nothing is between them.
void ByteGeometry::SetRuns() {
  const bool are_together = !has_own_channels && groups == 1 && axes[2].dilation == 1;
  const std::int64_t places = are_together ? 1 : axes[2].kernel;
  run_size = are_together ? axes[2].kernel * group_step : group_step;
  for (std::int64_t slice = 0; slice < axes[0].kernel; ++slice) {
    for (std::int64_t line = 0; line < axes[1].kernel; ++line) {
      for (std::int64_t place = 0; place < places; ++place) {
        runs.push_back(slice * slice_step + line * axes[1].dilation * line_step +
                       place * axes[2].dilation * place_step);
      }
    }
  }
}

std::int64_t ByteGeometry::CountStrips() const {
  return images * axes[0].output * DivideUp(axes[1].output, strip_lines);
}

ByteStrip ByteGeometry::FindStrip(std::int64_t index) const {
  const std::int64_t lines = axes[1].output;
  const std::int64_t strips = DivideUp(lines, strip_lines);
  const std::int64_t slices = axes[0].output;
  const std::int64_t first = index % strips * strip_lines;
  return {index / strips / slices, index / strips % slices, first,
          std::min(strip_lines, lines - first)};
}

std::int64_t ByteGeometry::CountWeights() const {
  const auto num_runs = static_cast<std::int64_t>(runs.size());
  if (has_own_channels) return num_runs * panels * kByteFilters;
  return groups * panels * kByteFilters * num_runs * run_size;
}

void RequireModestLine(const Layer& layer, Refusal& refusal) {
  constexpr double kMostElements = 1 << 26;
  const ConvolutionDims dims(layer.GetDescriptor<ConvolutionDescriptor>(), layer.Input(0).shape,
                             layer.Input(1).shape, layer.Output().shape);
  const std::size_t rank = dims.strides.size();
  double elements = static_cast<double>(dims.input[1]) + static_cast<double>(kByteFilters);
  for (std::size_t i = 0; i < rank; ++i) {
    const auto kernel = static_cast<double>(dims.weights[dims.weights.size() - rank + i]);
    const auto places = static_cast<double>(i + 1 == rank ? dims.output[i + 2] : 1);
    elements *= (places - 1) * static_cast<double>(dims.strides[i]) +
                (kernel - 1) * static_cast<double>(dims.dilations[i] + 1) + 1;
  }
  if (elements <= kMostElements) return;
  refusal.Add("a window with which one line of the output reads more than ",
              static_cast<std::int64_t>(kMostElements), " quantised elements is not supported");
}

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

void PackByteWeights(const QuantisedConvolution& convolution, const ByteGeometry& geometry,
                     const std::int32_t* zero_points, const void* weights, std::int16_t* packed) {
  const WeightSteps steps(convolution);
  const bool is_signed = convolution.weights.data_type() == dnnl::memory::data_type::s8;
  const auto read = [&](std::int64_t offset) -> std::int32_t {
    return is_signed ? static_cast<const std::int8_t*>(weights)[offset]
                     : static_cast<const std::uint8_t*>(weights)[offset];
  };
  std::fill_n(packed, geometry.CountWeights(), std::int16_t{0});
  const auto& axes = geometry.axes;
  const std::int64_t taps = axes[0].kernel * axes[1].kernel * axes[2].kernel;
  for (std::int64_t filter = 0; filter < geometry.groups * geometry.filters; ++filter) {
    const std::int64_t group = filter / geometry.filters;
    const std::int64_t of_group = filter % geometry.filters;
    const std::int64_t panel = group * geometry.panels + of_group / kByteFilters;
    std::int16_t* of_panel =
        packed + panel * kByteFilters * taps * geometry.group_step + of_group % kByteFilters * 2;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t from = group * steps.group + of_group * steps.filter +
                                tap / axes[2].kernel / axes[1].kernel * steps.axes[0] +
                                tap / axes[2].kernel % axes[1].kernel * steps.axes[1] +
                                tap % axes[2].kernel * steps.axes[2];
      for (std::int64_t channel = 0; channel < geometry.channels; ++channel) {
        const std::int64_t index = tap * geometry.group_step + channel;
        std::int16_t* to = geometry.has_own_channels
                               ? packed + tap * geometry.place_step + filter
                               : of_panel + index / 2 * 2 * kByteFilters + index % 2;
        *to = static_cast<std::int16_t>(read(from + channel * steps.channel) - zero_points[filter]);
      }
    }
  }
}

}  // namespace cpuacc
}  // namespace backplane
