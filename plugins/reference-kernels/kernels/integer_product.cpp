#include "kernels/integer_product.hpp"

#include "cpu_layers/broadcast.hpp"
#include "cpu_layers/requantisation.hpp"
#include "cpu_layers/scales.hpp"
#include "elements/round.hpp"
#include "kernels/bytes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace backplane {
namespace reference {
namespace {

/// Modulo 2^32.
std::int32_t KeepLow32Bits(double sum) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
}

/// An operand, and how its zero points, of the same type, are repeated over it.
class ByteOperand {
 public:
  ByteOperand(const TensorInfo& info, TensorShape zero_points, std::uint32_t axis)
      : num_elements_(info.shape.GetNumElements()), is_signed_(info.data_type == DataType::kInt8) {
    const std::int64_t count = zero_points.GetNumElements();
    if (count == 1) zero_points = {};
    if (zero_points.rank == 1 && info.shape.rank > 1) {
      zero_points = info.shape;
      std::fill_n(zero_points.dims, zero_points.rank, 1);
      zero_points[axis] = count;
    }
    broadcast_ = MakeBroadcast(info.shape, zero_points, info.shape);
  }

  std::int64_t GetNumElements() const { return num_elements_; }

  void ToDoubles(const void* elements, const void* zero_points, double* doubles) const {
    Bytes{elements, is_signed_}.VisitElements([&](const auto* bytes) {
      Subtract(bytes, static_cast<decltype(bytes)>(zero_points), doubles);
    });
  }

 private:
  template <typename Byte>
  void Subtract(const Byte* bytes, const Byte* zero_points, double* doubles) const {
    if (num_elements_ == 0) return;
    const std::uint32_t last = broadcast_.rank - 1;
    const std::int64_t step = broadcast_.steps[1][last];
    VisitLeadingAxes(broadcast_, last, [&](std::int64_t begin, std::int64_t zero_point) {
      for (std::int64_t i = 0; i < broadcast_.extents[last]; ++i) {
        *doubles++ = bytes[begin + i] - zero_points[zero_point + i * step];
      }
    });
  }

  std::int64_t num_elements_;
  bool is_signed_;
  Broadcast broadcast_;
};

/// In scratch memory, behind that of the product: the operands, a bias and the sums, as double.
class ByteProductKernel : public Kernel {
 public:
  std::uint64_t GetScratchBytes() const override { return scratch_bytes_; }

  void Run(const RunTensors& tensors) const override {
    const RunTensors doubles = tensors.InScratch(offsets_.data());
    for (std::uint32_t input = 0; input < 2; ++input) {
      operands_[input].ToDoubles(tensors.Input<void>(input), GetZeroPoints(tensors, input),
                                 static_cast<double*>(doubles.GetInScratch(input)));
    }
    if (bias_elements_ > 0) {
      std::copy_n(tensors.Input<std::int32_t>(2), bias_elements_,
                  static_cast<double*>(doubles.GetInScratch(2)));
    }
    product_->Run(doubles);
    Store(doubles.Output<double>(), tensors);
  }

 protected:
  ByteProductKernel(const Layer& layer, const ByteOperand& a, const ByteOperand& b,
                    std::int64_t bias_elements, std::unique_ptr<Kernel> product)
      : operands_{a, b},
        bias_elements_(bias_elements),
        product_(std::move(product)),
        offsets_(layer.num_inputs, kNotInScratch),
        scratch_bytes_((product_->GetScratchBytes() + 63) / 64 * 64) {
    offsets_[0] = Reserve(a.GetNumElements());
    offsets_[1] = Reserve(b.GetNumElements());
    if (bias_elements > 0) offsets_[2] = Reserve(bias_elements);
    offsets_.push_back(Reserve(layer.Output().shape.GetNumElements()));
  }

 private:
  virtual const void* GetZeroPoints(const RunTensors& tensors, std::uint32_t input) const = 0;
  virtual void Store(const double* sums, const RunTensors& tensors) const = 0;

  std::uint64_t Reserve(std::int64_t elements) {
    const std::uint64_t offset = scratch_bytes_;
    scratch_bytes_ += static_cast<std::uint64_t>(elements) * sizeof(double);
    return offset;
  }

  const ByteOperand operands_[2];
  const std::int64_t bias_elements_;
  const std::unique_ptr<Kernel> product_;
  std::vector<std::uint64_t> offsets_;  // in scratch memory: of the inputs, then of the output
  std::uint64_t scratch_bytes_;
};

class IntegerProductKernel : public ByteProductKernel {
 public:
  IntegerProductKernel(const Layer& layer, std::uint32_t axis_a, std::uint32_t axis_b,
                       std::unique_ptr<Kernel> product)
      : ByteProductKernel(layer, MakeOperand(layer, 0, axis_a), MakeOperand(layer, 1, axis_b), 0,
                          std::move(product)),
        num_inputs_(layer.num_inputs),
        num_elements_(layer.Output().shape.GetNumElements()) {}

 private:
  static ByteOperand MakeOperand(const Layer& layer, std::uint32_t input, std::uint32_t axis) {
    const bool is_missing = input + 2 >= layer.num_inputs;
    return {layer.Input(input), is_missing ? TensorShape() : layer.Input(input + 2).shape, axis};
  }

  const void* GetZeroPoints(const RunTensors& tensors, std::uint32_t input) const override {
    static constexpr std::uint8_t kZero = 0;
    return input + 2 < num_inputs_ ? tensors.Input<void>(input + 2) : &kZero;
  }

  void Store(const double* sums, const RunTensors& tensors) const override {
    std::transform(sums, sums + num_elements_, tensors.Output<std::int32_t>(), KeepLow32Bits);
  }

  const std::uint32_t num_inputs_;
  const std::int64_t num_elements_;
};

/// Zero points as bytes; each is a value of the type of its tensor.
std::vector<std::uint8_t> GetZeroPointBytes(const TensorInfo& info) {
  const SharedVector<std::int32_t>& zero_points = info.quantization.zero_points;
  std::vector<std::uint8_t> bytes(info.quantization.scales.size());
  for (std::size_t i = 0; i < zero_points.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(zero_points[i]);
  }
  return bytes;
}

template <typename Stored>
class QuantisedProductKernel : public ByteProductKernel {
 public:
  QuantisedProductKernel(const Layer& layer, std::uint32_t axis_b, const AxisSpan& channels,
                         std::unique_ptr<Kernel> product)
      : ByteProductKernel(layer, MakeOperand(layer.Input(0), 0),
                          MakeOperand(layer.Input(1), axis_b),
                          layer.num_inputs == 3 ? channels.extent : 0, std::move(product)),
        zero_points_{GetZeroPointBytes(layer.Input(0)), GetZeroPointBytes(layer.Input(1))},
        channels_(channels),
        requantisation_(MakeRequantisation(layer, channels.extent)) {}

 private:
  static ByteOperand MakeOperand(const TensorInfo& info, std::uint32_t axis) {
    return {info, {static_cast<std::int64_t>(info.quantization.scales.size())}, axis};
  }

  const void* GetZeroPoints(const RunTensors& /*tensors*/, std::uint32_t input) const override {
    return zero_points_[input].data();
  }

  void Store(const double* sums, const RunTensors& tensors) const override {
    const StoredRange<Stored, float> range(requantisation_.output_zero_point);
    auto* output = tensors.Output<Stored>();
    for (std::int64_t outer = 0; outer < channels_.outer; ++outer) {
      for (const float multiplier : requantisation_.multipliers) {
        for (std::int64_t i = 0; i < channels_.inner; ++i) {
          const float scaled = static_cast<float>(KeepLow32Bits(*sums++)) * multiplier;
          const auto rounded = static_cast<std::int32_t>(RoundSmall(range.Clamp(scaled)));
          *output++ = static_cast<Stored>(rounded + requantisation_.output_zero_point);
        }
      }
    }
  }

  const std::vector<std::uint8_t> zero_points_[2];
  const AxisSpan channels_;
  const Requantisation requantisation_;
};

}  // namespace

std::unique_ptr<Kernel> MakeIntegerProduct(const Layer& layer, std::uint32_t axis_a,
                                           std::uint32_t axis_b, std::unique_ptr<Kernel> product) {
  return std::make_unique<IntegerProductKernel>(layer, axis_a, axis_b, std::move(product));
}

std::unique_ptr<Kernel> MakeQuantisedProduct(const Layer& layer, std::uint32_t axis_b,
                                             const AxisSpan& channels,
                                             std::unique_ptr<Kernel> product) {
  if (layer.Output().data_type == DataType::kInt8) {
    return std::make_unique<QuantisedProductKernel<std::int8_t>>(layer, axis_b, channels,
                                                                 std::move(product));
  }
  return std::make_unique<QuantisedProductKernel<std::uint8_t>>(layer, axis_b, channels,
                                                                std::move(product));
}

}  // namespace reference
}  // namespace backplane
