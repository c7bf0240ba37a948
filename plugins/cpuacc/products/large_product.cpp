#include "kernel_builders/bfloat16_products.hpp"
#include "kernel_builders/post_ops.hpp"
#include "kernel_builders/primitive.hpp"
#include "library/engine.hpp"
#include "products/matrix_problem.hpp"
#include "products/product_parts.hpp"

#include <dnnl.hpp>

#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

constexpr auto kFloat = memory::data_type::f32;

/// An operand that repeats along an axis has one element there.
memory::desc DescribeOperand(const MatrixProblem& problem, const MatrixSteps& steps,
                             std::int64_t rows, std::int64_t columns, memory::data_type type) {
  memory::dims dims;
  memory::dims strides;
  for (std::size_t axis = 0; axis < problem.batch.size(); ++axis) {
    const bool repeats = steps.batch[axis] == 0;
    dims.push_back(repeats ? 1 : problem.batch[axis]);
    strides.push_back(repeats ? rows * columns : steps.batch[axis]);
  }
  dims.insert(dims.end(), {rows, columns});
  strides.insert(strides.end(), {steps.row, steps.column});
  return memory::desc(dims, type, strides);
}

memory::dims FindResultDims(const MatrixProblem& problem) {
  memory::dims dims = problem.batch;
  dims.insert(dims.end(), {problem.rows, problem.columns});
  return dims;
}

memory::desc DescribeBias(const MatrixProblem& problem) {
  memory::dims dims(problem.batch.size() + 2, 1);
  dims.back() = problem.columns;
  return DescribePlain(dims, DataType::kFloat32);
}

bool IsReference(const dnnl::matmul::primitive_desc& primitive) {
  return std::string(primitive.impl_info_str()).find("ref") != std::string::npos;
}

/// What oneDNN is asked for, with all operations of the chain that it takes.
struct DescribedProduct {
  dnnl::matmul::primitive_desc primitive;
  memory::desc a;
  FusedOps fused;
  std::size_t num_fused = 0;
};

/// `type`: of the operands.
DescribedProduct DescribeProduct(const KernelMaker& maker, const MatrixProblem& problem,
                                 bool has_bias, memory::data_type type) {
  DescribedProduct product;
  const memory::dims dims = FindResultDims(problem);
  product.a = DescribeOperand(problem, problem.a, problem.rows, problem.inner, type);
  const memory::desc plain_b =
      DescribeOperand(problem, problem.b, problem.inner, problem.columns, type);
  const memory::desc b = maker.GetInput(1).IsConstant()
                             ? memory::desc(plain_b.dims(), type, memory::format_tag::any)
                             : plain_b;
  const memory::desc result = DescribePlain(dims, DataType::kFloat32);
  const dnnl::matmul::desc desc =
      has_bias ? dnnl::matmul::desc(product.a, b, DescribeBias(problem), result)
               : dnnl::matmul::desc(product.a, b, result);
  product.primitive =
      MakeWithFusedOps(maker, dims, dims.size() - 1, MakeAttributes(), product.fused,
                       product.num_fused, [&](const dnnl::primitive_attr& attributes) {
                         return dnnl::matmul::primitive_desc(desc, attributes, GetEngine(), true);
                       });
  return product;
}

std::unique_ptr<const Kernel> MakeKernelOf(KernelMaker& maker, const MatrixProblem& problem,
                                           std::uint32_t bias_input,
                                           const DescribedProduct& product) {
  const memory::desc plain_b =
      DescribeOperand(problem, problem.b, problem.inner, problem.columns, kFloat);
  const memory::desc result = product.primitive.dst_desc();
  const memory::desc packed = product.primitive.weights_desc();
  std::vector<PrimitiveArgument> arguments = {
      FromInput(DNNL_ARG_SRC, product.a, 0), FromOutput(DNNL_ARG_DST, result),
      maker.GetInput(1).IsConstant()
          ? FromConstant(DNNL_ARG_WEIGHTS, packed, maker.Pack(1, plain_b, packed))
          : FromInput(DNNL_ARG_WEIGHTS, plain_b, 1)};
  if (bias_input != kNoOperand) {
    maker.WantPlain(bias_input);
    arguments.push_back(FromInput(DNNL_ARG_BIAS, DescribeBias(problem), bias_input));
  }
  TakeFusedOps(maker, product.fused, product.num_fused, result, arguments);
  return MakeProductKernel(product.primitive, std::move(arguments), maker.GetNumThreads());
}

}  // namespace

std::unique_ptr<const Kernel> MakeLargeProduct(KernelMaker& maker, const MatrixProblem& problem,
                                               std::uint32_t bias_input) {
  const bool has_bias = bias_input != kNoOperand;
  if (MultipliesBfloat16(maker)) {
    const auto product = DescribeProduct(maker, problem, has_bias, memory::data_type::bf16);
    if (product.primitive && UsesTiles(product.primitive.impl_info_str())) {
      return MakeWithBfloat16Input(maker, maker.GetInput(0).info.shape.GetNumElements(),
                                   MakeKernelOf(maker, problem, bias_input, product));
    }
  }
  const DescribedProduct product = DescribeProduct(maker, problem, has_bias, kFloat);
  if (IsReference(product.primitive)) return MakeSmallProduct(maker, problem, bias_input);
  return MakeKernelOf(maker, problem, bias_input, product);
}

}  // namespace cpuacc
}  // namespace backplane
