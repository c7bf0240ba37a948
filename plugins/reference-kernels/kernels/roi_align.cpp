#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/compute_type.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/roi_align.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace backplane {
namespace reference {
namespace {

/// A region along one axis, and the samples in its parts.
class RegionAxis {
 public:
  RegionAxis(const RoiAlignDescriptor& descriptor, double begin, double end, std::int64_t parts) {
    const auto scale = static_cast<double>(descriptor.spatial_scale);
    const bool is_half_pixel = descriptor.coordinates == RoiCoordinates::kHalfPixel;
    const double offset = is_half_pixel ? 0.5 : 0;
    begin_ = begin * scale - offset;
    double length = end * scale - offset - begin_;
    if (!is_half_pixel) length = std::max(length, 1.0);
    part_ = length / static_cast<double>(parts);
    if (!std::isfinite(begin_) || !std::isfinite(part_)) return;
    num_samples_ = descriptor.sampling_ratio > 0 ? descriptor.sampling_ratio : CountElements(part_);
  }

  /// In each part.
  std::int64_t GetNumSamples() const { return num_samples_; }

  double GetPlace(std::int64_t part, std::int64_t sample) const {
    const double ratio = (static_cast<double>(sample) + 0.5) / static_cast<double>(num_samples_);
    return begin_ + (static_cast<double>(part) + ratio) * part_;
  }

 private:
  static std::int64_t CountElements(double length) {
    if (length <= 0) return 0;
    return static_cast<std::int64_t>(
        std::min(std::ceil(length), static_cast<double>(kMaxRoiSamples)));
  }

  double begin_ = 0;
  double part_ = 0;
  std::int64_t num_samples_ = 0;
};

/// The two neighbours of a place along one axis.
struct Neighbours {
  std::int64_t low = 0;
  std::int64_t high = 0;
  double ratio = 0;
  bool is_inside = false;
};

Neighbours FindNeighbours(double place, std::int64_t extent) {
  Neighbours neighbours;
  const auto last = static_cast<double>(extent - 1);
  if (!(place >= -1 && place <= last + 1)) return neighbours;
  neighbours.is_inside = true;
  const double bounded = std::min(std::max(place, 0.0), last);
  neighbours.low = static_cast<std::int64_t>(bounded);
  neighbours.high = std::min(neighbours.low + 1, extent - 1);
  neighbours.ratio = bounded - static_cast<double>(neighbours.low);
  return neighbours;
}

/// An element of a channel: begins with nothing, takes samples, and ends.
template <typename Number>
struct TakeAverage {
  static constexpr Number kStart = 0;
  static Number Take(Number so_far, Number sample) { return so_far + sample; }
  static Number Finish(Number so_far, Number count) { return so_far / count; }
};

template <typename Number>
struct TakeGreatestSample {
  static constexpr Number kStart = -std::numeric_limits<Number>::infinity();
  static Number Take(Number so_far, Number sample) {
    return sample > so_far || sample != sample ? sample : so_far;
  }
  static Number Finish(Number so_far, Number /*count*/) { return so_far; }
};

template <typename Number>
class RoiAlignKernel : public Kernel {
 public:
  explicit RoiAlignKernel(const Layer& layer)
      : descriptor_(layer.GetDescriptor<RoiAlignDescriptor>()),
        batches_(layer.Input(0).shape[0]),
        channels_(layer.Input(0).shape[1]),
        height_(layer.Input(0).shape[2]),
        width_(layer.Input(0).shape[3]),
        regions_(layer.Input(1).shape[0]),
        has_double_regions_(layer.Input(1).data_type == DataType::kFloat64) {}

  void Run(const RunTensors& tensors) const override {
    if (has_double_regions_) {
      RunRegions(tensors, tensors.Input<double>(1));
    } else {
      RunRegions(tensors, tensors.Input<float>(1));
    }
  }

 private:
  std::int64_t GetOutputPlane() const {
    return std::int64_t{descriptor_.output_height} * descriptor_.output_width;
  }

  template <typename Corner>
  void RunRegions(const RunTensors& tensors, const Corner* corners) const {
    const auto* input = tensors.Input<Number>(0);
    const auto* batch = tensors.Input<std::int64_t>(2);
    auto* output = tensors.Output<Number>();
    for (std::int64_t region = 0; region < regions_; ++region) {
      if (batch[region] < 0 || batch[region] >= batches_) {
        std::fill_n(output, channels_ * GetOutputPlane(), Number{});
      } else {
        const RegionAxis x(descriptor_, static_cast<double>(corners[0]),
                           static_cast<double>(corners[2]), descriptor_.output_width);
        const RegionAxis y(descriptor_, static_cast<double>(corners[1]),
                           static_cast<double>(corners[3]), descriptor_.output_height);
        PoolRegion(x, y, input + batch[region] * channels_ * height_ * width_, output);
      }
      corners += 4;
      output += channels_ * GetOutputPlane();
    }
  }

  void PoolRegion(const RegionAxis& x, const RegionAxis& y, const Number* image,
                  Number* output) const {
    for (std::int64_t row = 0; row < descriptor_.output_height; ++row) {
      for (std::int64_t column = 0; column < descriptor_.output_width; ++column) {
        if (descriptor_.method == PoolingMethod::kMax) {
          PoolPart<TakeGreatestSample<Number>>(x, column, y, row, image, output++);
        } else {
          PoolPart<TakeAverage<Number>>(x, column, y, row, image, output++);
        }
      }
    }
  }

  /// Makes one element in each channel, which lie an output plane apart.
  template <typename Pooling>
  void PoolPart(const RegionAxis& x, std::int64_t column, const RegionAxis& y, std::int64_t row,
                const Number* image, Number* output) const {
    const Number count =
        static_cast<Number>(x.GetNumSamples()) * static_cast<Number>(y.GetNumSamples());
    const std::int64_t plane = GetOutputPlane();
    for (std::int64_t c = 0; c < channels_; ++c)
      output[c * plane] = count > 0 ? Pooling::kStart : 0;
    if (count == 0) return;
    for (std::int64_t i = 0; i < y.GetNumSamples(); ++i) {
      const Neighbours down = FindNeighbours(y.GetPlace(row, i), height_);
      for (std::int64_t j = 0; j < x.GetNumSamples(); ++j) {
        const Neighbours across = FindNeighbours(x.GetPlace(column, j), width_);
        TakeSample<Pooling>(across, down, image, output);
      }
    }
    for (std::int64_t c = 0; c < channels_; ++c) {
      output[c * plane] = Pooling::Finish(output[c * plane], count);
    }
  }

  template <typename Pooling>
  void TakeSample(const Neighbours& across, const Neighbours& down, const Number* image,
                  Number* output) const {
    const bool is_inside = across.is_inside && down.is_inside;
    const std::int64_t low_row = down.low * width_;
    const std::int64_t high_row = down.high * width_;
    const auto weight = [](double value) { return static_cast<Number>(value); };
    const Number low_low = weight((1 - down.ratio) * (1 - across.ratio));
    const Number low_high = weight((1 - down.ratio) * across.ratio);
    const Number high_low = weight(down.ratio * (1 - across.ratio));
    const Number high_high = weight(down.ratio * across.ratio);
    for (std::int64_t c = 0; c < channels_; ++c) {
      const Number* plane = image + c * height_ * width_;
      const Number sample = is_inside ? low_low * plane[low_row + across.low] +
                                            low_high * plane[low_row + across.high] +
                                            high_low * plane[high_row + across.low] +
                                            high_high * plane[high_row + across.high]
                                      : Number{};
      Number& element = output[c * GetOutputPlane()];
      element = Pooling::Take(element, sample);
    }
  }

  const RoiAlignDescriptor descriptor_;
  const std::int64_t batches_;
  const std::int64_t channels_;
  const std::int64_t height_;
  const std::int64_t width_;
  const std::int64_t regions_;
  const bool has_double_regions_;
};

void CheckShapes(const Layer& layer, const RoiAlignDescriptor& descriptor, Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  const TensorShape& regions = layer.Input(1).shape;
  const TensorShape& batches = layer.Input(2).shape;
  if (input.rank != 4 || input[2] == 0 || input[3] == 0) {
    refusal.Add("input 0 has shape ", DescribeShape(input),
                ", but must have rank 4 and a height and width of 1 or more");
  }
  if (regions.rank != 2 || regions[1] != 4) {
    refusal.Add("input 1 (regions) has shape ", DescribeShape(regions), ", but must be [R, 4]");
  }
  if (!refusal.IsEmpty()) return;
  if (batches != TensorShape{regions[0]}) {
    refusal.Add("input 2 (batch indices) has shape ", DescribeShape(batches), ", but must be ",
                DescribeShape({regions[0]}));
  }
  RequireOutputShape(
      layer, {regions[0], input[1], descriptor.output_height, descriptor.output_width}, refusal);
  const QuantizationInfo& quantization = layer.Input(0).quantization;
  if (quantization.IsPerAxis() && quantization.axis != 1) {
    refusal.Add("input 0 is quantised along axis ", quantization.axis,
                ", but must be along axis 1");
  }
}

}  // namespace

std::string FindRefusalOfRoiAlign(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<RoiAlignDescriptor>();
  RequireFloats(layer, refusal, {{TensorRole::kValue, TensorRole::kOwn, TensorRole::kIndex}, {}});
  RequirePlainFloat(layer.Input(1), "input 1 (regions)", refusal);
  RequireEnumerator("pooling method", descriptor.method, PoolingMethod::kAverage,
                    "Max (1) and Average (2)", refusal);
  RequireEnumerator("region coordinates", descriptor.coordinates, RoiCoordinates::kOutputHalfPixel,
                    "HalfPixel (1) and OutputHalfPixel (2)", refusal);
  if (!std::isfinite(descriptor.spatial_scale)) refusal.Add("spatial_scale is not finite");
  CheckShapes(layer, descriptor, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeRoiAlign(const Layer& layer) {
  return MakeFloatKernel<RoiAlignKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
