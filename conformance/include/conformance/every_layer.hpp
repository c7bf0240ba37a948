#pragma once

/// For tests that go over all layers with a kernel and all data types: their oracles, and random
/// tensors for their cases.

#include "conformance/layer_case.hpp"
#include "conformance/stored_handles.hpp"

#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace backplane {
namespace conformance {

constexpr DataType kDataTypes[] = {
#define BACKPLANE_DATA_TYPE(name, ...) DataType::k##name,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
};

constexpr Oracle (*kOracles[])() = {
#define BACKPLANE_ORACLE_OF(name) &GetOracleOf##name,
#include "conformance/oracles.def"
#undef BACKPLANE_ORACLE_OF
};

inline const OwnTensor* FindOwn(const std::vector<OwnTensor>& tensors, std::size_t index) {
  for (const OwnTensor& own : tensors) {
    if (own.index == index) return &own;
  }
  return nullptr;
}

/// Elements of an input whose type is its own, in any of the types it may have.
inline StoredTensor MakeOwnTensor(const TensorInfo& info, const OwnTensor& own, Random& random) {
  StoredTensor tensor(info);
  const std::size_t size = GetDataTypeSizeBytes(info.data_type);
  for (std::size_t element = 0; element * size < tensor.bytes.size(); ++element) {
    const std::int64_t value =
        own.elements.empty() ? random.Integer(own.least, own.greatest) : own.elements.at(element);
    SetElement(tensor, element, static_cast<long double>(value));
  }
  return tensor;
}

inline std::vector<StoredTensor> MakeInputs(const LayerCase& layer, const TestLayer& made,
                                            Random& random) {
  std::vector<StoredTensor> inputs;
  for (std::size_t index = 0; index < made.inputs.size(); ++index) {
    const TensorInfo& info = made.inputs[index];
    const OwnTensor* own = FindOwn(layer.own_inputs, index);
    inputs.push_back(own != nullptr ? MakeOwnTensor(info, *own, random)
                                    : MakeRandomTensor(info, random));
  }
  return inputs;
}

/// For GoogleTest: names a row of kOracles by the layer.
struct NameOfOracle {
  template <typename Row>
  std::string operator()(const Row& row) const {
    return GetLayerTypeName(kOracles[row.param]().type);
  }
};

/// Those of operators: all but that of Copy, which the core makes, and never asks about.
inline std::vector<Oracle> ListOperatorOracles() {
  std::vector<Oracle> oracles;
  for (Oracle (*get)() : kOracles) {
    const Oracle oracle = get();
    if (oracle.type != LayerType::kCopy) oracles.push_back(oracle);
  }
  return oracles;
}

/// The oracle of a layer type, which must have one.
inline Oracle FindOracle(LayerType type) {
  for (Oracle (*get)() : kOracles) {
    if (get().type == type) return get();
  }
  throw std::invalid_argument(std::string("no oracle knows ") + GetLayerTypeName(type));
}

}  // namespace conformance
}  // namespace backplane
