#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/sampled_axes.hpp"
#include "cpu_layers/sampling_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/grid_sample.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace backplane {
namespace cpuacc {
namespace {

/// What is known of some places: the neighbours of each, as many for all.
class PlaceNeighbours {
 public:
  static constexpr std::int64_t kMost = 4096;

  PlaceNeighbours(std::int64_t num_places, std::int64_t num_neighbours)
      : num_places_(num_places), num_neighbours_(num_neighbours) {}

  void Set(std::int64_t place, std::int64_t neighbour, std::int64_t offset, double weight) {
    const auto at = static_cast<std::size_t>(neighbour * num_places_ + place);
    offsets_[at] = static_cast<std::int32_t>(offset);
    weights_[at] = static_cast<float>(weight);
  }

  PlaneNeighbours Get() const {
    return {offsets_.data(), weights_.data(), num_places_, num_neighbours_};
  }

 private:
  const std::int64_t num_places_;
  const std::int64_t num_neighbours_;
  std::array<std::int32_t, kMost> offsets_;
  std::array<float, kMost> weights_;
};

std::int64_t CountNeighbours(Interpolation interpolation) {
  if (interpolation == Interpolation::kNearest) return 1;
  return interpolation == Interpolation::kLinear ? 2 : kMostAxisTaps;
}

/// Finds the neighbours of a block of places once, and samples all channels there.
class GridSampleKernel : public Kernel {
 public:
  GridSampleKernel(const TensorShape& input, const TensorShape& output,
                   const GridSampleDescriptor& descriptor)
      : batches_(input[0]), channels_(input[1]), axes_(descriptor, input) {
    for (std::uint32_t axis = 0; axis < axes_.GetCount(); ++axis) {
      input_plane_ *= input[axis + 2];
      output_plane_ *= output[axis + 2];
      num_neighbours_ *= CountNeighbours(descriptor.interpolation);
    }
    block_ = std::min<std::int64_t>(kMostPlaces, PlaceNeighbours::kMost / num_neighbours_);
  }

  void Run(const KernelRun& run) const override {
    const std::int64_t blocks = DivideUp(output_plane_, block_);
    constexpr std::int64_t kWorthAThread = 16384;
    const std::int64_t grain = 1 + kWorthAThread / (block_ * num_neighbours_ * channels_ + 1);
    ParallelFor(run.threads, batches_ * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t index = begin; index < end; ++index) {
        RunBlock(run, index / blocks, index % blocks * block_);
      }
    });
  }

 private:
  static constexpr std::int64_t kMostPlaces = 256;

  void RunBlock(const KernelRun& run, std::int64_t batch, std::int64_t first) const {
    const std::int64_t count = std::min(block_, output_plane_ - first);
    PlaceNeighbours neighbours(count, num_neighbours_);
    const float* grid = run.Input<float>(1) + (batch * output_plane_ + first) * axes_.GetCount();
    for (std::int64_t place = 0; place < count; ++place) {
      FindNeighbours(grid + place * axes_.GetCount(), place, neighbours);
    }
    const float* input = run.Input<float>(0) + batch * channels_ * input_plane_;
    float* output = run.Output<float>() + batch * channels_ * output_plane_ + first;
    for (std::int64_t channel = 0; channel < channels_; ++channel) {
      GetSimdFunctions().sampling.sample_plane(input + channel * input_plane_, neighbours.Get(),
                                               output + channel * output_plane_);
    }
  }

  void FindNeighbours(const float* grid, std::int64_t place, PlaceNeighbours& neighbours) const {
    std::int64_t count = 0;
    axes_.VisitNeighbours(grid, [&](std::int64_t offset, double weight) {
      neighbours.Set(place, count++, offset, weight);
    });
    while (count < num_neighbours_) neighbours.Set(place, count++, -1, 0.0);
  }

  const std::int64_t batches_;
  const std::int64_t channels_;
  const SampledAxes axes_;
  std::int64_t input_plane_ = 1;
  std::int64_t output_plane_ = 1;
  std::int64_t num_neighbours_ = 1;
  std::int64_t block_ = 1;
};

/// Offsets have 32 bits.
void RequireModestPlanes(const Layer& layer, Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  std::int64_t plane = 1;
  for (std::uint32_t axis = 2; axis < input.rank; ++axis) plane *= input[axis];
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (plane <= kMost) return;
  refusal.Add("a channel of input 0 has ", plane, " elements; more than ", kMost,
              " are not supported");
}

}  // namespace

std::string FindRefusalOfGridSample(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal);
  RequireGridSample(layer, refusal);
  if (refusal.IsEmpty()) RequireModestPlanes(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeGridSample(KernelMaker& maker) {
  maker.WantAllPlain();
  return std::make_unique<GridSampleKernel>(maker.GetInput(0).info.shape,
                                            maker.GetOutput().info.shape,
                                            maker.GetNode().GetDescriptor<GridSampleDescriptor>());
}

}  // namespace cpuacc
}  // namespace backplane
