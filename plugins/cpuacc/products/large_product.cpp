#include "library/engine.hpp"
#include "making/post_ops.hpp"
#include "making/primitive.hpp"
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
                             std::int64_t rows, std::int64_t columns) {
  memory::dims dims;
  memory::dims strides;
  for (std::size_t axis = 0; axis < problem.batch.size(); ++axis) {
    const bool repeats = steps.batch[axis] == 0;
    dims.push_back(repeats ? 1 : problem.batch[axis]);
    strides.push_back(repeats ? rows * columns : steps.batch[axis]);
  }
  dims.insert(dims.end(), {rows, columns});
  strides.insert(strides.end(), {steps.row, steps.column});
  return memory::desc(dims, kFloat, strides);
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

}  // namespace

std::unique_ptr<const Kernel> MakeLargeProduct(KernelMaker& maker, const MatrixProblem& problem,
                                               std::uint32_t bias_input) {
  const bool has_bias = bias_input != kNoOperand;
  const memory::dims dims = FindResultDims(problem);
  const memory::desc a = DescribeOperand(problem, problem.a, problem.rows, problem.inner);
  const memory::desc plain_b = DescribeOperand(problem, problem.b, problem.inner, problem.columns);
  const memory::desc b = maker.GetInput(1).IsConstant()
                             ? memory::desc(plain_b.dims(), kFloat, memory::format_tag::any)
                             : plain_b;
  const memory::desc bias = has_bias ? DescribeBias(problem) : memory::desc();
  const memory::desc result = DescribePlain(dims, DataType::kFloat32);
  const dnnl::matmul::desc desc =
      has_bias ? dnnl::matmul::desc(a, b, bias, result) : dnnl::matmul::desc(a, b, result);
  FusedOps fused;
  std::size_t count = 0;
  const dnnl::matmul::primitive_desc primitive =
      MakeWithFusedOps(maker, dims, dims.size() - 1, MakeProductAttributes(maker.GetOptions()),
                       fused, count, [&](const dnnl::primitive_attr& attributes) {
                         return dnnl::matmul::primitive_desc(desc, attributes, GetEngine(), true);
                       });
  if (IsReference(primitive)) return MakeSmallProduct(maker, problem, bias_input);
  std::vector<PrimitiveArgument> arguments = {
      FromInput(DNNL_ARG_SRC, a, 0), FromOutput(DNNL_ARG_DST, result),
      maker.GetInput(1).IsConstant()
          ? FromConstant(DNNL_ARG_WEIGHTS, primitive.weights_desc(),
                         maker.Pack(1, plain_b, primitive.weights_desc()))
          : FromInput(DNNL_ARG_WEIGHTS, plain_b, 1)};
  if (has_bias) {
    maker.WantPlain(bias_input);
    arguments.push_back(FromInput(DNNL_ARG_BIAS, bias, bias_input));
  }
  TakeFusedOps(maker, fused, count, result, arguments);
  return MakeProductKernel(primitive, std::move(arguments), maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
