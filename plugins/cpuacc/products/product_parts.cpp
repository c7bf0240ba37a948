#include "products/product_parts.hpp"

#include "kernel_builders/primitive_parts.hpp"
#include "library/engine.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using Arguments = std::vector<PrimitiveArgument>;
using ProductDesc = dnnl::matmul::primitive_desc;

/// Nothing: oneDNN has no such primitive that is as fast.
std::optional<PrimitivePart> MakePart(const ProductDesc& whole, Arguments arguments) {
  dnnl::primitive_attr attributes = whole.get_primitive_attr();
  attributes.set_post_ops(TakeOperands(attributes.get_post_ops(), arguments));
  const dnnl::matmul::desc desc(
      FindDesc(arguments, DNNL_ARG_SRC), FindDesc(arguments, DNNL_ARG_WEIGHTS),
      FindDesc(arguments, DNNL_ARG_BIAS), FindDesc(arguments, DNNL_ARG_DST));
  const ProductDesc part(desc, attributes, GetEngine(), true);
  if (!part || std::string(part.impl_info_str()) != whole.impl_info_str()) return {};
  return PrimitivePart{dnnl::matmul(part), std::move(arguments), part.scratchpad_desc()};
}

/// Operands that repeat along the axis stay whole.
bool Cut(Arguments& arguments, const std::vector<int>& ids, int axis, const AxisRange& range) {
  for (const int id : ids) {
    PrimitiveArgument* const argument = FindArgument(arguments, id);
    if (argument == nullptr || argument->desc.data.dims[axis] == 1) continue;
    if (!CutAxis(*argument, axis, range)) return false;
  }
  return CutOperands(arguments, axis, range);
}

/// Empty: cannot be cut so.
std::vector<PrimitivePart> MakeParts(const ProductDesc& whole, const Arguments& arguments,
                                     const std::vector<int>& ids, int axis,
                                     const std::vector<AxisRange>& ranges) {
  std::vector<PrimitivePart> parts;
  for (const AxisRange& range : ranges) {
    Arguments of_part = arguments;
    if (!Cut(of_part, ids, axis, range)) return {};
    std::optional<PrimitivePart> part = MakePart(whole, std::move(of_part));
    if (!part) return {};
    parts.push_back(std::move(*part));
  }
  return parts;
}

std::vector<PrimitivePart> MakeParts(const ProductDesc& whole, const Arguments& arguments,
                                     int num_threads) {
  constexpr std::int64_t kRowsOfPart = 16;
  constexpr std::int64_t kColumnsOfPart = 64;
  const std::int64_t most = std::int64_t{num_threads} * 2;
  const dnnl::memory::desc result = whole.dst_desc();
  const int rows = result.data.ndims - 2;
  const auto& dims = result.data.dims;
  const std::vector<int> all = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS, DNNL_ARG_DST};
  for (int axis = 0; axis < rows; ++axis) {
    if (dims[axis] < num_threads) continue;
    auto parts = MakeParts(whole, arguments, all, axis, DivideAxis(dims[axis], 1, most));
    if (!parts.empty()) return parts;
  }
  if (dims[rows] >= num_threads * kRowsOfPart) {
    // Each part reads the whole matrix, which few rows do not make up for.
    constexpr std::int64_t kRowsWorthTwo = 128;
    const bool are_many = dims[rows] >= num_threads * kRowsWorthTwo;
    auto parts = MakeParts(whole, arguments, {DNNL_ARG_SRC, DNNL_ARG_DST}, rows,
                           DivideAxis(dims[rows], kRowsOfPart, are_many ? most : num_threads));
    if (!parts.empty()) return parts;
  }
  int mask = 0;
  std::vector<float> scales;
  whole.get_primitive_attr().get_output_scales(mask, scales);
  if (mask != 0 || dims[rows + 1] < num_threads * kColumnsOfPart) return {};
  return MakeParts(whole, arguments, {DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS, DNNL_ARG_DST}, rows + 1,
                   DivideAxis(dims[rows + 1], kColumnsOfPart, most));
}

}  // namespace

std::unique_ptr<const Kernel> MakeProductKernel(const ProductDesc& whole, Arguments arguments,
                                                int num_threads) {
  if (num_threads > 1) {
    std::vector<PrimitivePart> parts = MakeParts(whole, arguments, num_threads);
    if (parts.size() > 1) return MakePartsKernel(std::move(parts));
  }
  return MakePrimitiveKernel(dnnl::matmul(whole), std::move(arguments), whole.scratchpad_desc());
}

}  // namespace cpuacc
}  // namespace backplane
