#include "kernels/kernel_table.hpp"
#include "moves/space_moves.hpp"

#include <backplane/api/descriptors/batch_to_space.hpp>

namespace backplane {
namespace cpuacc {
namespace {

BatchSpace GetSides(const BatchToSpaceDescriptor& descriptor, const TensorInfo& input,
                    const TensorInfo& output) {
  return BatchSpace(output.shape, input.shape, descriptor.spatial_rank, descriptor.block,
                    descriptor.crops_begin, descriptor.crops_end);
}

}  // namespace

std::string FindRefusalOfBatchToSpace(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<BatchToSpaceDescriptor>();
  if (CheckBatchSpace(layer, descriptor.spatial_rank, refusal)) {
    RequireSound(layer, GetSides(descriptor, layer.Input(0), layer.Output()), refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeBatchToSpace(KernelMaker& maker) {
  maker.WantAllPlain();
  const TensorInfo& output = maker.GetOutput().info;
  const BatchSpace sides = GetSides(maker.GetNode().GetDescriptor<BatchToSpaceDescriptor>(),
                                    maker.GetInput(0).info, output);
  return MakeMoves(MakeSpaceMoves(sides, BatchSpace::Direction::kToSpace,
                                  GetDataTypeSizeBytes(output.data_type)));
}

}  // namespace cpuacc
}  // namespace backplane
