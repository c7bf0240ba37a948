#pragma once

#include <backplane/api/layer_type.hpp>
#include <backplane/api/tensor_info.hpp>

#include "results/compare.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace backplane::execute_network {

/// One output of a layer, or of what a backend made of several, beside that of the reference.
struct ComparedLayer {
  std::string layer;  // as it runs
  LayerType type = LayerType::kUndefined;
  std::string origin;  // the layer of the model whose output it is
  std::string backend_id;
  std::uint32_t output = 0;  // of the origin
  TensorInfo info;
  std::string fault;                   // why it could not be compared; "" when it was
  std::optional<Comparison> own;       // the reference had what this layer read
  std::optional<double> error_so_far;  // the reference ran the whole network
};

/// What came of --compare-layers with one data set. Layers are in the order in which they ran.
struct LayerComparison {
  std::string data_set;   // "" without --test-data
  std::string reference;  // a backend
  std::vector<ComparedLayer> layers;

  std::size_t CountDifferent() const;
  /// Null: none differs.
  const ComparedLayer* FindFirstDifferent() const;
};

}  // namespace backplane::execute_network
