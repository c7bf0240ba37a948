#include "kernels/quantised_binary.hpp"

#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/byte_arithmetic.hpp"
#include "elements/round.hpp"
#include "kernels/bytes.hpp"

#include <backplane/api/descriptors/elementwise_binary.hpp>

namespace backplane {
namespace reference {
namespace {

/// An operand that repeats comes first.
class SumOfBytes {
 public:
  explicit SumOfBytes(const Layer& layer) : sum_(MakeByteSum(layer)) {}

  float Combine(std::int32_t a, std::int32_t b) const {
    return MultiplyAdd(static_cast<float>(a), sum_.ratio_a,
                       MultiplyAdd(static_cast<float>(b), sum_.ratio_b, sum_.fixed));
  }
  float CombineRepeated(std::int32_t a, std::int32_t b) const {
    return MultiplyAdd(static_cast<float>(b), sum_.ratio_b,
                       MultiplyAdd(static_cast<float>(a), sum_.ratio_a, sum_.fixed));
  }

 private:
  const ByteSum sum_;
};

class ProductOfBytes {
 public:
  explicit ProductOfBytes(const Layer& layer) : product_(MakeByteProduct(layer)) {}

  float Combine(std::int32_t a, std::int32_t b) const {
    const std::int32_t product = (a - product_.zero_point_a) * (b - product_.zero_point_b);
    return static_cast<float>(product) * product_.ratio + product_.zero_point;
  }
  float CombineRepeated(std::int32_t a, std::int32_t b) const { return Combine(a, b); }

 private:
  const ByteProduct product_;
};

/// Along the last axis an operand goes on by one element or repeats.
template <typename Operation, typename Stored>
class QuantisedBinaryKernel : public Kernel {
 public:
  explicit QuantisedBinaryKernel(const Layer& layer)
      : operation_(layer),
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

template <typename Operation>
std::unique_ptr<Kernel> Make(const Layer& layer) {
  if (layer.Output().data_type == DataType::kInt8) {
    return std::make_unique<QuantisedBinaryKernel<Operation, std::int8_t>>(layer);
  }
  return std::make_unique<QuantisedBinaryKernel<Operation, std::uint8_t>>(layer);
}

}  // namespace

std::unique_ptr<Kernel> MakeQuantisedBinary(const Layer& layer) {
  if (!IsPairOfBytes(layer)) return nullptr;
  switch (layer.GetDescriptor<ElementwiseBinaryDescriptor>().operation) {
    case BinaryOperation::kAdd:
      return Make<SumOfBytes>(layer);
    case BinaryOperation::kMul:
      return Make<ProductOfBytes>(layer);
    default:
      return nullptr;
  }
}

}  // namespace reference
}  // namespace backplane
