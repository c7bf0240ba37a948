#include "kernel_builders/primitive_parts.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using Arguments = std::vector<PrimitiveArgument>;

std::vector<Arguments> CutAll(const Arguments& whole, int axis, std::int64_t num_parts) {
  std::int64_t block = 1;
  for (const PrimitiveArgument& argument : whole) {
    block = std::max(block, GetAxisBlock(argument.desc, axis));
  }
  std::vector<Arguments> parts;
  for (const AxisRange& range : DivideAxis(whole[0].desc.data.dims[axis], block, num_parts)) {
    Arguments part = whole;
    for (PrimitiveArgument& argument : part) {
      if (!CutAxis(argument, axis, range)) return {whole};
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<Arguments> CutImagesOrChannels(const Arguments& whole, int num_threads) {
  if (num_threads == 1 || whole[0].desc.data.ndims < 2) return {whole};
  const std::int64_t most = std::int64_t{num_threads} * 2;
  if (whole[0].desc.data.dims[0] >= num_threads) return CutAll(whole, 0, most);
  return CutAll(whole, 1, most);
}

}  // namespace

std::vector<AxisRange> DivideAxis(std::int64_t count, std::int64_t block, std::int64_t num_parts) {
  const std::int64_t num_blocks = (count + block - 1) / block;
  const std::int64_t num_ranges = std::min(num_blocks, num_parts);
  std::vector<AxisRange> ranges;
  for (std::int64_t i = 0; i < num_ranges; ++i) {
    const std::int64_t begin = num_blocks * i / num_ranges * block;
    const std::int64_t end = std::min(count, num_blocks * (i + 1) / num_ranges * block);
    ranges.push_back({begin, end - begin});
  }
  return ranges;
}

std::int64_t GetAxisBlock(const dnnl::memory::desc& desc, int axis) {
  if (desc.data.format_kind != dnnl_blocked || desc.data.extra.flags != 0) return 0;
  const dnnl_blocking_desc_t& blocking = desc.data.format_desc.blocking;
  std::int64_t block = 1;
  for (int i = 0; i < blocking.inner_nblks; ++i) {
    if (blocking.inner_idxs[i] == axis) block *= blocking.inner_blks[i];
  }
  return block;
}

namespace {

/// How many elements lie between the first and the one behind the last, where the first axis has
/// one. oneDNN knows layouts by the step that this axis would have in a dense tensor.
std::int64_t GetImageSize(const dnnl::memory::desc& desc) {
  const dnnl_memory_desc_t& data = desc.data;
  std::int64_t size = 1;
  for (int axis = 1; axis < data.ndims; ++axis) {
    const std::int64_t num_blocks = data.padded_dims[axis] / GetAxisBlock(desc, axis);
    size = std::max(size, data.format_desc.blocking.strides[axis] * num_blocks);
  }
  return size;
}

}  // namespace

std::int64_t CountIfDense(const dnnl::memory::desc& desc) {
  const dnnl_memory_desc_t& data = desc.data;
  if (data.ndims < 2 || GetAxisBlock(desc, 0) != 1) return 0;
  std::int64_t image = 1;
  for (int axis = 1; axis < data.ndims; ++axis) image *= data.padded_dims[axis];
  const bool are_apart = data.dims[0] > 1 && data.format_desc.blocking.strides[0] != image;
  return are_apart || GetImageSize(desc) != image ? 0 : data.dims[0] * image;
}

bool CutAxis(PrimitiveArgument& argument, int axis, const AxisRange& range) {
  dnnl_memory_desc_t& data = argument.desc.data;
  const std::int64_t block = GetAxisBlock(argument.desc, axis);
  const bool is_last = range.begin + range.count == data.dims[axis];
  if (block == 0 || range.begin % block != 0 || (range.count % block != 0 && !is_last)) {
    return false;
  }
  argument.offset_bytes +=
      static_cast<std::uint64_t>(range.begin / block * data.format_desc.blocking.strides[axis]) *
      dnnl::memory::data_type_size(argument.desc.data_type());
  data.dims[axis] = range.count;
  data.padded_dims[axis] = (range.count + block - 1) / block * block;
  if (axis > 0 && data.dims[0] == 1)
    data.format_desc.blocking.strides[0] = GetImageSize(argument.desc);
  return true;
}

const PrimitiveArgument* FindArgument(const std::vector<PrimitiveArgument>& arguments, int id) {
  const auto found =
      std::find_if(arguments.begin(), arguments.end(),
                   [id](const PrimitiveArgument& argument) { return argument.id == id; });
  return found == arguments.end() ? nullptr : &*found;
}

PrimitiveArgument* FindArgument(std::vector<PrimitiveArgument>& arguments, int id) {
  return const_cast<PrimitiveArgument*>(
      FindArgument(static_cast<const std::vector<PrimitiveArgument>&>(arguments), id));
}

dnnl::memory::desc FindDesc(const std::vector<PrimitiveArgument>& arguments, int id) {
  const PrimitiveArgument* const argument = FindArgument(arguments, id);
  return argument == nullptr ? dnnl::memory::desc() : argument->desc;
}

int GetOperandId(int position) {
  return DNNL_ARG_ATTR_MULTIPLE_POST_OP(position) | DNNL_ARG_SRC_1;
}

bool CutOperands(std::vector<PrimitiveArgument>& arguments, int axis, const AxisRange& range) {
  constexpr int kMostOps = 32;
  for (int position = 0; position < kMostOps; ++position) {
    PrimitiveArgument* const operand = FindArgument(arguments, GetOperandId(position));
    if (operand == nullptr || operand->desc.data.dims[axis] == 1) continue;
    if (!CutAxis(*operand, axis, range)) return false;
  }
  return true;
}

dnnl::post_ops TakeOperands(const dnnl::post_ops& ops, std::vector<PrimitiveArgument>& arguments) {
  dnnl::post_ops taken;
  for (int position = 0; position < ops.len(); ++position) {
    dnnl::algorithm algorithm = dnnl::algorithm::undef;
    if (const PrimitiveArgument* operand = FindArgument(arguments, GetOperandId(position))) {
      dnnl::memory::desc before;
      ops.get_params_binary(position, algorithm, before);
      taken.append_binary(algorithm, operand->desc);
      continue;
    }
    float scale = 1.0F;
    float alpha = 0.0F;
    float beta = 0.0F;
    ops.get_params_eltwise(position, scale, algorithm, alpha, beta);
    taken.append_eltwise(scale, algorithm, alpha, beta);
  }
  return taken;
}

std::unique_ptr<const Kernel> MakeKernelInParts(
    const std::vector<PrimitiveArgument>& whole, int num_threads,
    const std::function<
        std::optional<PrimitivePart>(const std::vector<PrimitiveArgument>& arguments)>& make) {
  std::vector<PrimitivePart> parts;
  for (const auto& arguments : CutImagesOrChannels(whole, num_threads)) {
    std::optional<PrimitivePart> part = make(arguments);
    if (!part) return MakeKernelInParts(whole, 1, make);
    parts.push_back(std::move(*part));
  }
  return MakePartsKernel(std::move(parts));
}

}  // namespace cpuacc
}  // namespace backplane
