#include "quantised/activation_product.hpp"

#include "cpu_layers/scales.hpp"
#include "kernel_builders/converted_input.hpp"
#include "kernel_builders/post_ops.hpp"
#include "kernel_builders/primitive.hpp"
#include "layout/layout.hpp"
#include "library/engine.hpp"
#include "memory/aligned_memory.hpp"
#include "products/product_parts.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/quantised_types.hpp"
#include "quantised/requantising_attributes.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <dnnl.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

/// For a kernel on uint8 for whose input 1 int8 is wanted: elements less 128.
std::unique_ptr<const Kernel> MakeWithSignedSecondInput(const KernelMaker& maker,
                                                        std::unique_ptr<const Kernel> kernel) {
  InputConversion conversion;
  conversion.input = 1;
  conversion.num_elements = maker.GetInput(1).info.shape.GetNumElements();
  conversion.element_bytes = 1;
  conversion.convert = [](const void* from, void* to, std::int64_t begin, std::int64_t end) {
    const auto* bytes = static_cast<const std::uint8_t*>(from);
    std::transform(bytes + begin, bytes + end, static_cast<std::uint8_t*>(to) + begin,
                   [](std::uint8_t byte) { return static_cast<std::uint8_t>(byte ^ kSignBit); });
  };
  return MakeWithConvertedInput(maker, conversion, std::move(kernel));
}

/// Matrices of bytes that are not packed, and what becomes of their sums, which are float32.
struct ActivationProduct {
  memory::desc rows;
  memory::desc columns;
  memory::desc result;
  dnnl::primitive_attr attributes;
};

/// The matrices of a tensor, with as many axes in front as `result` has.
memory::desc DescribeMatrices(const TensorShape& shape, DataType type, bool is_transposed,
                              const TensorShape& result) {
  memory::dims dims = ToDims(shape);
  dims.insert(dims.begin(), result.rank - shape.rank, 1);
  memory::desc desc = DescribePlain(dims, type);
  if (!is_transposed) return desc;
  const auto rank = static_cast<int>(dims.size());
  std::vector<int> axes(dims.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::swap(axes[static_cast<std::size_t>(rank - 1)], axes[static_cast<std::size_t>(rank - 2)]);
  return desc.permute_axes(axes);
}

/// As if all axes in front were one, where both tensors have the same.
TensorShape JoinBatch(const TensorShape& shape, const TensorShape& other) {
  const auto have_same = [&](std::uint32_t axis) { return shape[axis] == other[axis]; };
  bool can_join = shape.rank == other.rank && shape.rank > 2;
  std::int64_t count = 1;
  for (std::uint32_t axis = 0; axis + 2 < shape.rank && can_join; ++axis) {
    can_join = have_same(axis);
    count *= shape[axis];
  }
  return can_join ? TensorShape{count, shape[shape.rank - 2], shape[shape.rank - 1]} : shape;
}

std::int32_t GetSignShift(const TensorInfo& info) {
  return info.data_type == DataType::kUInt8 ? kSignBit : 0;
}

ActivationProduct DescribeProduct(const KernelMaker& maker, bool is_transposed,
                                  DataType result_type) {
  const TensorInfo& a = maker.GetInput(0).info;
  const TensorInfo& b = maker.GetInput(1).info;
  const TensorShape rows = JoinBatch(a.shape, b.shape);
  const TensorShape columns = JoinBatch(b.shape, a.shape);
  TensorShape result = maker.GetOutput().info.shape;
  if (rows != a.shape) result = {rows[0], rows[1], result[result.rank - 1]};
  return {DescribeMatrices(rows, a.data_type, false, result),
          DescribeMatrices(columns, DataType::kInt8, is_transposed, result),
          DescribeMatrices(result, result_type, false, result), MakeAttributes()};
}

void SetZeroPoint(dnnl::primitive_attr& attributes, int argument, std::int32_t zero_point) {
  if (zero_point != 0) attributes.set_zero_points(argument, 0, {zero_point});
}

dnnl::matmul::primitive_desc DescribePrimitive(const ActivationProduct& product,
                                               const dnnl::primitive_attr& attributes) {
  return dnnl::matmul::primitive_desc(
      dnnl::matmul::desc(product.rows, product.columns, product.result), attributes, GetEngine(),
      true);
}

bool MayBeFast(const KernelMaker& maker) {
  return HasExactByteProducts() && maker.GetInput(0).info.shape.rank >= 2 &&
         maker.GetInput(1).info.shape.rank >= 2;
}

bool IsFast(const ActivationProduct& product) {
  const auto desc = DescribePrimitive(product, product.attributes);
  return desc && std::string(desc.impl_info_str()).find("brg") != std::string::npos;
}

/// `zero_points`: those that may be unknown.
std::unique_ptr<const Kernel> MakeKernelOf(KernelMaker& maker, const ActivationProduct& product,
                                           const std::optional<ZeroPointInputs>& zero_points) {
  FusedOps fused;
  std::size_t count = 0;
  const memory::dims dims = product.result.dims();
  const auto describe = [&](const dnnl::primitive_attr& attributes) {
    return DescribePrimitive(product, attributes);
  };
  // Chains are of numbers.
  const auto desc = product.result.data_type() == memory::data_type::s32
                        ? describe(product.attributes)
                        : MakeWithFusedOps(maker, dims, dims.size() - 1, product.attributes, fused,
                                           count, describe);
  std::vector<PrimitiveArgument> arguments = {FromInput(DNNL_ARG_SRC, product.rows, 0),
                                              FromInput(DNNL_ARG_WEIGHTS, product.columns, 1),
                                              FromOutput(DNNL_ARG_DST, product.result)};
  if (zero_points) AddUnknownZeroPoints(*zero_points, arguments);
  TakeFusedOps(maker, fused, count, product.result, arguments);
  auto kernel = MakeProductKernel(desc, std::move(arguments), maker.GetNumThreads());
  const TensorInfo& b = maker.GetInput(1).info;
  if (zero_points) {
    kernel = MakeWithWideZeroPoints(maker, *zero_points, GetSignShift(b), std::move(kernel));
  }
  if (b.data_type == DataType::kInt8) return kernel;
  return MakeWithSignedSecondInput(maker, std::move(kernel));
}

}  // namespace

std::unique_ptr<const Kernel> MakeActivationProduct(KernelMaker& maker) {
  const TensorInfo& a = maker.GetInput(0).info;
  const TensorInfo& b = maker.GetInput(1).info;
  const auto descriptor = maker.GetNode().GetDescriptor<BatchMatMulDescriptor>();
  maker.WantPlain(0);
  maker.WantPlain(1);
  ActivationProduct product =
      DescribeProduct(maker, descriptor.transpose_b == 1, DataType::kFloat32);
  product.attributes.set_output_scales(0, {cpu_layers::GetScale(a) * cpu_layers::GetScale(b)});
  SetZeroPoint(product.attributes, DNNL_ARG_SRC, cpu_layers::GetZeroPoint(a));
  SetZeroPoint(product.attributes, DNNL_ARG_WEIGHTS, cpu_layers::GetZeroPoint(b) - GetSignShift(b));
  return MakeKernelOf(maker, product, {});
}

std::unique_ptr<const Kernel> MakeBatchedByteProduct(KernelMaker& maker,
                                                     const ZeroPointInputs& zero_points) {
  if (!MayBeFast(maker) || !zero_points.elements.AreOne() || !zero_points.weights.AreOne()) {
    return nullptr;
  }
  const TensorInfo& a = maker.GetInput(0).info;
  const TensorInfo& b = maker.GetInput(1).info;
  if (!AreZeroPointsExact(a.shape[a.shape.rank - 1])) return nullptr;
  ActivationProduct product = DescribeProduct(maker, false, DataType::kFloat32);
  if (zero_points.elements.AreKnown()) {
    SetZeroPoint(product.attributes, DNNL_ARG_SRC, zero_points.elements.GetKnown(0));
  }
  if (zero_points.weights.AreKnown()) {
    SetZeroPoint(product.attributes, DNNL_ARG_WEIGHTS,
                 zero_points.weights.GetKnown(0) - GetSignShift(b));
  }
  SetUnknownZeroPoints(zero_points, product.attributes);
  return IsFast(product) ? MakeKernelOf(maker, product, zero_points) : nullptr;
}

std::unique_ptr<const Kernel> MakeBatchedSums(KernelMaker& maker) {
  if (!MayBeFast(maker)) return nullptr;
  const ActivationProduct product = DescribeProduct(maker, false, DataType::kInt32);
  return IsFast(product) ? MakeKernelOf(maker, product, {}) : nullptr;
}

}  // namespace cpuacc
}  // namespace backplane
