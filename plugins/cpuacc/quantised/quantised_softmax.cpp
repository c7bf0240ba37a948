#include "quantised/quantised_softmax.hpp"

#include "cpu_layers/axis_groups.hpp"
#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/scales.hpp"
#include "cpu_layers/softmax.hpp"
#include "quantised/byte_table.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

class QuantisedSoftmaxKernel : public Kernel {
 public:
  QuantisedSoftmaxKernel(const TensorInfo& input, const TensorInfo& output,
                         const SoftmaxDescriptor& descriptor)
      : output_(output), softmax_(output.shape, descriptor) {
    for (std::size_t byte = 0; byte < reals_.size(); ++byte) {
      reals_[byte] = FindReal(input, static_cast<std::uint8_t>(byte));
    }
  }

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(output_.shape.GetNumElements()) * sizeof(double);
  }

  void Run(const KernelRun& run) const override {
    const auto* input = run.Input<std::uint8_t>(0);
    auto* output = run.Output<std::uint8_t>();
    auto* reals = run.GetScratch<double>();
    const std::int64_t count = output_.shape.GetNumElements();
    for (std::int64_t i = 0; i < count; ++i) reals[i] = reals_[input[i]];
    softmax_.Run(reals, reals);
    for (std::int64_t i = 0; i < count; ++i) output[i] = FindByte(output_, reals[i]);
  }

 private:
  const TensorInfo output_;
  const cpu_layers::Softmax<double> softmax_;
  std::array<double, 256> reals_ = {};  // what each byte stands for
};

/// Along the innermost axis, with scales above 0 and a beta of 1, each exponential follows from how
/// far its byte lies below the greatest of the row: the difference of what they stand for is exact.
class SoftmaxOfByteRows : public Kernel {
 public:
  SoftmaxOfByteRows(const TensorInfo& input, const TensorInfo& output,
                    const SoftmaxDescriptor& descriptor, int num_threads)
      : groups_(output.shape, cpu_layers::MakeAxisSet(descriptor.axis)),
        length_(groups_.GetGroupSize()),
        num_rows_(length_ == 0 ? 0 : output.shape.GetNumElements() / length_),
        sign_bit_(static_cast<std::uint8_t>(GetSignBit(input))),
        num_threads_(num_threads) {
    const auto scale = static_cast<double>(cpu_layers::GetScale(input));
    for (std::size_t i = 0; i < exponentials_.size(); ++i) {
      exponentials_[i] = std::exp(-scale * static_cast<double>(i));
    }
    share_.result_scale = static_cast<double>(cpu_layers::GetScale(output));
    share_.zero_point = cpu_layers::GetZeroPoint(output);
    share_.least = -GetSignBit(output);
  }

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(num_threads_ * length_) * sizeof(double);
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 32768;
    ParallelForPieces(run.threads.AtMost(num_threads_), num_rows_, kWorthAThread / length_ + 1,
                      [&](std::int64_t piece, std::int64_t begin, std::int64_t end) {
                        double* row = run.GetScratch<double>() + piece * length_;
                        for (std::int64_t i = begin; i < end; ++i) {
                          RunRow(run.Input<std::uint8_t>(0), i, row, run.Output<std::uint8_t>());
                        }
                      });
  }

 private:
  void RunRow(const std::uint8_t* input, std::int64_t index, double* exponentials,
              std::uint8_t* output) const {
    const std::int64_t length = length_;
    const std::int64_t first = index * length;
    const std::uint8_t flip = sign_bit_;
    const std::uint8_t* const row = input + first;
    std::uint8_t* const bytes = output + first;
    std::uint8_t greatest = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      greatest = std::max(greatest, static_cast<std::uint8_t>(row[i] ^ flip));
    }
    double sums[cpu_layers::AxisGroups::kLanes] = {};
    groups_.VisitRows({first, index, 1}, [&](std::int64_t offset, std::int64_t width) {
      for (std::int64_t i = 0; i < width; ++i) {
        sums[i] += exponentials_[static_cast<std::size_t>(greatest - (input[offset + i] ^ flip))];
      }
    });
    groups_.CombineLanes(sums, [](double a, double b) { return a + b; });
    ByteAverage share = share_;
    share.count = sums[0];
    for (std::int64_t i = 0; i < length; ++i) {
      bytes[i] = static_cast<std::uint8_t>(greatest - (row[i] ^ flip));
    }
    TakeShares(share, exponentials, bytes);
  }

  /// From how far bytes lie below the greatest of their row to their shares: those of all distances
  /// at which a share can be more than nothing are in a table, unless these are many more.
  void TakeShares(const ByteAverage& share, double* exponentials, std::uint8_t* bytes) const {
    const std::int64_t count = CountShares(share);
    constexpr std::int64_t kWorthATable = 2;
    if (count > kWorthATable * length_) {
      for (std::int64_t i = 0; i < length_; ++i) exponentials[i] = exponentials_[bytes[i]];
      return functions_.average_reals(share, exponentials, bytes, length_);
    }
    ByteTable table;
    table.fill(static_cast<std::uint8_t>(share.zero_point));
    functions_.average_reals(share, exponentials_.data(), table.data(), count);
    functions_.look_up(table.data(), bytes, bytes, length_);
  }

  /// Exponentials fall, and those that are a tenth of a step give what the zero point stands for.
  std::int64_t CountShares(const ByteAverage& share) const {
    constexpr double kRoundsToZero = 0.1;
    const double least = kRoundsToZero * share.result_scale * share.count;
    const auto end =
        std::partition_point(exponentials_.begin(), exponentials_.end(),
                             [least](double exponential) { return exponential > least; });
    constexpr std::int64_t kAtOnce = 64;  // loops over whole vectors have no rest
    return cpu_layers::DivideUp(end - exponentials_.begin(), kAtOnce) * kAtOnce;
  }

  const cpu_layers::AxisGroups groups_;
  const std::int64_t length_;
  const std::int64_t num_rows_;
  const std::uint8_t sign_bit_;
  const int num_threads_;
  std::array<double, 256> exponentials_ = {};  // by how many steps below the greatest
  ByteAverage share_;
  const ByteFunctions& functions_ = GetSimdFunctions().bytes;
};

bool HasByteRows(const TensorInfo& input, const SoftmaxDescriptor& descriptor) {
  const float scale = cpu_layers::GetScale(input);
  return descriptor.axis + 1 == input.shape.rank && input.shape.GetNumElements() > 0 &&
         scale > 0.0F && std::isfinite(scale) && descriptor.beta >= 1.0F && descriptor.beta <= 1.0F;
}

}  // namespace

std::unique_ptr<const Kernel> MakeQuantisedSoftmax(KernelMaker& maker) {
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  const auto descriptor = maker.GetNode().GetDescriptor<SoftmaxDescriptor>();
  maker.WantPlain(0);
  if (!HasByteRows(input, descriptor)) {
    return std::make_unique<QuantisedSoftmaxKernel>(input, output, descriptor);
  }
  return std::make_unique<SoftmaxOfByteRows>(input, output, descriptor, maker.GetNumThreads());
}

}  // namespace cpuacc
}  // namespace backplane
