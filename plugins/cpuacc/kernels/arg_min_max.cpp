#include "axes/visit_integers.hpp"
#include "cpu_layers/axis_span.hpp"
#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/reduction_refusal.hpp"
#include "cpu_layers/scales.hpp"
#include "cpu_layers/transpose_tile.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/arg_min_max.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

class ArgMinMaxKernel : public Kernel {
 public:
  ArgMinMaxKernel(const AxisSpan& span, const ArgMinMaxDescriptor& descriptor)
      : extent_(span.extent),
        has_rows_(span.inner == 1),
        has_long_rows_(has_rows_ && span.extent > kMostOfShortRow),
        outer_(has_rows_ ? 1 : span.outer),
        num_lines_(has_rows_ ? span.outer : span.inner),
        lines_of_block_(has_long_rows_ ? 1 : kMostColumns),
        is_maximum_(descriptor.operation == ArgOperation::kMaximum),
        is_last_(descriptor.select_last != 0),
        functions_(GetSimdFunctions().rows) {}

  void Run(const KernelRun& run) const override {
    const std::int64_t num_blocks = DivideUp(num_lines_, lines_of_block_);
    const std::int64_t grain =
        kElementsOfThread / (extent_ * std::min(lines_of_block_, num_lines_) + 1) + 1;
    ParallelFor(run.threads, outer_ * num_blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t block = begin; block < end; ++block) {
        RunBlock(run, block / num_blocks, block % num_blocks * lines_of_block_);
      }
    });
  }

 private:
  /// Rows of up to so many elements are transposed, and searched as columns next to each other.
  static constexpr std::int64_t kMostOfShortRow = 128;
  /// Columns that are searched together.
  static constexpr std::int64_t kMostColumns = 64;
  /// So many elements are worth a thread of their own.
  static constexpr std::int64_t kElementsOfThread = 16384;

  void RunBlock(const KernelRun& run, std::int64_t outer, std::int64_t first) const {
    const std::int64_t count = std::min(lines_of_block_, num_lines_ - first);
    const float* x = run.Input<float>(0) + outer * extent_ * num_lines_;
    auto* output = run.Output<std::int64_t>() + outer * num_lines_ + first;
    if (has_long_rows_) {
      *output = FindInRow(x + first * extent_);
    } else if (has_rows_) {
      FindInShortRows(x + first * extent_, count, output);
    } else {
      FindInColumns(x + first, {extent_, num_lines_, count}, output);
    }
  }

  std::int64_t FindInRow(const float* x) const {
    const Reduction reduction = is_maximum_ ? Reduction::kMaximum : Reduction::kMinimum;
    const double extreme = functions_.GetRow(reduction)(x, extent_, GetStart(reduction), 0.0);
    const auto find = is_last_ ? functions_.find_last : functions_.find_first;
    return find(x, extent_, static_cast<float>(extreme));
  }

  void FindInShortRows(const float* x, std::int64_t count, std::int64_t* output) const {
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(float));
    float columns[kMostOfShortRow * kMostColumns];
    TransposeTile<float>(
        {extent_, kBytes, kMostColumns * kBytes}, {count, extent_ * kBytes, kBytes},
        reinterpret_cast<const unsigned char*>(x), reinterpret_cast<unsigned char*>(columns));
    FindInColumns(columns, {extent_, kMostColumns, count}, output);
  }

  void FindInColumns(const float* x, Panel panel, std::int64_t* output) const {
    if (is_last_) {
      x += (extent_ - 1) * panel.step;
      panel.step = -panel.step;
    }
    functions_.find_greatest(x, panel, is_maximum_ ? 1.0F : -1.0F, output);
    if (!is_last_) return;
    std::for_each(output, output + panel.width,
                  [&](std::int64_t& index) { index = extent_ - 1 - index; });
  }

  const std::int64_t extent_;
  const bool has_rows_;
  const bool has_long_rows_;
  const std::int64_t outer_;
  const std::int64_t num_lines_;  // next to each other
  const std::int64_t lines_of_block_;
  const bool is_maximum_;
  const bool is_last_;
  const RowFunctions& functions_;
};

/// Of integers, which may be quantised, along columns next to each other.
template <typename Integer>
class IntegerArgMinMax : public Kernel {
 public:
  IntegerArgMinMax(const AxisSpan& span, const ArgMinMaxDescriptor& descriptor)
      : span_(span),
        is_maximum_(descriptor.operation == ArgOperation::kMaximum),
        is_last_(descriptor.select_last != 0) {}

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 16384;
    const std::int64_t blocks = DivideUp(span_.inner, kColumns);
    ParallelFor(run.threads, span_.outer * blocks,
                kWorthAThread / (span_.extent * std::min(kColumns, span_.inner)) + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t block = begin; block < end; ++block) {
                    FindInBlock(run, block / blocks, block % blocks * kColumns);
                  }
                });
  }

 private:
  static constexpr std::int64_t kColumns = 64;

  void FindInBlock(const KernelRun& run, std::int64_t outer, std::int64_t first) const {
    const std::int64_t count = std::min(kColumns, span_.inner - first);
    const Integer* x = run.Input<Integer>(0) + outer * span_.extent * span_.inner + first;
    std::int64_t* found = run.Output<std::int64_t>() + outer * span_.inner + first;
    Integer best[kColumns];
    std::copy_n(x, count, best);
    std::fill_n(found, count, 0);
    for (std::int64_t row = 1; row < span_.extent; ++row) {
      x += span_.inner;
      for (std::int64_t i = 0; i < count; ++i) {
        const bool is_better =
            (is_maximum_ ? x[i] > best[i] : x[i] < best[i]) || (is_last_ && x[i] == best[i]);
        best[i] = is_better ? x[i] : best[i];
        found[i] = is_better ? row : found[i];
      }
    }
  }

  const AxisSpan span_;
  const bool is_maximum_;
  const bool is_last_;
};

/// Whether the elements are integers that are in the order of what they stand for.
bool HasOrderedIntegers(const TensorInfo& info) {
  return IsPlainInteger(info) || cpu_layers::IsByteWithOneScale(info);
}

}  // namespace

std::string FindRefusalOfArgMinMax(const Layer& layer) {
  Refusal refusal;
  const TensorRoles roles = {{}, {TensorRole::kInt64}};
  if (HasOrderedIntegers(layer.Input(0))) {
    RequireTypesOfRoles(layer, roles, refusal);
  } else {
    RequireFloat32(layer, refusal, roles,
                   ", or int32, int64, or int8 or uint8 with at most one scale");
  }
  RequireArgMinMax(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeArgMinMax(KernelMaker& maker) {
  const auto descriptor = maker.GetNode().GetDescriptor<ArgMinMaxDescriptor>();
  maker.WantPlain(0);
  const TensorInfo& input = maker.GetInput(0).info;
  if (HasOrderedIntegers(input)) {
    return VisitIntegers(input.data_type, [&](auto integer) -> std::unique_ptr<const Kernel> {
      return std::make_unique<IntegerArgMinMax<decltype(integer)>>(
          MakeAxisSpan(input.shape, descriptor.axis), descriptor);
    });
  }
  return std::make_unique<ArgMinMaxKernel>(
      MakeAxisSpan(maker.GetInput(0).info.shape, descriptor.axis), descriptor);
}

}  // namespace cpuacc
}  // namespace backplane
