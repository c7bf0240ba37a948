#pragma once

/// Where the tensors of a part lie: those that are views of others, or parts of them, need no
/// copies.

#include "subgraphs/graph.hpp"
#include "subgraphs/place_intermediates.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace opencl {

class TensorPlaces {
 public:
  explicit TensorPlaces(const Graph& graph);

  /// Lets the output of a view lie where its input does; false when it cannot. In the order of the
  /// layers, as PutInto.
  bool Share(TensorNumber input, TensorNumber output);

  /// Lets a tensor lie in another at this offset; false when it cannot. What it shares its place
  /// with goes along.
  bool PutInto(TensorNumber part, TensorNumber whole, std::uint64_t offset_bytes);

  /// A step reads or writes the tensor.
  void Use(TensorNumber tensor, std::size_t step);

  /// Places what is neither input nor output nor constant, once all uses are known. Constants have
  /// a number, and no content yet.
  void PlaceAll(std::uint64_t alignment_bytes, WorkPlan& plan);

  StepTensor Find(TensorNumber tensor) const;

  /// The constant with a number in the plan.
  const ConstTensor& GetConstant(std::uint32_t number) const { return *constants_[number]; }

 private:
  struct Place {
    std::optional<StepTensor> fixed;
    UsedMemory memory;
  };
  struct TensorPlace {
    std::uint32_t number = 0;  // of the place
    std::uint64_t offset_bytes = 0;
  };

  /// Whether the tensor has its place for itself, or for views of it.
  bool IsWhole(TensorNumber tensor) const;

  const Graph& graph_;
  std::vector<TensorPlace> tensors_;
  std::vector<Place> places_;
  std::vector<const ConstTensor*> constants_;
};

}  // namespace opencl
}  // namespace backplane
