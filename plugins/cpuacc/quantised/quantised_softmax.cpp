#include "quantised/quantised_softmax.hpp"

#include "cpu_layers/axis_groups.hpp"
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
    const std::int64_t first = index * length_;
    const std::uint8_t flip = sign_bit_;
    std::uint8_t greatest = 0;
    for (std::int64_t i = first; i < first + length_; ++i) {
      greatest = std::max(greatest, static_cast<std::uint8_t>(input[i] ^ flip));
    }
    double sums[cpu_layers::AxisGroups::kLanes] = {};
    groups_.VisitRows({first, index, 1}, [&](std::int64_t offset, std::int64_t width) {
      for (std::int64_t i = 0; i < width; ++i) {
        const int below = greatest - (input[offset + i] ^ flip);
        const double exponential = exponentials_[static_cast<std::size_t>(below)];
        exponentials[offset - first + i] = exponential;
        sums[i] += exponential;
      }
    });
    groups_.CombineLanes(sums, [](double a, double b) { return a + b; });
    ByteAverage share = share_;
    share.count = sums[0];
    functions_.average_reals(share, exponentials, output + first, length_);
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
