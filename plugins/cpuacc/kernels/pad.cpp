#include "cpu_layers/pad_refusal.hpp"
#include "kernel_builders/primitive.hpp"
#include "kernels/kernel_table.hpp"
#include "moves/fill_zeros.hpp"
#include "moves/padded_moves.hpp"

namespace backplane {
namespace cpuacc {
namespace {

bool KeepsBlocks(const PadDescriptor& pad, const KernelMaker& maker, std::int64_t block) {
  // A value would be written to the padding of the last block too.
  const bool is_zero = maker.GetNumInputs() == 1 || pad.mode != PaddingMode::kConstant;
  return block == 1 || (pad.pads_begin[1] == 0 && pad.pads_end[1] == 0 &&
                        (is_zero || maker.GetInput(0).info.shape[1] % block == 0));
}

/// Elements whose 0 is not made of bytes of 0.
bool HasZeroPoints(const TensorInfo& info) {
  return !info.quantization.zero_points.empty();
}

}  // namespace

std::string FindRefusalOfPad(const Layer& layer) {
  Refusal refusal;
  RequirePad(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakePad(KernelMaker& maker) {
  const auto pad = maker.GetNode().GetDescriptor<PadDescriptor>();
  const TensorInfo& input = maker.GetInput(0).info;
  const TensorInfo& output = maker.GetOutput().info;
  const bool fills_zeros =
      pad.mode == PaddingMode::kConstant && maker.GetNumInputs() == 1 && HasZeroPoints(output);
  auto from = FindLayoutAxes(input, maker.GetLayout(0));
  auto layout = MakeLayoutLike(input, maker.GetLayout(0), output);
  if (!from || !layout || fills_zeros || !KeepsBlocks(pad, maker, from->block)) {
    maker.WantPlain(0);
    from = FindLayoutAxes(input, Layout());
    layout = Layout();
  }
  if (maker.GetNumInputs() == 2) maker.WantPlain(1);
  maker.SetOutput(0, *layout);
  const LayoutAxes to = *FindLayoutAxes(output, *layout);
  std::vector<std::unique_ptr<const Kernel>> kernels;
  if (fills_zeros) kernels.push_back(MakeFillZeros(output));
  const std::size_t element_bytes = GetDataTypeSizeBytes(output.data_type);
  const PaddedBox box = {pad, *from, to, element_bytes};
  const PaddingValue value = fills_zeros                 ? PaddingValue::kThere
                             : maker.GetNumInputs() == 2 ? PaddingValue::kOfInput1
                                                         : PaddingValue::kZero;
  kernels.push_back(MakePaddedMoves(box, value));
  return MakeSequence(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
