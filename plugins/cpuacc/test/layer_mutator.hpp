#pragma once

/// Spoils layers, as a careless or hostile network would.

#include "test/run_stored.hpp"

#include <cstdint>
#include <string>

namespace backplane {
namespace cpuacc_test {

using namespace cpuref_test;

/// Changes single things of layers: words of the descriptor, extents, ranks, data types, scales,
/// and how many tensors there are.
class LayerMutator {
 public:
  explicit LayerMutator(Random& random) : random_(random) {}

  /// Changes one to three things, seldom the same way for all tensors.
  void Mutate(TestLayer& layer);

 private:
  void MutateOnce(TestLayer& layer);
  void ChangeDescriptor(TestLayer& layer);
  void ChangeExtent(TestLayer& layer);
  void ChangeExtentEverywhere(TestLayer& layer);
  void ChangeRank(TensorShape& shape);
  void ChangeType(TestLayer& layer);
  void ChangeScales(QuantizationInfo& scales);
  void ChangeCount(std::vector<TensorInfo>& tensors);

  /// Null: when the layer has no tensor with an axis.
  std::int64_t* PickExtent(TestLayer& layer);
  TensorInfo* PickTensor(TestLayer& layer);
  DataType PickType();
  std::int64_t MakeValue(std::int64_t old);

  Random& random_;
};

/// For the trace of a failure.
std::string Describe(const TestLayer& layer);

}  // namespace cpuacc_test
}  // namespace backplane
