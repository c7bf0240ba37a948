#include "products/matrix_problem.hpp"

#include "kernel_builders/bfloat16_products.hpp"
#include "moves/copy.hpp"
#include "products/bias_fill.hpp"
#include "products/packed_panels.hpp"
#include "simd/simd.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

using Steps = std::vector<std::int64_t>;

/// The steps of an input along its axes, in a layout without blocks.
Steps FindSteps(KernelMaker& maker, std::uint32_t input) {
  const TensorShape& shape = maker.GetInput(input).info.shape;
  const Layout& layout = maker.GetLayout(input);
  if (!layout.IsPlain()) {
    const dnnl_blocking_desc_t& blocking = layout.GetBlocked().data.format_desc.blocking;
    if (blocking.inner_nblks == 0 && layout.GetBlocked().data.offset0 == 0) {
      return Steps(blocking.strides, blocking.strides + shape.rank);
    }
    maker.WantPlain(input);
  }
  Steps steps(shape.rank, 1);
  for (std::uint32_t axis = shape.rank - 1; axis > 0; --axis) {
    steps[axis - 1] = steps[axis] * shape[axis];
  }
  return steps;
}

/// The steps of the axes in front of the matrices, for as many axes as the result has.
Steps FindBatchSteps(const TensorShape& shape, const Steps& steps, std::size_t num_axes) {
  Steps batch(num_axes, 0);
  for (std::uint32_t i = 2; i < shape.rank; ++i) {
    const std::uint32_t axis = shape.rank - 1 - i;
    batch[num_axes - 1 - (i - 2)] = shape[axis] == 1 ? 0 : steps[axis];
  }
  return batch;
}

std::vector<std::int64_t> FindBatch(const TensorShape& a, const TensorShape& b) {
  const std::uint32_t rank = std::max({a.rank, b.rank, std::uint32_t{2}});
  std::vector<std::int64_t> batch(rank - 2, 1);
  for (const TensorShape* shape : {&a, &b}) {
    for (std::uint32_t i = 2; i < shape->rank; ++i) {
      std::int64_t& extent = batch[rank - 1 - i];
      const std::int64_t found = (*shape)[shape->rank - 1 - i];
      if (extent == 1) extent = found;
    }
  }
  return batch;
}

/// Axes of one element are left out; matrices that follow each other and all meet the same second
/// operand are rows of one.
void Merge(MatrixProblem& problem) {
  for (std::size_t axis = problem.batch.size(); axis-- > 0;) {
    const bool is_last = axis + 1 == problem.batch.size();
    const bool are_rows =
        is_last && problem.b.batch[axis] == 0 &&
        (problem.rows == 1 || problem.a.batch[axis] == problem.rows * problem.a.row);
    if (problem.batch[axis] != 1 && !are_rows) continue;
    if (problem.batch[axis] != 1) {
      if (problem.rows == 1) problem.a.row = problem.a.batch[axis];
      problem.rows *= problem.batch[axis];
    }
    const auto at = static_cast<std::ptrdiff_t>(axis);
    problem.batch.erase(problem.batch.begin() + at);
    problem.a.batch.erase(problem.a.batch.begin() + at);
    problem.b.batch.erase(problem.b.batch.begin() + at);
  }
}

/// Axes that both operands pass over in one go become one.
void JoinBatchAxes(MatrixProblem& problem) {
  for (std::size_t axis = problem.batch.size(); axis-- > 1;) {
    const std::int64_t extent = problem.batch[axis];
    const auto can_join = [&](const Steps& steps) {
      return steps[axis - 1] == steps[axis] * extent;
    };
    if (!can_join(problem.a.batch) || !can_join(problem.b.batch)) continue;
    problem.batch[axis] *= problem.batch[axis - 1];
    const auto outer = static_cast<std::ptrdiff_t>(axis - 1);
    problem.batch.erase(problem.batch.begin() + outer);
    problem.a.batch.erase(problem.a.batch.begin() + outer);
    problem.b.batch.erase(problem.b.batch.begin() + outer);
  }
}

}  // namespace

bool MatrixProblem::IsWide() const {
  return columns > rows && inner * columns >= kLargeMatrix;
}

std::int64_t MatrixProblem::CountBatches() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : batch) count *= extent;
  return count;
}

bool MatrixProblem::HasOneMatrix() const {
  return std::all_of(b.batch.begin(), b.batch.end(), [](std::int64_t step) { return step == 0; });
}

MatrixProblem MakeMatrixProblem(KernelMaker& maker, const BatchMatMulDescriptor& descriptor) {
  const TensorShape& a = maker.GetInput(0).info.shape;
  const TensorShape& b = maker.GetInput(1).info.shape;
  const Steps a_steps = FindSteps(maker, 0);
  const Steps b_steps = FindSteps(maker, 1);
  MatrixProblem problem;
  problem.batch = FindBatch(a, b);
  problem.a.batch = FindBatchSteps(a, a_steps, problem.batch.size());
  problem.b.batch = FindBatchSteps(b, b_steps, problem.batch.size());
  problem.inner = a[a.rank - 1];
  problem.a.column = a_steps[a.rank - 1];
  if (a.rank > 1) {
    problem.rows = a[a.rank - 2];
    problem.a.row = a_steps[a.rank - 2];
    if (descriptor.transpose_a == 1) {
      std::swap(problem.rows, problem.inner);
      std::swap(problem.a.row, problem.a.column);
    }
  }
  problem.b.row = b_steps[0];
  problem.b.column = 1;
  if (b.rank > 1) {
    problem.columns = b[b.rank - 1];
    problem.b.row = b_steps[b.rank - 2];
    problem.b.column = b_steps[b.rank - 1];
    if (descriptor.transpose_b == 1) {
      problem.columns = b[b.rank - 2];
      std::swap(problem.b.row, problem.b.column);
    }
  }
  Merge(problem);
  JoinBatchAxes(problem);
  return problem;
}

std::unique_ptr<const Kernel> MakeProduct(KernelMaker& maker, const MatrixProblem& problem,
                                          std::uint32_t bias_input) {
  if (IsEmpty(maker.GetOutput())) return MakeCopy(0);
  if (problem.inner == 0) {
    const TensorShape& output = maker.GetOutput().info.shape;
    return MakeBiasFill(maker, output.rank > 0 ? output.rank - 1 : 0);
  }
  // Above, oneDNN gains more by its blocks for caches than it takes to begin. A constant matrix is
  // packed in one form for all numbers of rows, by which our loop is as fast.
  constexpr std::int64_t kMostProducts = std::int64_t{1} << 18;
  const bool is_packed = maker.GetInput(1).IsConstant() && problem.CountBatches() == 1 &&
                         (problem.rows <= kFewRows || !MultipliesBfloat16(maker));
  return is_packed || problem.CountProducts() <= kMostProducts
             ? MakeSmallProduct(maker, problem, bias_input)
             : MakeLargeProduct(maker, problem, bias_input);
}

}  // namespace cpuacc
}  // namespace backplane
