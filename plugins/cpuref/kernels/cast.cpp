#include "cpu_layers/refusal.hpp"
#include "elements/visit_element.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/cast.hpp>

namespace backplane {
namespace cpuref {
namespace {

/// The output may be the input itself when both have one type.
template <typename From, typename To>
class CastKernel : public Kernel {
 public:
  explicit CastKernel(const Layer& layer) : num_elements_(layer.Input(0).shape.GetNumElements()) {}

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<From>(0);
    auto* output = tensors.Output<To>();
    for (std::int64_t i = 0; i < num_elements_; ++i) output[i] = ConvertElement<To>(input[i]);
  }

 private:
  const std::int64_t num_elements_;
};

void CheckType(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  if (GetDataTypeSizeBytes(info.data_type) == 0) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " (",
                static_cast<std::uint32_t>(info.data_type), ") of ", tensor,
                " is not supported, only those of the Backend API");
  }
  if (info.quantization.IsQuantized()) {
    refusal.Add(tensor, " is quantised; use Dequantize, Quantize or Reinterpret");
  }
}

}  // namespace

std::string FindRefusalOfCast(const Layer& layer) {
  Refusal refusal;
  CheckType(layer.Input(0), "input 0", refusal);
  CheckType(layer.Output(), "the output", refusal);
  RequireOutputType(layer, layer.GetDescriptor<CastDescriptor>().to, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeCast(const Layer& layer) {
  return VisitElement(layer.Input(0).data_type, [&](auto from) {
    return VisitElement(layer.Output().data_type, [&](auto to) -> std::unique_ptr<Kernel> {
      return std::make_unique<CastKernel<decltype(from), decltype(to)>>(layer);
    });
  });
}

}  // namespace cpuref
}  // namespace backplane
