#include "cpu_layers/resize_refusal.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/resize_samples.hpp"
#include "moves/copy.hpp"

namespace backplane {
namespace cpuacc {
namespace {

void CheckTypes(const Layer& layer, const ResizeDescriptor& resize, Refusal& refusal) {
  if (IsCrop(resize)) {
    refusal.Add("resize coordinates TfCropAndResize (6) are not supported, only 1 to 5 and 7");
  } else if (resize.interpolation == Interpolation::kNearest) {
    RequireOneRepresentation(layer, refusal);
  } else {
    RequireFloat32(layer, refusal);
  }
}

void CheckCubicAxes(const Layer& layer, const ResizeDescriptor& resize, Refusal& refusal) {
  std::uint32_t count = 0;
  for (std::uint32_t axis = 0; axis < resize.rank; ++axis) {
    if (!IsLeftAlone(resize, layer.Input(0).shape, axis)) ++count;
  }
  if (resize.interpolation != Interpolation::kCubic || count <= kMostCubicAxes) return;
  refusal.Add("cubic interpolation along ", count, " axes is not supported, only along up to ",
              kMostCubicAxes);
}

/// Batch and channels are not resized, so that a block of channels goes one way.
bool KeepsBlocks(const ResizeDescriptor& resize, const TensorShape& input) {
  return IsLeftAlone(resize, input, 0) && IsLeftAlone(resize, input, 1);
}

}  // namespace

std::string FindRefusalOfResize(const Layer& layer) {
  Refusal refusal;
  const auto resize = layer.GetDescriptor<ResizeDescriptor>();
  CheckTypes(layer, resize, refusal);
  RequireResize(layer, refusal);
  if (refusal.IsEmpty()) CheckCubicAxes(layer, resize, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeResize(KernelMaker& maker) {
  const auto resize = maker.GetNode().GetDescriptor<ResizeDescriptor>();
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  // Tables of its axes could be of any size.
  if (output.shape.GetNumElements() == 0) return MakeCopy(0);
  auto from = FindLayoutAxes(input, maker.GetLayout(0));
  auto layout = MakeLayoutLike(input, maker.GetLayout(0), output);
  if (!from || !layout || (from->block != 1 && !KeepsBlocks(resize, input.shape))) {
    maker.WantPlain(0);
    from = FindLayoutAxes(input, Layout());
    layout = Layout();
  }
  maker.SetOutput(0, *layout);
  const LayoutAxes to = *FindLayoutAxes(output, *layout);
  const ResizeSamples samples(MakeResizeAxes(resize, input.shape), *from, to);
  return resize.interpolation == Interpolation::kNearest
             ? MakeNearestSamples(samples, GetDataTypeSizeBytes(output.data_type))
             : MakeBlendedSamples(samples);
}

}  // namespace cpuacc
}  // namespace backplane
