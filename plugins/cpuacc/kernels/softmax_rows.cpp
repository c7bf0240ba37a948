#include "kernels/softmax_rows.hpp"

#include "axes/axis_blocks.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kLanes = AxisBlocks::kMostLanes;
constexpr std::int64_t kWeight = 16;  // exponentials take long

/// Rows up to this length are turned into columns, so that vectors are full.
constexpr std::int64_t kShortRow = 16;

class SoftmaxKernel : public Kernel {
 public:
  SoftmaxKernel(const TensorShape& shape, const SoftmaxDescriptor& descriptor, SoftmaxResult result)
      : blocks_(shape, MakeAxisSet(descriptor.axis)),
        beta_(descriptor.beta),
        result_(result),
        functions_(GetSimdFunctions().rows) {}

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<float>(0);
    auto* output = run.Output<float>();
    ParallelFor(run.threads, blocks_.GetCount(), blocks_.GetGrain(kWeight),
                [&](std::int64_t begin, std::int64_t end) {
                  if (IsShort()) return RunShortRows(input, begin, end, output);
                  for (std::int64_t index = begin; index < end; ++index) {
                    RunBlock(input, blocks_.GetBlock(index), output);
                  }
                });
  }

 private:
  void RunBlock(const float* input, const AxisBlock& block, float* output) const {
    double extremes[kLanes];
    ReduceWhole(blocks_, block, GetExtreme(), input, extremes);
    if (blocks_.HasRows()) {
      blocks_.VisitRows(block, [&](std::int64_t offset, std::int64_t length) {
        RunRow(input + offset, length, static_cast<float>(extremes[0]), output + offset);
      });
    } else {
      blocks_.VisitPanels(block, [&](std::int64_t offset, const Panel& panel) {
        RunPanel(input + offset, panel, extremes, output + offset);
      });
    }
  }

  bool IsShort() const { return blocks_.HasRows() && blocks_.GetGroupSize() <= kShortRow; }

  /// A row is a block, and its neighbour follows at once.
  void RunShortRows(const float* input, std::int64_t begin, std::int64_t end, float* output) const {
    const std::int64_t length = blocks_.GetGroupSize();
    float columns[kShortRow * kLanes];
    for (std::int64_t first = begin; first < end; first += kLanes) {
      const Panel panel = {length, kLanes, std::min(kLanes, end - first)};
      const float* rows = input + first * length;
      float* results = output + first * length;
      for (std::int64_t i = 0; i < panel.width; ++i) {
        for (std::int64_t k = 0; k < length; ++k) columns[k * kLanes + i] = rows[i * length + k];
      }
      double extremes[kLanes];
      std::fill_n(extremes, panel.width, GetStart(GetExtreme()));
      functions_.GetColumns(GetExtreme())(columns, panel, extremes, nullptr);
      RunPanel(columns, panel, extremes, columns);
      for (std::int64_t i = 0; i < panel.width; ++i) {
        for (std::int64_t k = 0; k < length; ++k) results[i * length + k] = columns[k * kLanes + i];
      }
    }
  }

  /// Subtracted from the elements, it keeps every exponential at most 1.
  Reduction GetExtreme() const { return beta_ < 0.0F ? Reduction::kMinimum : Reduction::kMaximum; }

  void RunRow(const float* input, std::int64_t length, float extreme, float* output) const {
    if (result_ == SoftmaxResult::kProbabilities) {
      const double sum = functions_.store_exponentials(input, output, length, beta_, extreme);
      functions_.scale_row(output, output, length, static_cast<float>(1.0 / sum));
    } else {
      const double sum = functions_.sum_exponentials(input, length, beta_, extreme);
      functions_.normalize_row(input, output, length, static_cast<double>(extreme), beta_,
                               static_cast<float>(-std::log(sum)));
    }
  }

  void RunPanel(const float* input, const Panel& panel, const double* extremes,
                float* output) const {
    double sums[kLanes] = {};
    double factors[kLanes];
    double addends[kLanes];
    if (result_ == SoftmaxResult::kProbabilities) {
      functions_.store_column_exponentials(input, output, panel, beta_, extremes, sums);
      for (std::int64_t i = 0; i < panel.width; ++i) factors[i] = 1.0 / sums[i];
      functions_.scale_columns(output, output, panel, factors);
    } else {
      functions_.sum_column_exponentials(input, panel, beta_, extremes, sums);
      for (std::int64_t i = 0; i < panel.width; ++i) {
        factors[i] = static_cast<double>(beta_);
        addends[i] = -std::log(sums[i]);
      }
      functions_.normalize_columns(input, output, panel, extremes, factors, addends);
    }
  }

  const AxisBlocks blocks_;
  const float beta_;
  const SoftmaxResult result_;
  const RowFunctions& functions_;
};

}  // namespace

void RequireSoftmaxRows(const Layer& layer, Refusal& refusal) {
  RequireAxis(layer, layer.GetDescriptor<SoftmaxDescriptor>().axis, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
}

std::unique_ptr<const Kernel> MakeSoftmaxRows(KernelMaker& maker, SoftmaxResult result) {
  maker.WantPlain(0);
  return std::make_unique<SoftmaxKernel>(
      maker.GetOutput().info.shape, maker.GetNode().GetDescriptor<SoftmaxDescriptor>(), result);
}

}  // namespace cpuacc
}  // namespace backplane
