#pragma once

/// Networks as lists of layers of which is known what they mean.

#include "conformance/every_layer.hpp"

#include <backplane/runtime/i_network.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace backplane::check_backend {

/// A layer that reads tensors of the plan, by their index, and makes new ones.
struct PlannedLayer {
  conformance::LayerCase layer;  // its shapes are those of the tensors
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

/// Whether a layer may be part of a plan.
using IsAllowed = std::function<bool(const conformance::LayerCase& layer)>;

/// The case as float32 tensors.
conformance::TestLayer MakeFloatLayer(const conformance::LayerCase& layer);

/// A plan of about so many layers, which read one another at random; fewer when little is allowed.
/// Its outputs are the tensors that nobody reads.
NetworkPlan MakeRandomPlan(conformance::Random& random, std::size_t num_layers,
                           const IsAllowed& is_allowed);

/// Copies the data of a constant.
using CopyConstant = std::function<std::shared_ptr<const void>(const void*, std::size_t)>;

/// Layers are called "0", "1", ...
/// Errors: DiagnosticException.
std::unique_ptr<INetwork> BuildNetwork(const NetworkPlan& plan,
                                       const CopyConstant& copy = CopyConstantData);

/// What the outputs must be, computed layer by layer from the meaning of each.
std::vector<std::vector<long double>> EvaluatePlan(const NetworkPlan& plan,
                                                   const std::vector<std::vector<float>>& inputs);

/// "Activation, Concat, Softmax": what the plan is made of, in its order.
std::string DescribePlan(const NetworkPlan& plan);

}  // namespace backplane::check_backend
