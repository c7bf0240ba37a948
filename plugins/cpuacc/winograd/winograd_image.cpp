#include "winograd/winograd_image.hpp"

#include "layout/channel_blocks.hpp"
#include "winograd/image_kernel.hpp"

#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

/// Adds an input of the output's shape to it.
bool IsAddition(const KernelMaker& maker, const ElementOp& op) {
  return op.kind == ElementOp::Kind::kBinary && op.binary == BinaryOperation::kAdd &&
         maker.GetInput(op.operand).info.shape == maker.GetOutput().info.shape;
}

/// Sets the bounds, when the operation does nothing but bound, and the padding stays 0.
bool FindBounds(const ElementOp& op, ImageOps& ops) {
  if (op.kind != ElementOp::Kind::kActivation) return false;
  if (op.activation == ActivationFunction::kRelu) {
    ops.low = 0.0F;
    return true;
  }
  if (op.activation != ActivationFunction::kBoundedRelu || !(op.beta <= 0.0F && op.alpha >= 0.0F)) {
    return false;
  }
  ops.low = op.beta;
  ops.high = op.alpha;
  return true;
}

/// As many operations of the node's chain, from its beginning, as the kernel can do.
ImageOps FindOps(const KernelMaker& maker) {
  ImageOps ops;
  const std::vector<ElementOp>& chain = maker.GetNode().chain;
  if (ops.count < chain.size() && IsAddition(maker, chain[ops.count])) {
    ops.addend = chain[ops.count].operand;
    ++ops.count;
  }
  if (ops.count < chain.size() && FindBounds(chain[ops.count], ops)) ++ops.count;
  return ops;
}

std::unique_ptr<const Kernel> MakeKernel(KernelMaker& maker, const ImageProblem& problem,
                                         const ImageOps& ops) {
  const std::string form =
      "tiles of Winograd's algorithm of " + std::to_string(problem.transforms->results);
  const auto weights = maker.PackTogether({1}, form, [&] {
    return TransformImageWeights(problem, GetFloats(maker.GetInput(1)), maker.GetThreads());
  });
  return MakeImageKernel(problem, ops, weights, HasBias(maker.GetNode()), maker.GetNumThreads());
}

}  // namespace

std::string NameTiles(const ImageProblem& problem) {
  return "tiles of " + std::to_string(problem.transforms->results);
}

Way MakeImageWay(KernelMaker& maker, const ImageProblem& problem) {
  Way way;
  way.name = NameTiles(problem);
  way.make = [&] { return MakeKernel(maker, problem, ImageOps()); };
  way.input = *MakeChannelBlocks(maker.GetInput(0).info, problem.GetBlock());
  way.output = *MakeChannelBlocks(maker.GetOutput().info, problem.GetBlock());
  return way;
}

std::unique_ptr<const Kernel> MakeWinogradImage(KernelMaker& maker, const ImageProblem& problem) {
  const ImageOps ops = FindOps(maker);
  maker.WantInput(0, *MakeChannelBlocks(maker.GetInput(0).info, problem.GetBlock()));
  maker.SetOutput(0, *MakeChannelBlocks(maker.GetOutput().info, problem.GetBlock()));
  if (HasBias(maker.GetNode())) maker.WantPlain(2);
  if (ops.addend) maker.WantInput(*ops.addend, maker.GetOutputLayout());
  maker.TakeOps(ops.count);
  return MakeKernel(maker, problem, ops);
}

}  // namespace cpuacc
}  // namespace backplane
