#include "cpu_layers/element_fill.hpp"
#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"

#include <backplane/api/descriptors/triangular_part.hpp>

#include <algorithm>
#include <cstring>

namespace backplane {
namespace reference {
namespace {

/// Keeps one range of each row.
class TriangularPartKernel : public Kernel {
 public:
  explicit TriangularPartKernel(const Layer& layer)
      : part_(layer.GetDescriptor<TriangularPartDescriptor>().part),
        element_bytes_(GetDataTypeSizeBytes(layer.Output().data_type)),
        zeros_(layer.Output()) {
    const TensorShape& shape = layer.Output().shape;
    rows_ = shape[shape.rank - 2];
    columns_ = shape[shape.rank - 1];
    for (std::uint32_t axis = 0; axis + 1 < shape.rank; ++axis) all_rows_ *= shape[axis];
    // Further away than the matrix is wide or high, diagonals are alike.
    const std::int64_t diagonal = layer.GetDescriptor<TriangularPartDescriptor>().diagonal;
    diagonal_ = std::clamp<std::int64_t>(diagonal, -rows_ - 1, columns_ + 1);
  }

  /// The output may be the input itself.
  void Run(const RunTensors& tensors) const override {
    const auto* input = tensors.Input<unsigned char>(0);
    auto* output = tensors.Output<unsigned char>();
    for (std::int64_t row = 0; row < all_rows_; ++row) {
      const std::int64_t on_diagonal = row % rows_ + diagonal_;
      const bool is_upper = part_ == Triangle::kUpper;
      const std::int64_t edge =
          std::clamp<std::int64_t>(is_upper ? on_diagonal : on_diagonal + 1, 0, columns_);
      const std::int64_t begin = row * columns_;
      const std::int64_t kept = is_upper ? begin + edge : begin;
      const std::int64_t num_kept = is_upper ? columns_ - edge : edge;
      const std::size_t offset = static_cast<std::size_t>(kept) * element_bytes_;
      std::memmove(output + offset, input + offset,
                   static_cast<std::size_t>(num_kept) * element_bytes_);
      zeros_.Fill(output, is_upper ? begin : begin + edge, columns_ - num_kept);
    }
  }

 private:
  const Triangle part_;
  const std::size_t element_bytes_;
  const ZeroElements zeros_;
  std::int64_t rows_ = 0;  // of one matrix
  std::int64_t columns_ = 0;
  std::int64_t all_rows_ = 1;
  std::int64_t diagonal_ = 0;
};

}  // namespace

std::string FindRefusalOfTriangularPart(const Layer& layer) {
  Refusal refusal;
  RequireOneRepresentation(layer, refusal);
  RequireZeros(layer.Output(), refusal);
  const Triangle part = layer.GetDescriptor<TriangularPartDescriptor>().part;
  if (part != Triangle::kUpper && part != Triangle::kLower) {
    refusal.Add("part ", static_cast<std::uint32_t>(part),
                " is not supported, only Upper (1) and Lower (2)");
  }
  const TensorShape& shape = layer.Input(0).shape;
  if (shape.rank < 2) {
    refusal.Add("input 0 has shape ", DescribeShape(shape), ", but must have rank 2 or more");
  }
  RequireOutputShape(layer, shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeTriangularPart(const Layer& layer) {
  return std::make_unique<TriangularPartKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
