#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "elements/element_conversion.hpp"
#include "elements/narrow_element.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/eye_like.hpp>

#include <algorithm>
#include <cstring>

namespace backplane {
namespace reference {
namespace {

/// Writes the bytes of a one on a diagonal of zeros, which are bytes of 0 in every type.
class EyeLikeKernel : public Kernel {
 public:
  EyeLikeKernel(const Layer& layer, std::uint64_t one)
      : one_(one),
        element_bytes_(GetDataTypeSizeBytes(layer.Output().data_type)),
        rows_(layer.Output().shape[0]),
        columns_(layer.Output().shape[1]) {
    const std::int64_t diagonal = layer.GetDescriptor<EyeLikeDescriptor>().diagonal;
    diagonal_ = std::clamp<std::int64_t>(diagonal, -rows_, columns_);
  }

  void Run(const RunTensors& tensors) const override {
    auto* output = tensors.Output<unsigned char>();
    std::memset(output, 0, static_cast<std::size_t>(rows_ * columns_) * element_bytes_);
    const std::int64_t first = std::max<std::int64_t>(-diagonal_, 0);
    const std::int64_t last = std::min(rows_, columns_ - diagonal_);
    for (std::int64_t row = first; row < last; ++row) {
      const std::int64_t element = row * columns_ + row + diagonal_;
      std::memcpy(output + static_cast<std::size_t>(element) * element_bytes_, &one_,
                  element_bytes_);
    }
  }

 private:
  const std::uint64_t one_;  // its first bytes
  const std::size_t element_bytes_;
  const std::int64_t rows_;
  const std::int64_t columns_;
  std::int64_t diagonal_ = 0;
};

template <typename Number>
std::uint64_t StoreOne(const ElementConversion& conversion) {
  const Number one = 1;
  std::uint64_t stored = 0;
  if (conversion.IsNeeded()) {
    conversion.Narrow(&one, &stored);
  } else {
    std::memcpy(&stored, &one, sizeof(one));
  }
  return stored;
}

/// In what a tensor of this type is calculated in, converted to what it is stored as.
std::uint64_t MakeOne(DataType type) {
  if (IsNarrowType(type)) {
    CastDescriptor cast;
    cast.to = type;
    return ToNarrowElement(cast, 1);
  }
  const TensorInfo scalar({}, type);
  const ElementConversion conversion(scalar);
  if (type == DataType::kBool) return StoreOne<std::uint8_t>(conversion);
  switch (GetComputeType(scalar)) {
    case ComputeType::kInt64:
      return StoreOne<std::int64_t>(conversion);
    case ComputeType::kUInt64:
      return StoreOne<std::uint64_t>(conversion);
    case ComputeType::kFloat:
      return StoreOne<float>(conversion);
    default:
      return StoreOne<double>(conversion);
  }
}

}  // namespace

std::string FindRefusalOfEyeLike(const Layer& layer) {
  Refusal refusal;
  const DataType type = layer.GetDescriptor<EyeLikeDescriptor>().data_type;
  const TensorInfo& output = layer.Output();
  if (GetDataTypeSizeBytes(type) == 0 || output.data_type != type ||
      output.quantization.IsQuantized()) {
    refusal.Add("data type ", output.quantization.IsQuantized() ? "quantised " : "",
                GetDataTypeName(output.data_type), " of the output is not supported, only ",
                GetDataTypeName(type), ", which the descriptor states");
  }
  if (layer.Input(0).shape.rank != 2) {
    refusal.Add("input 0 has shape ", DescribeShape(layer.Input(0).shape),
                ", but must have rank 2");
  }
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeEyeLike(const Layer& layer) {
  return std::make_unique<EyeLikeKernel>(layer, MakeOne(layer.Output().data_type));
}

}  // namespace reference
}  // namespace backplane
