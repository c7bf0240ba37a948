#include "convolutions/convolution_parts.hpp"

#include "cpu_layers/divide_up.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// How large a part should be, and may be, that a second cache of 1 or 2 MiB still has.
constexpr std::int64_t kCachedBytes = 512 * 1024;
constexpr std::int64_t kMostCachedBytes = 3 * kCachedBytes;

constexpr int kImages = 0;
constexpr int kChannels = 1;
constexpr int kRows = 2;

using Parts = std::vector<ConvolutionPart>;

const dnnl_memory_desc_t& GetData(const ConvolutionPart& part, int id) {
  return FindArgument(part.arguments, id)->desc.data;
}

bool Cut(ConvolutionPart& part, int id, int axis, const AxisRange& range) {
  PrimitiveArgument* const argument = FindArgument(part.arguments, id);
  return argument == nullptr || CutAxis(*argument, axis, range);
}

bool CutImages(ConvolutionPart& part, const AxisRange& range) {
  return Cut(part, DNNL_ARG_SRC, kImages, range) && Cut(part, DNNL_ARG_DST, kImages, range) &&
         CutOperands(part.arguments, kImages, range);
}

/// How many groups the convolution has; 1 where the weights have no axis of groups.
std::int64_t CountGroups(const ConvolutionPart& part) {
  const dnnl_memory_desc_t& weights = GetData(part, DNNL_ARG_WEIGHTS);
  return weights.ndims > GetData(part, DNNL_ARG_DST).ndims ? weights.dims[0] : 1;
}

/// `range`: of the output's channels.
bool CutChannels(ConvolutionPart& part, const AxisRange& range) {
  const dnnl_memory_desc_t& weights = GetData(part, DNNL_ARG_WEIGHTS);
  AxisRange of_weights = range;
  if (weights.ndims > GetData(part, DNNL_ARG_DST).ndims) {
    const std::int64_t outputs = weights.dims[1];
    const std::int64_t inputs = weights.dims[2];
    if (range.begin % outputs != 0 || range.count % outputs != 0) return false;
    of_weights = {range.begin / outputs, range.count / outputs};
    if (!Cut(part, DNNL_ARG_SRC, kChannels,
             {of_weights.begin * inputs, of_weights.count * inputs})) {
      return false;
    }
  }
  return Cut(part, DNNL_ARG_WEIGHTS, 0, of_weights) && Cut(part, DNNL_ARG_BIAS, 0, range) &&
         Cut(part, DNNL_ARG_DST, kChannels, range) && CutOperands(part.arguments, kChannels, range);
}

/// Whether the rows of an image lie behind each other with all their channels.
bool HasWholeRows(const dnnl::memory::desc& desc) {
  const dnnl_memory_desc_t& data = desc.data;
  const std::int64_t block = GetAxisBlock(desc, kChannels);
  const dnnl_dims_t& strides = data.format_desc.blocking.strides;
  return block > 0 && data.dims[kImages] == 1 && data.ndims > 3 &&
         (data.padded_dims[kChannels] == block || strides[kChannels] == 1);
}

/// Not weights, bias and zero points.
bool HasRows(const PrimitiveArgument& argument) {
  return argument.id != DNNL_ARG_WEIGHTS && argument.id != DNNL_ARG_BIAS &&
         argument.desc.data.ndims > kRows;
}

/// The output, and operands that are added to it.
bool HasWholeRowsOfOutput(const ConvolutionPart& part) {
  return std::all_of(
      part.arguments.begin(), part.arguments.end(), [](const PrimitiveArgument& argument) {
        const bool is_image =
            HasRows(argument) && argument.id != DNNL_ARG_SRC && argument.desc.data.dims[kRows] != 1;
        return !is_image || HasWholeRows(argument.desc);
      });
}

/// Takes the rows of an image. Where channels lie between them, the planes of the part are copied
/// together.
bool CutRowsOf(PrimitiveArgument& argument, const AxisRange& range) {
  const bool is_whole = HasWholeRows(argument.desc);
  dnnl_memory_desc_t& data = argument.desc.data;
  dnnl_dims_t& strides = data.format_desc.blocking.strides;
  const auto step = static_cast<std::uint64_t>(strides[kChannels]);
  if (!CutAxis(argument, kRows, range)) return false;
  const std::int64_t plane = strides[kRows] * range.count;
  const std::int64_t num_planes =
      data.padded_dims[kChannels] / GetAxisBlock(argument.desc, kChannels);
  if (!is_whole) {
    if (argument.id != DNNL_ARG_SRC || strides[kChannels] < strides[kRows]) return false;
    const std::uint64_t size_bytes = dnnl::memory::data_type_size(argument.desc.data_type());
    argument.copied = {static_cast<std::uint64_t>(num_planes), step * size_bytes,
                       static_cast<std::uint64_t>(plane) * size_bytes, 0};
  }
  if (strides[kChannels] >= strides[kRows] || num_planes == 1) {
    strides[kChannels] = plane;
    strides[kImages] = plane * num_planes;
  }
  return true;
}

/// `range`: of the output's rows.
bool CutRows(ConvolutionPart& part, const ConvolutionCuts& cuts, const AxisRange& range) {
  const std::int64_t height = GetData(part, DNNL_ARG_SRC).dims[kRows];
  const std::int64_t first = range.begin * cuts.stride - part.pads_begin[0];
  const std::int64_t end = first + (range.count - 1) * cuts.stride + cuts.row_extent;
  const AxisRange rows = {std::max<std::int64_t>(0, first),
                          std::min(height, end) - std::max<std::int64_t>(0, first)};
  if (rows.count <= 0) return false;
  part.pads_begin[0] = std::max<std::int64_t>(0, -first);
  part.pads_end[0] = std::max<std::int64_t>(0, end - height);
  for (PrimitiveArgument& argument : part.arguments) {
    if (!HasRows(argument)) continue;
    if (argument.id != DNNL_ARG_SRC && argument.desc.data.dims[kRows] == 1) continue;
    if (!CutRowsOf(argument, argument.id == DNNL_ARG_SRC ? rows : range)) return false;
  }
  return true;
}

template <typename CutPart>
Parts CutInto(const ConvolutionPart& whole, const std::vector<AxisRange>& ranges,
              const CutPart& cut) {
  Parts parts;
  for (const AxisRange& range : ranges) {
    ConvolutionPart part = whole;
    if (!cut(part, range)) return {whole};
    parts.push_back(std::move(part));
  }
  return parts;
}

std::int64_t GetChannelStep(const ConvolutionPart& part) {
  const dnnl::memory::desc& output = FindArgument(part.arguments, DNNL_ARG_DST)->desc;
  const std::int64_t block = std::max<std::int64_t>(1, GetAxisBlock(output, kChannels));
  const std::int64_t groups = CountGroups(part);
  const std::int64_t of_group = output.data.dims[kChannels] / groups;
  if (groups == 1 || of_group == 1) return std::max<std::int64_t>(block, 16);
  return of_group % block == 0 ? of_group : of_group * block;
}

/// How many parts for so many threads are made at most, which one thread does without.
std::int64_t CountMostParts(const ConvolutionCuts& cuts, int num_threads) {
  const std::int64_t for_threads = num_threads == 1 ? 1 : std::int64_t{num_threads} * 2;
  return std::max(for_threads, cuts.least_parts);
}

/// Parts of one image, in the better of two ways.
Parts CutImage(const ConvolutionPart& image, const ConvolutionCuts& cuts, int num_threads) {
  const dnnl_memory_desc_t& output = GetData(image, DNNL_ARG_DST);
  const std::int64_t most = CountMostParts(cuts, num_threads);
  if (cuts.has_rows && HasWholeRowsOfOutput(image) && output.dims[kRows] >= most) {
    return CutInto(
        image, DivideAxis(output.dims[kRows], 1, most),
        [&](ConvolutionPart& part, const AxisRange& range) { return CutRows(part, cuts, range); });
  }
  if (!cuts.has_channels) return {image};
  // Fewer blocks at once are slower.
  constexpr std::int64_t kBlocksAtOnce = 4;
  const std::int64_t step = GetChannelStep(image);
  const std::int64_t blocks = cpu_layers::DivideUp(output.dims[kChannels], step);
  const bool are_many = blocks >= most * kBlocksAtOnce || blocks % num_threads != 0;
  const std::int64_t least = std::max<std::int64_t>(num_threads, cuts.least_parts);
  return CutInto(image, DivideAxis(output.dims[kChannels], step, are_many ? most : least),
                 CutChannels);
}

Parts CutWhole(const ConvolutionPart& whole, const ConvolutionCuts& cuts, int num_threads) {
  const std::int64_t images = GetData(whole, DNNL_ARG_DST).dims[kImages];
  const Parts of_images =
      CutInto(whole, DivideAxis(images, 1, CountMostParts(cuts, num_threads)), CutImages);
  if (images >= num_threads && images >= cuts.least_parts) return of_images;
  ConvolutionCuts of_image = cuts;
  of_image.least_parts = cpu_layers::DivideUp(cuts.least_parts, images);
  Parts parts;
  for (const ConvolutionPart& image : of_images) {
    for (ConvolutionPart& part : CutImage(image, of_image, num_threads)) {
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace

std::int64_t CountCachedParts(const dnnl::memory::desc& output) {
  return cpu_layers::DivideUp(static_cast<std::int64_t>(output.get_size()), kCachedBytes);
}

bool RunBehind(const PartFunction& function, std::vector<PrimitivePart>& parts) {
  std::vector<PartFunction> functions;
  for (const PrimitivePart& part : parts) {
    const PrimitiveArgument& output = *FindArgument(part.arguments, DNNL_ARG_DST);
    PartFunction& of_part = functions.emplace_back(function);
    of_part.offset_bytes = output.offset_bytes;
    of_part.count = CountIfDense(output.desc);
    const auto size_bytes = static_cast<std::int64_t>(output.desc.get_size());
    if (of_part.count == 0 || size_bytes > kMostCachedBytes) return false;
  }
  for (std::size_t index = 0; index < parts.size(); ++index) {
    parts[index].function = functions[index];
  }
  return true;
}

std::vector<PrimitivePart> MakeConvolutionParts(const ConvolutionPart& whole,
                                                const ConvolutionCuts& cuts, int num_threads,
                                                const MakeConvolutionPart& make) {
  std::vector<PrimitivePart> made;
  if (CountMostParts(cuts, num_threads) == 1) return made;
  const Parts parts = CutWhole(whole, cuts, num_threads);
  if (parts.size() == 1) return made;
  for (const ConvolutionPart& part : parts) {
    std::optional<PrimitivePart> of_part = make(part);
    if (!of_part) return {};
    made.push_back(std::move(*of_part));
  }
  return made;
}

}  // namespace cpuacc
}  // namespace backplane
