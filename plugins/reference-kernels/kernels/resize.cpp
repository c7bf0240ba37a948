#include "cpu_layers/resize_axis.hpp"
#include "cpu_layers/resize_refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "elements/round_to_integer.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"
#include "kernels/resize_interpolate.hpp"
#include "kernels/resize_nearest.hpp"

namespace backplane {
namespace reference {
namespace {

/// Moves elements of a size, whatever they mean.
template <typename Element>
class MovingKernel : public Kernel {
 public:
  explicit MovingKernel(const Layer& layer)
      : resize_(MakeResizeAxes(layer.GetDescriptor<ResizeDescriptor>(), layer.Input(0).shape),
                Element{}) {}

  void Run(const RunTensors& tensors) const override {
    resize_.Run(tensors.Input<Element>(0), tensors.Output<Element>());
  }

 private:
  const NearestResize<Element> resize_;
};

/// Moves numbers, and fills what lies outside.
template <typename Number>
class CropKernel : public Kernel {
 public:
  explicit CropKernel(const Layer& layer)
      : resize_(MakeResizeAxes(layer.GetDescriptor<ResizeDescriptor>(), layer.Input(0).shape),
                RoundToType<Number>(layer.Output().data_type)(static_cast<double>(
                    layer.GetDescriptor<ResizeDescriptor>().extrapolation_value))) {}

  void Run(const RunTensors& tensors) const override {
    resize_.Run(tensors.Input<Number>(0), tensors.Output<Number>());
  }

 private:
  const NearestResize<Number> resize_;
};

std::unique_ptr<Kernel> MakeMovingKernel(const Layer& layer) {
  switch (GetDataTypeSizeBytes(layer.Input(0).data_type)) {
    case 1:
      return std::make_unique<MovingKernel<std::uint8_t>>(layer);
    case 2:
      return std::make_unique<MovingKernel<std::uint16_t>>(layer);
    case 4:
      return std::make_unique<MovingKernel<std::uint32_t>>(layer);
    default:
      return std::make_unique<MovingKernel<std::uint64_t>>(layer);
  }
}

void CheckTypes(const Layer& layer, const ResizeDescriptor& descriptor, Refusal& refusal) {
  if (descriptor.interpolation == Interpolation::kCubic) {
    RequireFloats(layer, refusal);
  } else if (descriptor.interpolation == Interpolation::kNearest && !IsCrop(descriptor)) {
    RequireOneRepresentation(layer, refusal);
  } else {
    RequireNumbers(layer, refusal);
  }
  const DataType type = layer.Input(0).data_type;
  if (descriptor.interpolation == Interpolation::kLinear &&
      (type == DataType::kInt64 || type == DataType::kUInt64)) {
    refusal.Add("linear interpolation of ", GetDataTypeName(type),
                " is not supported, only of integers of up to 32 bits");
  }
}

}  // namespace

std::string FindRefusalOfResize(const Layer& layer) {
  Refusal refusal;
  CheckTypes(layer, layer.GetDescriptor<ResizeDescriptor>(), refusal);
  RequireResize(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeResize(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<ResizeDescriptor>();
  // Never run; tables of its axes could be of any size.
  if (layer.Output().shape.GetNumElements() == 0) {
    return std::make_unique<ByteCopyKernel>(layer.Output());
  }
  if (descriptor.interpolation != Interpolation::kNearest) {
    return MakeNumberKernel<InterpolatingResizeKernel>(layer);
  }
  return IsCrop(descriptor) ? MakeNumberKernel<CropKernel>(layer) : MakeMovingKernel(layer);
}

}  // namespace reference
}  // namespace backplane
