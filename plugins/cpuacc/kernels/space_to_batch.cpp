#include "cpu_layers/element_fill.hpp"
#include "kernel_builders/primitive.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/fill_zeros.hpp"
#include "moves/space_moves.hpp"

#include <backplane/api/descriptors/space_to_batch.hpp>

namespace backplane {
namespace cpuacc {
namespace {

BatchSpace GetSides(const SpaceToBatchDescriptor& descriptor, const TensorInfo& input,
                    const TensorInfo& output) {
  return BatchSpace(input.shape, output.shape, descriptor.spatial_rank, descriptor.block,
                    descriptor.pads_begin, descriptor.pads_end);
}

}  // namespace

std::string FindRefusalOfSpaceToBatch(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<SpaceToBatchDescriptor>();
  RequireZeros(layer.Output(), refusal);
  if (CheckBatchSpace(layer, descriptor.spatial_rank, refusal)) {
    RequireSound(layer, GetSides(descriptor, layer.Input(0), layer.Output()), refusal);
  }
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeSpaceToBatch(KernelMaker& maker) {
  maker.WantAllPlain();
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  const BatchSpace sides =
      GetSides(maker.GetNode().GetDescriptor<SpaceToBatchDescriptor>(), input, output);
  std::vector<std::unique_ptr<const Kernel>> kernels;
  // What is not written by a move is padding.
  if (output.shape.GetNumElements() != input.shape.GetNumElements()) {
    kernels.push_back(MakeFillZeros(output));
  }
  kernels.push_back(MakeMoves(MakeSpaceMoves(sides, BatchSpace::Direction::kToBatch,
                                             GetDataTypeSizeBytes(output.data_type))));
  return MakeSequence(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
