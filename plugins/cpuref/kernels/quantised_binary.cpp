#include "kernels/quantised_binary.hpp"

#include "cpu_layers/broadcast.hpp"
#include "elements/round.hpp"
#include "kernels/byte_lines.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

namespace backplane {
namespace cpuref {
namespace {

/// a * b + c rounded once, for a factor `a` of a few bits: double has the product without loss.
float MultiplyAdd(float a, float b, float c) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b) +
                            static_cast<double>(c));
}

struct Quantisation {
  explicit Quantisation(const TensorInfo& info)
      : scale(info.quantization.scales[0]),
        zero_point(info.quantization.zero_points.empty() ? 0 : info.quantization.zero_points[0]) {}

  float scale;
  std::int32_t zero_point;
};

/// What both kernels know of the operands and the result.
struct Quantisations {
  explicit Quantisations(const Layer& layer)
      : a(layer.Input(0)), b(layer.Input(1)), result(layer.Output()) {}

  Quantisation a;
  Quantisation b;
  Quantisation result;
};

/// All zero points are added once, in `fixed_`. An operand that repeats comes first.
class SumOfBytes {
 public:
  explicit SumOfBytes(const Quantisations& of)
      : ratio_a_(of.a.scale / of.result.scale),
        ratio_b_(of.b.scale / of.result.scale),
        fixed_(static_cast<float>(of.result.zero_point) -
               MultiplyAdd(static_cast<float>(of.a.zero_point), ratio_a_,
                           ratio_b_ * static_cast<float>(of.b.zero_point))) {}

  float Combine(std::int32_t a, std::int32_t b) const {
    return MultiplyAdd(static_cast<float>(a), ratio_a_,
                       MultiplyAdd(static_cast<float>(b), ratio_b_, fixed_));
  }
  float CombineRepeated(std::int32_t a, std::int32_t b) const {
    return MultiplyAdd(static_cast<float>(b), ratio_b_,
                       MultiplyAdd(static_cast<float>(a), ratio_a_, fixed_));
  }

 private:
  const float ratio_a_;
  const float ratio_b_;
  const float fixed_;
};

class ProductOfBytes {
 public:
  explicit ProductOfBytes(const Quantisations& of)
      : zero_point_a_(of.a.zero_point),
        zero_point_b_(of.b.zero_point),
        ratio_(of.a.scale * of.b.scale / of.result.scale),
        zero_point_(static_cast<float>(of.result.zero_point)) {}

  float Combine(std::int32_t a, std::int32_t b) const {
    const std::int32_t product = (a - zero_point_a_) * (b - zero_point_b_);
    return static_cast<float>(product) * ratio_ + zero_point_;
  }
  float CombineRepeated(std::int32_t a, std::int32_t b) const { return Combine(a, b); }

 private:
  const std::int32_t zero_point_a_;
  const std::int32_t zero_point_b_;
  const float ratio_;
  const float zero_point_;
};

/// Along the last axis an operand goes on by one element or repeats.
template <typename Operation, typename Stored>
class QuantisedBinaryKernel : public Kernel {
 public:
  explicit QuantisedBinaryKernel(const Layer& layer)
      : operation_(Quantisations(layer)),
        broadcast_(MakeBroadcast(layer.Input(0).shape, layer.Input(1).shape, layer.Output().shape)),
        is_a_signed_(layer.Input(0).data_type == DataType::kInt8),
        is_b_signed_(layer.Input(1).data_type == DataType::kInt8) {}

  void Run(const RunTensors& tensors) const override {
    const Bytes a{tensors.Input<void>(0), is_a_signed_};
    const Bytes b{tensors.Input<void>(1), is_b_signed_};
    a.VisitElements([&](const auto* of_a) {
      b.VisitElements([&](const auto* of_b) { Combine(of_a, of_b, tensors.Output<Stored>()); });
    });
  }

 private:
  template <typename A, typename B>
  void Combine(const A* a, const B* b, Stored* output) const {
    const std::uint32_t last = broadcast_.rank - 1;
    const std::int64_t length = broadcast_.extents[last];
    VisitLeadingAxes(broadcast_, last, [&](std::int64_t offset_a, std::int64_t offset_b) {
      CombineRow(length, a + offset_a, b + offset_b, output);
      output += length;
    });
  }

  template <typename A, typename B>
  void CombineRow(std::int64_t length, const A* a, const B* b, Stored* output) const {
    const std::uint32_t last = broadcast_.rank - 1;
    if (broadcast_.steps[0][last] == 0 || length == 1) {
      const std::int32_t repeated = *a;
      for (std::int64_t i = 0; i < length; ++i) {
        output[i] = Store(operation_.CombineRepeated(repeated, b[i]));
      }
    } else if (broadcast_.steps[1][last] == 0) {
      const std::int32_t repeated = *b;
      for (std::int64_t i = 0; i < length; ++i) {
        output[i] = Store(operation_.Combine(a[i], repeated));
      }
    } else {
      for (std::int64_t i = 0; i < length; ++i) output[i] = Store(operation_.Combine(a[i], b[i]));
    }
  }

  /// The zero point is in the number already.
  static Stored Store(float number) {
    const StoredRange<Stored, float> range(0);
    return static_cast<Stored>(static_cast<std::int32_t>(RoundSmall(range.Clamp(number))));
  }

  const Operation operation_;
  const Broadcast broadcast_;
  const bool is_a_signed_;
  const bool is_b_signed_;
};

bool HasOneScale(const TensorInfo& info) {
  const QuantizationInfo& quantization = info.quantization;
  if (!IsByte(info.data_type) || quantization.scales.size() != 1) return false;
  if (quantization.zero_points.empty()) return true;
  return info.data_type == DataType::kInt8 ? IsInRange<std::int8_t>(quantization.zero_points[0])
                                           : IsInRange<std::uint8_t>(quantization.zero_points[0]);
}

template <typename Operation>
std::unique_ptr<Kernel> Make(const Layer& layer) {
  if (layer.Output().data_type == DataType::kInt8) {
    return std::make_unique<QuantisedBinaryKernel<Operation, std::int8_t>>(layer);
  }
  return std::make_unique<QuantisedBinaryKernel<Operation, std::uint8_t>>(layer);
}

}  // namespace

std::unique_ptr<Kernel> MakeQuantisedBinary(const Layer& layer) {
  if (!HasOneScale(layer.Input(0)) || !HasOneScale(layer.Input(1)) ||
      !HasOneScale(layer.Output())) {
    return nullptr;
  }
  switch (layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation) {
    case BinaryOperation::kAdd:
      return Make<SumOfBytes>(layer);
    case BinaryOperation::kMul:
      return Make<ProductOfBytes>(layer);
    default:
      return nullptr;
  }
}

}  // namespace cpuref
}  // namespace backplane
