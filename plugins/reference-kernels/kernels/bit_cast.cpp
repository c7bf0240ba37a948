#include "cpu_layers/refusal.hpp"
#include "elements/compute_type.hpp"
#include "kernel.hpp"
#include "kernels/byte_copy.hpp"

#include <backplane/api/descriptors/bit_cast.hpp>
#include <backplane/api/narrow_types.hpp>

namespace backplane {
namespace reference {
namespace {

/// Not every byte is an element of bool, or of what has fewer bits than a byte.
void RequireWholeBytes(const TensorInfo& info, const char* tensor, Refusal& refusal) {
  if (info.data_type != DataType::kBool && GetDataTypeSizeBits(info.data_type) >= 8) return;
  refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", tensor,
              " is not supported, only numbers of 8 bits and more");
}

}  // namespace

std::string FindRefusalOfBitCast(const Layer& layer) {
  Refusal refusal;
  RefuseQuantised(layer, refusal);
  const TensorInfo& input = layer.Input(0);
  const TensorInfo& output = layer.Output();
  RequireWholeBytes(input, "input 0", refusal);
  RequireWholeBytes(output, "the output", refusal);
  const std::uint32_t from = GetDataTypeSizeBytes(input.data_type);
  const std::uint32_t to = GetDataTypeSizeBytes(output.data_type);
  if (from != to) {
    refusal.Add("input 0 has elements of ", from, " bytes, and the output of ", to,
                "; both must have as many");
  }
  RequireOutputType(layer, layer.GetDescriptor<BitCastDescriptor>().to, refusal);
  RequireOutputShape(layer, input.shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeBitCast(const Layer& layer) {
  return std::make_unique<ByteCopyKernel>(layer.Output());
}

}  // namespace reference
}  // namespace backplane
