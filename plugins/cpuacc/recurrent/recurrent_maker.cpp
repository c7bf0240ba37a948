#include "recurrent/recurrent_maker.hpp"

#include "memory/aligned_memory.hpp"
#include "simd/simd.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

RecurrentShape MakeShape(const KernelMaker& maker, const RecurrentOptions& options) {
  const TensorInfo* infos[3];
  for (std::uint32_t input = 0; input < 3; ++input) infos[input] = &maker.GetInput(input).info;
  Layer layer;
  layer.inputs = infos;
  layer.num_inputs = 3;
  return RecurrentShape(layer, options);
}

std::shared_ptr<const void> PackWeights(KernelMaker& maker, const WeightPacking& packing) {
  std::vector<const void*> contents;
  for (std::uint32_t input = 0; input < maker.GetNumInputs(); ++input) {
    contents.push_back(maker.GetInput(input).content.get());
  }
  auto packed = AllocateAligned(static_cast<std::uint64_t>(packing.GetSize()) * sizeof(float));
  packing.Pack(contents.data(), static_cast<float*>(packed.get()));
  return packed;
}

/// The inputs that are weights.
std::vector<std::uint32_t> ListWeights(const RecurrentShape& shape) {
  std::vector<std::uint32_t> inputs = {1, 2};
  if (shape.bias != kNoInput) inputs.push_back(shape.bias);
  if (shape.peepholes != kNoInput) inputs.push_back(shape.peepholes);
  return inputs;
}

}  // namespace

void CheckRecurrent(const Layer& layer, const RecurrentOptions& options, Refusal& refusal) {
  CheckRecurrentFlags(layer, options, refusal);
  if (!refusal.IsEmpty()) return;
  RequireFloat32(layer, refusal, GetRecurrentRoles(options));
  CheckRecurrentShapes(layer, options, refusal);
}

std::unique_ptr<const Kernel> MakeRecurrent(KernelMaker& maker, const RecurrentOptions& options,
                                            const RecurrentCells& cells) {
  maker.WantAllPlain();
  const RecurrentShape shape = MakeShape(maker, options);
  const WeightPacking packing(shape, cells.kind, GetSimdFunctions().recurrent.lanes);
  const DataType lengths =
      shape.lengths == kNoInput ? DataType::kInt64 : maker.GetInput(shape.lengths).info.data_type;
  const std::vector<std::uint32_t> weights = ListWeights(shape);
  std::shared_ptr<const void> packed;
  if (std::all_of(weights.begin(), weights.end(),
                  [&](std::uint32_t input) { return maker.GetInput(input).IsConstant(); })) {
    const std::string purpose = Text("recurrent ", static_cast<int>(cells.kind));
    packed = maker.PackTogether(weights, purpose, [&] { return PackWeights(maker, packing); });
  }
  return MakeRecurrentKernel(shape, cells, options.clip,
                             SequenceLengths(shape.lengths, lengths, shape.steps), packing,
                             std::move(packed));
}

}  // namespace cpuacc
}  // namespace backplane
