#include "cpu_layers/refusal.hpp"
#include "cpu_layers/sampled_axes.hpp"
#include "cpu_layers/sampling_refusal.hpp"
#include "elements/compute_type.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/grid_sample.hpp>

namespace backplane {
namespace reference {
namespace {

/// The elements of one plane that make a sample.
template <typename Number>
struct PlaneTaps {
  static constexpr std::uint32_t kMost = kMostAxisTaps * kMostAxisTaps * kMostAxisTaps;

  std::uint32_t count = 0;
  std::int64_t offsets[kMost];
  Number weights[kMost];
};

/// Finds the neighbours of a place once, and samples all channels there.
template <typename Number>
class GridSampleKernel : public Kernel {
 public:
  explicit GridSampleKernel(const Layer& layer)
      : batches_(layer.Input(0).shape[0]),
        channels_(layer.Input(0).shape[1]),
        has_double_grid_(layer.Input(1).data_type == DataType::kFloat64),
        axes_(layer.GetDescriptor<GridSampleDescriptor>(), layer.Input(0).shape) {
    for (std::uint32_t axis = 0; axis < axes_.GetCount(); ++axis) {
      input_plane_ *= layer.Input(0).shape[axis + 2];
      output_plane_ *= layer.Output().shape[axis + 2];
    }
  }

  void Run(const RunTensors& tensors) const override {
    if (has_double_grid_) {
      Sample(tensors, tensors.Input<double>(1));
    } else {
      Sample(tensors, tensors.Input<float>(1));
    }
  }

 private:
  template <typename Grid>
  void Sample(const RunTensors& tensors, const Grid* grid) const {
    const auto* input = tensors.Input<Number>(0);
    auto* output = tensors.Output<Number>();
    PlaneTaps<Number> taps;
    for (std::int64_t batch = 0; batch < batches_; ++batch) {
      for (std::int64_t place = 0; place < output_plane_; ++place) {
        FindTaps(grid, taps);
        grid += axes_.GetCount();
        for (std::int64_t channel = 0; channel < channels_; ++channel) {
          output[channel * output_plane_ + place] = Sum(taps, input + channel * input_plane_);
        }
      }
      input += channels_ * input_plane_;
      output += channels_ * output_plane_;
    }
  }

  template <typename Grid>
  void FindTaps(const Grid* grid, PlaneTaps<Number>& taps) const {
    taps.count = 0;
    axes_.VisitNeighbours(grid, [&taps](std::int64_t offset, double weight) {
      taps.offsets[taps.count] = offset;
      taps.weights[taps.count++] = static_cast<Number>(weight);
    });
  }

  static Number Sum(const PlaneTaps<Number>& taps, const Number* plane) {
    Number sum = 0;
    for (std::uint32_t tap = 0; tap < taps.count; ++tap) {
      sum += taps.weights[tap] * plane[taps.offsets[tap]];
    }
    return sum;
  }

  const std::int64_t batches_;
  const std::int64_t channels_;
  const bool has_double_grid_;
  const SampledAxes axes_;
  std::int64_t input_plane_ = 1;
  std::int64_t output_plane_ = 1;
};

}  // namespace

std::string FindRefusalOfGridSample(const Layer& layer) {
  Refusal refusal;
  RequireFloats(layer, refusal, {{TensorRole::kValue, TensorRole::kOwn}, {}});
  RequirePlainFloat(layer.Input(1), "input 1 (grid)", refusal);
  RequireGridSample(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeGridSample(const Layer& layer) {
  return MakeFloatKernel<GridSampleKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
