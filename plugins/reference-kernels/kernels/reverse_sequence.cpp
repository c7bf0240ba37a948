#include "cpu_layers/index_refusal.hpp"
#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/run_bytes.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/reverse_sequence.hpp>

#include <algorithm>
#include <cstring>

namespace backplane {
namespace reference {
namespace {

/// The tensor is [before, outer, between, inner, run], where outer and inner are the axes of batch
/// and time in the order in which they lie.
class ReverseSequenceKernel : public Kernel {
 public:
  explicit ReverseSequenceKernel(const Layer& layer) {
    const auto descriptor = layer.GetDescriptor<ReverseSequenceDescriptor>();
    const TensorShape& shape = layer.Output().shape;
    const std::uint32_t outer = std::min(descriptor.batch_axis, descriptor.time_axis);
    const std::uint32_t inner = std::max(descriptor.batch_axis, descriptor.time_axis);
    is_time_outer_ = outer == descriptor.time_axis;
    before_ = CountElements(shape, 0, outer);
    outer_ = shape[outer];
    between_ = CountElements(shape, outer + 1, inner - outer - 1);
    inner_ = shape[inner];
    run_bytes_ = static_cast<std::size_t>(CountElements(shape, inner + 1, shape.rank - inner - 1)) *
                 GetDataTypeSizeBytes(layer.Output().data_type);
  }

  void Run(const RunTensors& tensors) const override {
    WithRun(run_bytes_, [&](auto size) { CopyRuns(tensors, size); });
  }

 private:
  std::int64_t FindSource(std::int64_t time, std::int64_t length) const {
    const std::int64_t reversed = std::min(length, is_time_outer_ ? outer_ : inner_);
    return time < reversed ? reversed - 1 - time : time;
  }

  template <typename Size>
  void CopyRuns(const RunTensors& tensors, Size size) const {
    const auto* lengths = tensors.Input<std::int64_t>(1);
    const auto* input = tensors.Input<unsigned char>(0);
    auto* output = tensors.Output<unsigned char>();
    for (std::int64_t before = 0; before < before_; ++before) {
      for (std::int64_t outer = 0; outer < outer_; ++outer) {
        for (std::int64_t between = 0; between < between_; ++between) {
          for (std::int64_t inner = 0; inner < inner_; ++inner, output += size.GetBytes()) {
            const std::int64_t from_outer =
                is_time_outer_ ? FindSource(outer, lengths[inner]) : outer;
            const std::int64_t from_inner =
                is_time_outer_ ? inner : FindSource(inner, lengths[outer]);
            const std::int64_t from =
                ((before * outer_ + from_outer) * between_ + between) * inner_ + from_inner;
            CopyRun(output, input + static_cast<std::size_t>(from) * size.GetBytes(), size);
          }
        }
      }
    }
  }

  bool is_time_outer_ = false;
  std::int64_t before_ = 1;
  std::int64_t outer_ = 1;
  std::int64_t between_ = 1;
  std::int64_t inner_ = 1;
  std::size_t run_bytes_ = 0;
};

}  // namespace

std::string FindRefusalOfReverseSequence(const Layer& layer) {
  Refusal refusal;
  RequireReverseSequence(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeReverseSequence(const Layer& layer) {
  return WithConvertedInputs(layer, {1}, std::make_unique<ReverseSequenceKernel>(layer));
}

}  // namespace reference
}  // namespace backplane
