#pragma once

#include "nodes/node.hpp"
#include "tensors/element_types.hpp"
#include "tensors/memory_budget.hpp"
#include "values/value.hpp"

#include <backplane/api/narrow_types.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace backplane::onnx {

/// Thrown where a node is not evaluated after all; it is converted to a layer instead, and what is
/// wrong with it, if anything is, is said there.
struct NotFolded {};

/// A result while it is written.
struct FoldedTensor {
  TensorInfo info;
  std::shared_ptr<unsigned char> bytes;

  template <typename Element>
  Element* As() const {
    return reinterpret_cast<Element*>(bytes.get());
  }
};

/// A node that is evaluated: its constants, and memory for the results.
class Folding {
 public:
  Folding(Node& node, MemoryBudget& budget) : node_(node), budget_(budget) {}

  Node& GetNode() { return node_; }
  std::int64_t GetOpset() const { return node_.GetOpset(); }
  Attributes& GetAttributes() { return node_.GetAttributes(); }
  std::size_t GetNumInputs() const { return node_.GetNumInputs(); }
  bool Has(std::size_t index) const { return node_.HasInput(index); }
  const Value& Get(std::size_t index) const { return node_.GetValue(index); }
  const TensorInfo& GetInfo(std::size_t index) const { return Get(index).info; }
  const TensorShape& GetShape(std::size_t index) const { return GetInfo(index).shape; }
  template <typename Element>
  const Element* Read(std::size_t index) const {
    return static_cast<const Element*>(Get(index).data.get());
  }
  /// The elements of an input of integers, whatever its shape.
  std::vector<std::int64_t> ReadInts(std::size_t index) const;
  /// An attribute that became input `index` with operator set `since`; nothing when it is absent.
  std::optional<std::vector<std::int64_t>> FindInts(const char* name, std::size_t index,
                                                    std::int64_t since);

  /// For nodes that read more than they make: an input is about to be read as a whole, so many
  /// times. Errors: NotFolded when it is more than the budget allows.
  void CountReading(std::size_t index, std::uint64_t times = 1);

  /// Errors: NotFolded when there is more of something than is worked on while a model is imported.
  void RequireAtMost(std::uint64_t count, std::uint64_t most) const;

  /// Memory for a result, all zero. Errors: NotFolded when it is more than the budget allows.
  FoldedTensor Make(const TensorInfo& info);
  /// A list of int64.
  FoldedTensor MakeInts(const std::vector<std::int64_t>& elements);

 private:
  Node& node_;
  MemoryBudget& budget_;
};

/// The results of a node, in the order of its outputs.
using Folded = std::vector<FoldedTensor>;
using FoldFunction = Folded (*)(Folding&);

/// Errors: NotFolded when a shape is larger than any tensor may be.
TensorShape MakeFoldedShape(const std::vector<std::int64_t>& dims);

/// As VisitElementType, for numbers that C++ calculates with.
/// Errors: NotFolded for bool, the sixteen-bit floats and narrow types.
template <typename Function>
auto VisitNumbers(DataType data_type, Function&& function) {
  if (IsNarrowType(data_type)) throw NotFolded{};
  return VisitElementType(data_type, [&](auto type) {
    using Element = typename decltype(type)::Type;
    constexpr bool kIsNumber = std::is_arithmetic_v<Element> && !std::is_same_v<Element, bool>;
    if constexpr (kIsNumber) {
      return function(type);
    } else {
      throw NotFolded{};
      return function(ElementType<float>{});
    }
  });
}

#define BACKPLANE_ONNX_FOLDING(family, op, inputs) Folded Fold##op(Folding& folding);
#include "folding/foldings.def"
#undef BACKPLANE_ONNX_FOLDING

}  // namespace backplane::onnx
