#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "kernels/index_type.hpp"
#include "kernels/kernel_table.hpp"

#include <backplane/api/descriptors/reverse_sequence.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// [before, outer, between, inner, run]: outer and inner are the axes of time and batch, in the
/// order in which they lie.
struct SequenceShape {
  bool is_time_outer;
  std::int64_t before;
  std::int64_t outer;
  std::int64_t between;
  std::int64_t inner;
  std::size_t run_bytes;
};

template <typename Index>
class ReverseSequenceKernel : public Kernel {
 public:
  explicit ReverseSequenceKernel(const SequenceShape& shape) : shape_(shape) {}

  void Run(const KernelRun& run) const override {
    if (shape_.run_bytes == 0) return;
    WithRun(shape_.run_bytes, [&](auto size) { CopyRuns(run, size); });
  }

 private:
  /// The index along time that comes to `time` in a sequence of this length.
  std::int64_t FindSource(std::int64_t time, std::int64_t length) const {
    const std::int64_t reversed =
        std::min(length, shape_.is_time_outer ? shape_.outer : shape_.inner);
    return time < reversed ? reversed - 1 - time : time;
  }

  template <typename Size>
  void CopyRuns(const KernelRun& run, Size size) const {
    const auto* input = run.Input<unsigned char>(0);
    const auto* lengths = run.Input<Index>(1);
    auto* output = run.Output<unsigned char>();
    const auto bytes = static_cast<std::int64_t>(size.GetBytes());
    const auto& [is_time_outer, num_before, num_outer, num_between, num_inner, run_bytes] = shape_;
    for (std::int64_t before = 0; before < num_before; ++before) {
      for (std::int64_t outer = 0; outer < num_outer; ++outer) {
        for (std::int64_t between = 0; between < num_between; ++between) {
          for (std::int64_t inner = 0; inner < num_inner; ++inner, output += bytes) {
            const std::int64_t i = is_time_outer ? FindSource(outer, lengths[inner]) : outer;
            const std::int64_t j = is_time_outer ? inner : FindSource(inner, lengths[outer]);
            const std::int64_t row = (before * num_outer + i) * num_between + between;
            CopyRun(output, input + (row * num_inner + j) * bytes, size);
          }
        }
      }
    }
  }

  SequenceShape shape_;
};

}  // namespace

std::string FindRefusalOfReverseSequence(const Layer& layer) {
  Refusal refusal;
  RequireReverseSequence(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeReverseSequence(KernelMaker& maker) {
  maker.WantAllPlain();
  const auto descriptor = maker.GetNode().GetDescriptor<ReverseSequenceDescriptor>();
  const TensorInfo& info = maker.GetInput(0).info;
  const std::uint32_t outer = std::min(descriptor.batch_axis, descriptor.time_axis);
  const std::uint32_t inner = std::max(descriptor.batch_axis, descriptor.time_axis);
  SequenceShape shape;
  shape.is_time_outer = outer == descriptor.time_axis;
  shape.before = CountElements(info.shape, 0, outer);
  shape.outer = info.shape[outer];
  shape.between = CountElements(info.shape, outer + 1, inner - outer - 1);
  shape.inner = info.shape[inner];
  shape.run_bytes =
      static_cast<std::size_t>(CountElements(info.shape, inner + 1, info.shape.rank - inner - 1)) *
      GetDataTypeSizeBytes(info.data_type);
  return WithIndex(maker.GetInput(1).info.data_type,
                   [&](auto index) -> std::unique_ptr<const Kernel> {
                     return std::make_unique<ReverseSequenceKernel<decltype(index)>>(shape);
                   });
}

}  // namespace cpuacc
}  // namespace backplane
