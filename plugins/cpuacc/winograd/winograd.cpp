#include "winograd/winograd.hpp"

#include "convolutions/direct_convolution.hpp"
#include "cpu_layers/refusal.hpp"
#include "decisions/decisions.hpp"
#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/trial.hpp"
#include "kernel_builders/trial_budget.hpp"
#include "layout/channel_blocks.hpp"
#include "winograd/image_error.hpp"
#include "winograd/image_kernel.hpp"
#include "winograd/image_problem.hpp"
#include "winograd/winograd_cost.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Text;

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

/// The first operations of the node's chain that the kernel can do.
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

/// The way, by the size of its tiles.
std::string NameTiles(const ImageProblem& problem) {
  return "tiles of " + std::to_string(problem.transforms->results);
}

/// The way by tiles, to be tried out beside others. Borrows its arguments.
Way MakeImageWay(KernelMaker& maker, const ImageProblem& problem) {
  Way way;
  way.name = NameTiles(problem);
  way.make = [&] { return MakeKernel(maker, problem, ImageOps()); };
  way.input = *MakeChannelBlocks(maker.GetInput(0).info, problem.GetBlock());
  way.output = *MakeChannelBlocks(maker.GetOutput().info, problem.GetBlock());
  return way;
}

/// The kernel of the node, with what it can do of the chain.
std::unique_ptr<const Kernel> MakeWinogradImage(KernelMaker& maker, const ImageProblem& problem) {
  const ImageOps ops = FindOps(maker);
  maker.WantInput(0, *MakeChannelBlocks(maker.GetInput(0).info, problem.GetBlock()));
  maker.SetOutput(0, *MakeChannelBlocks(maker.GetOutput().info, problem.GetBlock()));
  if (HasBias(maker.GetNode())) maker.WantPlain(2);
  if (ops.addend) maker.WantInput(*ops.addend, maker.GetOutputLayout());
  maker.TakeOps(ops.count);
  return MakeKernel(maker, problem, ops);
}

/// The best of some runs each, in turns; few when it is clear or takes long. What else runs on the
/// machine can make each of them slower, but none faster.
bool IsFaster(Trial& direct, Trial& winograd) {
  constexpr int kFewestRounds = 2;
  constexpr int kMostRounds = 10;
  constexpr double kMostSeconds = 0.01;
  constexpr double kClearly = 1.5;
  double of_direct = std::numeric_limits<double>::infinity();
  double of_winograd = of_direct;
  double spent = 0.0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double direct_now = direct.MeasureSeconds();
    const double winograd_now = winograd.MeasureSeconds();
    of_direct = std::min(of_direct, direct_now);
    of_winograd = std::min(of_winograd, winograd_now);
    spent += direct_now + winograd_now;
    const double ratio = of_direct / of_winograd;
    const bool is_clear = ratio > kClearly || ratio < 1 / kClearly;
    if (round + 1 >= kFewestRounds && (is_clear || spent > kMostSeconds)) break;
  }
  return of_winograd < of_direct;
}

std::string NameShapes(const ConvolutionShapes& shapes) {
  std::string name;
  for (const TensorShape* const shape : {&shapes.input, &shapes.weights, &shapes.output}) {
    name += " " + cpu_layers::DescribeShape(*shape);
  }
  return name;
}

/// Tells weights of the same shape apart.
std::uint64_t Digest(const float* weights, std::uint64_t count) {
  std::uint64_t digest = 1469598103934665603U;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, weights + i, sizeof(word));
    digest = (digest ^ word) * 1099511628211U;
  }
  return digest;
}

/// Errors of layers add up, so that each may have a tenth of what a network may.
bool IsExact(const KernelMaker& maker, const ImageProblem& problem) {
  constexpr double kMostError = 1e-5;
  const SampledFilters filters = SampleFilters(problem, GetFloats(maker.GetInput(1)));
  const std::string question =
      Text("exact: ", NameTiles(problem), " ", problem.GetBlock(), " channels ", problem.channels,
           " weights ", Digest(filters.weights.data(), filters.weights.size()));
  return GetDecisions().Get(question,
                            [&] { return MeasureImageError(problem, filters) <= kMostError; });
}

/// Nothing where the budget for trials is spent.
std::optional<bool> TryOut(const KernelMaker& maker, const Way& direct, const Way& winograd) {
  const std::string question =
      Text("faster: ", winograd.name, " than ", direct.name,
           NameShapes({maker.GetInput(0).info.shape, maker.GetInput(1).info.shape,
                       maker.GetOutput().info.shape}),
           " threads ", maker.GetNumThreads());
  const std::optional<bool> known = GetDecisions().Find(question);
  if (known || GetTrialBudget().IsSpent()) return known;
  const bool is_faster = GetTrialBudget().Spend([&] {
    Trial direct_trial(maker, direct);
    Trial winograd_trial(maker, winograd);
    return IsFaster(direct_trial, winograd_trial);
  });
  GetDecisions().Keep(question, is_faster);
  return is_faster;
}

/// Whether neither is clearly faster. A trial takes more than it can save where the work is done in
/// some tens of microseconds.
bool NeedsATrial(const WinogradCost& cost) {
  constexpr double kLeastProducts = 5e6;
  return Judge(cost) == Judgement::kIsClose && std::min(cost.direct, cost.tiles) >= kLeastProducts;
}

bool AreTilesFaster(KernelMaker& maker, const ImageProblem& problem) {
  const WinogradCost cost = EstimateCost(problem, maker.GetNumThreads());
  const bool are_estimated_faster = cost.tiles < cost.direct;
  if (!NeedsATrial(cost)) return are_estimated_faster;
  return TryOut(maker, MakeDirectWay(maker), MakeImageWay(maker, problem))
      .value_or(are_estimated_faster);
}

}  // namespace

std::size_t CountTrials(const Graph& graph, int num_threads) {
  std::set<std::string> tried;
  for (const Node& node : graph.nodes) {
    if (node.is_removed || node.type != LayerType::kConvolution) continue;
    const GraphTensor& weights = graph.Input(node, 1);
    // Weights of quantised models are no constants as yet.
    if (!weights.IsConstant() || GetDataTypeSizeBytes(weights.info.data_type) == 1) continue;
    const ConvolutionShapes shapes = {graph.Input(node, 0).info.shape, weights.info.shape,
                                      graph.Output(node).info.shape};
    const auto problem = FindImageProblem(node.GetDescriptor<ConvolutionDescriptor>(), shapes);
    if (!problem || !NeedsATrial(EstimateCost(*problem, num_threads))) continue;
    tried.insert(NameShapes(shapes));
  }
  return tried.size();
}

std::unique_ptr<const Kernel> MakeWinogradTiles(KernelMaker& maker) {
  const Winograd option = maker.GetOptions().winograd;
  if (option == Winograd::kOff) return nullptr;
  const std::optional<ImageProblem> problem = FindImageProblem(
      maker.GetNode().GetDescriptor<ConvolutionDescriptor>(),
      {maker.GetInput(0).info.shape, maker.GetInput(1).info.shape, maker.GetOutput().info.shape});
  if (!problem) return nullptr;
  const bool is_wanted = option == Winograd::kOn || AreTilesFaster(maker, *problem);
  return is_wanted && IsExact(maker, *problem) ? MakeWinogradImage(maker, *problem) : nullptr;
}

}  // namespace cpuacc
}  // namespace backplane
