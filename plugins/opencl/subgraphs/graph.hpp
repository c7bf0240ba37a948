#pragma once

/// A part of a network, read from the host: which layer reads and writes which tensor.

#include "plan/layer.hpp"

#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace opencl {

using TensorNumber = std::uint32_t;
using LayerNumber = std::uint32_t;

struct GraphTensor {
  const TensorInfo* info = nullptr;
  const ConstTensor* constant = nullptr;   // or null
  std::optional<LayerNumber> producer;     // none: it comes from outside, or is constant
  std::vector<LayerNumber> readers;        // one entry for each input that reads it
  std::optional<std::uint32_t> as_input;   // of the part
  std::optional<std::uint32_t> as_output;  // of the part
};

struct GraphLayer {
  const LayerView* view = nullptr;
  std::vector<TensorNumber> inputs;
  std::vector<TensorNumber> outputs;
};

struct Graph {
  std::vector<GraphTensor> tensors;
  std::vector<GraphLayer> layers;  // in an order in which they can run

  Layer GetLayer(LayerNumber number) const;
  bool IsRead(TensorNumber tensor) const;
};

/// Everything is borrowed until OptimizeSubgraphView returns.
Graph ReadGraph(const OptimizeSubgraphArgs& args, const SubgraphView& part);

}  // namespace opencl
}  // namespace backplane
