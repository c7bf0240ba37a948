#pragma once

/// Tables with a row for each layer type that a backend runs: `type`, and `find_refusal`, which
/// says why a layer cannot be run, and nothing when it can.

#include "cpu_layers/layer.hpp"
#include "cpu_layers/layer_checks.hpp"
#include "cpu_layers/refusal.hpp"

#include <backplane/api/layer_type.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace backplane {
namespace cpu_layers {

/// The row of a layer type; null when there is none.
template <typename Row, std::size_t kCount>
const Row* FindKernelRow(const Row (&rows)[kCount], LayerType type) {
  for (const Row& row : rows) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

template <typename Row, std::size_t kCount>
std::string DescribeLayerTypes(const Row (&rows)[kCount]) {
  std::string names;
  for (const Row& row : rows) {
    names += (names.empty() ? "" : ", ") + std::string(GetLayerTypeName(row.type));
  }
  return names;
}

/// Says why the layer cannot be run; empty when it can. `find_refusal` is asked only about layers
/// that have what all kernels rely on.
template <typename Row, std::size_t kCount>
std::string FindRefusalByRows(const Row (&rows)[kCount], const Layer& layer) {
  const Row* row = FindKernelRow(rows, layer.type);
  if (row == nullptr) {
    return Text("layer type ", GetLayerTypeName(layer.type), " (",
                static_cast<std::uint32_t>(layer.type), ") is not supported, only ",
                DescribeLayerTypes(rows));
  }
  Refusal refusal;
  RequireSoundLayer(layer, refusal);
  return refusal.IsEmpty() ? row->find_refusal(layer) : refusal.GetReason();
}

}  // namespace cpu_layers
}  // namespace backplane
