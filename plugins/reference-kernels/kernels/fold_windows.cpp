#include "cpu_layers/arithmetic.hpp"
#include "cpu_layers/window.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/fold_windows.hpp>

#include <algorithm>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// The image stands where a convolution has its input; windows are counted where that has its
/// output, by CountWindows.
Window MakeFoldedWindow(const TensorShape& image, const FoldWindowsDescriptor& descriptor) {
  std::int64_t kernel[kMaxSpatialRank] = {};
  std::copy_n(descriptor.kernel, kMaxSpatialRank, kernel);
  return MakeWindow(descriptor, kernel, image, image);
}

/// Of a window that has passed RequireSoundWindow.
Window CountWindows(Window window) {
  for (WindowAxis& axis : window) axis.output = CountWholeWindows(axis);
  return window;
}

template <typename Number>
class FoldWindowsKernel : public Kernel {
 public:
  explicit FoldWindowsKernel(const Layer& layer)
      : window_(CountWindows(
            MakeFoldedWindow(layer.Output().shape, layer.GetDescriptor<FoldWindowsDescriptor>()))),
        num_channels_(layer.Output().shape[0] * layer.Output().shape[1]) {
    for (std::uint32_t i = 0; i < kMaxSpatialRank; ++i) covered_[i] = GetCoveredOutputs(window_[i]);
  }

  void Run(const RunTensors& tensors) const override {
    const auto& [depth, height, width] = window_;
    const std::int64_t image = depth.input * height.input * width.input;
    const std::int64_t num_windows = depth.output * height.output * width.output;
    const Number* elements = tensors.Input<Number>(0);
    Number* output = tensors.Output<Number>();
    std::fill_n(output, num_channels_ * image, Number{});
    for (std::int64_t channel = 0; channel < num_channels_; ++channel) {
      for (std::int64_t d = 0; d < depth.kernel; ++d) {
        for (std::int64_t h = 0; h < height.kernel; ++h) {
          for (std::int64_t w = 0; w < width.kernel; ++w) {
            AddElement({d, h, w}, elements, output + channel * image);
            elements += num_windows;
          }
        }
      }
    }
  }

 private:
  using Position = std::array<std::int64_t, kMaxSpatialRank>;

  /// Adds the element at position `k` of each window to one channel of the image.
  void AddElement(const Position& k, const Number* elements, Number* image) const {
    const auto& [depth, height, width] = window_;
    const auto covered = [&](std::size_t axis) {
      return covered_[axis][static_cast<std::size_t>(k[axis])];
    };
    for (std::int64_t d = covered(0).begin; d < covered(0).end; ++d) {
      for (std::int64_t h = covered(1).begin; h < covered(1).end; ++h) {
        const Number* row = elements + (d * height.output + h) * width.output;
        Number* target =
            image + (depth.GetInputIndex(d, k[0]) * height.input + height.GetInputIndex(h, k[1])) *
                        width.input;
        for (std::int64_t w = covered(2).begin; w < covered(2).end; ++w) {
          Number& sum = target[width.GetInputIndex(w, k[2])];
          sum = Add(sum, row[w]);
        }
      }
    }
  }

  const Window window_;
  const std::int64_t num_channels_;  // of all images
  std::vector<OutputRange> covered_[kMaxSpatialRank];
};

/// Of the axes of a window that has passed RequireSoundWindow; -1 when 63 bits do not hold it.
template <typename GetFactor>
std::int64_t MultiplyAlong(const Window& window, const GetFactor& get_factor) {
  std::int64_t product = 1;
  for (const WindowAxis& axis : window) {
    if (__builtin_mul_overflow(product, get_factor(axis), &product)) return -1;
  }
  return product;
}

void RequireWholeWindows(const TensorShape& input, const Window& window, Refusal& refusal) {
  const std::int64_t elements =
      MultiplyAlong(window, [](const WindowAxis& axis) { return axis.kernel; });
  const std::int64_t count =
      MultiplyAlong(window, [](const WindowAxis& axis) { return axis.output; });
  if (elements < 0 || input[1] % elements != 0) {
    refusal.Add("input 0 has shape ", DescribeShape(input),
                ", but extent 1 must be a multiple of the elements of a window");
  }
  if (count < 0 || input[2] != count) {
    refusal.Add("input 0 has shape ", DescribeShape(input),
                ", but extent 2 must be the number of whole windows");
  }
}

}  // namespace

std::string FindRefusalOfFoldWindows(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  const auto descriptor = layer.GetDescriptor<FoldWindowsDescriptor>();
  const TensorShape& input = layer.Input(0).shape;
  if (input.rank != 3) refusal.Add("input 0 has rank ", input.rank, ", but must have rank 3");
  RequireSpatialRank(descriptor.spatial_rank, layer.Output(), "the output", refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  const Window window = MakeFoldedWindow(layer.Output().shape, descriptor);
  RequireSoundWindow(window, descriptor.spatial_rank, refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  RequireWholeWindows(input, CountWindows(window), refusal);
  if (!refusal.IsEmpty()) return refusal.GetReason();
  std::int64_t num_channels = input[1];
  for (const WindowAxis& axis : window) num_channels /= axis.kernel;
  TensorShape expected = {input[0], num_channels};
  for (std::uint32_t i = 0; i < descriptor.spatial_rank; ++i) {
    expected.Append(descriptor.extents[i]);
  }
  RequireOutputShape(layer, expected, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeFoldWindows(const Layer& layer) {
  return MakeRingKernel<FoldWindowsKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
