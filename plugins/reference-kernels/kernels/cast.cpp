#include "cpu_layers/narrowing_refusal.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/narrow_element.hpp"
#include "elements/visit_element.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/narrow_types.hpp>

#include <array>

namespace backplane {
namespace reference {
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

/// A byte may be anything: what each stands for is known when the kernel is made.
template <typename To>
class FromNarrowKernel : public Kernel {
 public:
  template <typename Convert>
  FromNarrowKernel(const Layer& layer, const Convert& convert)
      : num_elements_(layer.Input(0).shape.GetNumElements()) {
    const DataType from = layer.Input(0).data_type;
    for (std::size_t byte = 0; byte < table_.size(); ++byte) {
      table_[byte] = VisitNarrowElement(from, static_cast<std::uint8_t>(byte), convert);
    }
  }

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<std::uint8_t>(0);
    auto* output = tensors.Output<To>();
    for (std::int64_t i = 0; i < num_elements_; ++i) output[i] = table_[input[i]];
  }

 private:
  const std::int64_t num_elements_;
  std::array<To, 256> table_;
};

template <typename From>
class ToNarrowKernel : public Kernel {
 public:
  explicit ToNarrowKernel(const Layer& layer)
      : num_elements_(layer.Input(0).shape.GetNumElements()),
        cast_(layer.GetDescriptor<CastDescriptor>()) {}

  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<From>(0);
    auto* output = tensors.Output<std::uint8_t>();
    for (std::int64_t i = 0; i < num_elements_; ++i) output[i] = ToNarrowElement(cast_, input[i]);
  }

 private:
  const std::int64_t num_elements_;
  const CastDescriptor cast_;
};

std::unique_ptr<Kernel> MakeFromNarrow(const Layer& layer) {
  const DataType to = layer.Output().data_type;
  if (IsNarrowType(to)) {
    return std::make_unique<FromNarrowKernel<std::uint8_t>>(layer, [&](auto number) {
      return ToNarrowElement(layer.GetDescriptor<CastDescriptor>(), number);
    });
  }
  return VisitElement(to, [&](auto element) -> std::unique_ptr<Kernel> {
    using To = decltype(element);
    return std::make_unique<FromNarrowKernel<To>>(
        layer, [](auto number) { return ConvertElement<To>(number); });
  });
}

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
  RequireKnownNarrowing(layer.GetDescriptor<CastDescriptor>(), refusal);
  RequireOutputType(layer, layer.GetDescriptor<CastDescriptor>().to, refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeCast(const Layer& layer) {
  if (IsNarrowType(layer.Input(0).data_type)) return MakeFromNarrow(layer);
  if (IsNarrowType(layer.Output().data_type)) {
    return VisitElement(layer.Input(0).data_type, [&](auto from) -> std::unique_ptr<Kernel> {
      return std::make_unique<ToNarrowKernel<decltype(from)>>(layer);
    });
  }
  return VisitElement(layer.Input(0).data_type, [&](auto from) {
    return VisitElement(layer.Output().data_type, [&](auto to) -> std::unique_ptr<Kernel> {
      return std::make_unique<CastKernel<decltype(from), decltype(to)>>(layer);
    });
  });
}

}  // namespace reference
}  // namespace backplane
