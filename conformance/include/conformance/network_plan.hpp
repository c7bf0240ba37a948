#pragma once

/// Networks as lists of layers of which is known what they mean.

#include "conformance/every_layer.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace backplane {
namespace conformance {

/// A layer that reads tensors of the plan, by their index, and makes new ones.
struct PlannedLayer {
  LayerCase layer;  // its shapes are those of the tensors
  std::vector<std::size_t> inputs;
  std::vector<std::size_t> outputs;
};

/// A network of float32 tensors. Everything is known before anything is built.
struct NetworkPlan {
  std::vector<TensorShape> tensors;
  std::vector<std::size_t> inputs;
  /// Of each tensor: its elements when it is a constant; else none.
  std::vector<std::vector<float>> constants;
  std::vector<PlannedLayer> layers;
  std::vector<std::size_t> outputs;
};

/// How large the tensors of a random plan are, which all have four axes.
struct PlanExtents {
  std::vector<TensorShape> inputs;
  std::vector<std::int64_t> channels;  // those that a convolution may give
  std::int64_t most_joined = 12;       // along an axis along which tensors are joined
};

/// Whether a layer may be part of a plan.
using IsAllowed = std::function<bool(const LayerCase& layer)>;

/// A plan of about so many layers, which read one another at random; fewer when little is allowed.
/// Its outputs are the tensors that nobody reads.
NetworkPlan MakeRandomPlan(Random& random, std::size_t num_layers, const PlanExtents& extents,
                           const IsAllowed& is_allowed);

/// Random elements for the inputs of a plan.
std::vector<StoredTensor> MakePlanInputs(const NetworkPlan& plan, Random& random);

std::vector<TensorInfo> ListPlanOutputs(const NetworkPlan& plan);

/// What the outputs must be, computed layer by layer from the meaning of each.
std::vector<std::vector<long double>> EvaluatePlan(const NetworkPlan& plan,
                                                   const std::vector<StoredTensor>& inputs);

/// "Activation, Concat, Softmax": what the plan is made of, in its order.
std::string DescribePlan(const NetworkPlan& plan);

}  // namespace conformance
}  // namespace backplane
