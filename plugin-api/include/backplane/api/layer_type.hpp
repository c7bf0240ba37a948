#pragma once

/// The kinds of layers, from the table layers.def.

#include <backplane/api/backend_version.hpp>
#include <backplane/api/descriptors.hpp>

#include <cstdint>

namespace backplane {

enum class LayerType : std::uint32_t {
  kUndefined = 0,
#define BACKPLANE_OPERATOR(name, number, ...) k##name = number,
#define BACKPLANE_CORE_LAYER(name, number, ...) k##name = number,
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
};

/// Stands for "no upper bound" in the arity of a layer.
constexpr std::uint32_t kAnyNumber = 0xffffffffU;

/// Where the output of a layer may lie. Says what the operator allows; a backend computes in place
/// only when it states kCapabilityInPlace, or its tensor-handle factory says so.
enum class LayerAliasing : std::uint32_t {
  kNone = 0,     // in memory of its own
  kInPlace = 1,  // where an input of the same shape and data type lies that nobody reads afterwards
  kView = 2,     // where input 0 lies: the same bytes under another shape
  kJoin = 3,     // the inputs may lie in parts of it
  kParts = 4,    // the outputs may lie in parts of input 0
};

/// One row of the table. All text has static storage.
struct LayerTypeInfo {
  LayerType type;
  const char* name;
  BackendVersion since;
  std::uint32_t min_inputs;
  std::uint32_t max_inputs;
  std::uint32_t min_outputs;
  std::uint32_t max_outputs;
  std::uint32_t descriptor_size_bytes;
  bool is_operator;  // run by backends, not by the core
  LayerAliasing aliasing;
  const char* documentation;
};

/// All rows, in the order of the table.
constexpr LayerTypeInfo kLayerTypes[] = {
#define BACKPLANE_LAYER_ROW(is_operator, name, number, major, minor, min_in, max_in, min_out, \
                            max_out, descriptor, aliasing, documentation)                     \
  {                                                                                           \
      LayerType::k##name,                                                                     \
      #name,                                                                                  \
      {major, minor},                                                                         \
      min_in,                                                                                 \
      max_in,                                                                                 \
      min_out,                                                                                \
      max_out,                                                                                \
      sizeof(descriptor),                                                                     \
      is_operator,                                                                            \
      LayerAliasing::aliasing,                                                                \
      documentation},
#define BACKPLANE_OPERATOR(...) BACKPLANE_LAYER_ROW(true, __VA_ARGS__)
#define BACKPLANE_CORE_LAYER(...) BACKPLANE_LAYER_ROW(false, __VA_ARGS__)
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
#undef BACKPLANE_LAYER_ROW
};

/// The row of a type; null for a number that these headers do not know.
constexpr const LayerTypeInfo* FindLayerTypeInfo(LayerType type) {
  for (const LayerTypeInfo& row : kLayerTypes) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

/// The name of a type, for messages. Static storage.
constexpr const char* GetLayerTypeName(LayerType type) {
  const LayerTypeInfo* row = FindLayerTypeInfo(type);
  return row != nullptr ? row->name : "unknown layer type";
}

}  // namespace backplane
