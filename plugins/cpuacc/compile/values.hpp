#pragma once

/// The tensors of a program in their layouts, and which lie inside of others.

#include "graph/graph.hpp"
#include "layout/layout.hpp"
#include "program/program.hpp"

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuacc {

using ValueId = std::uint32_t;
constexpr ValueId kNoValue = ~ValueId{0};

/// One tensor in one layout. It lies in memory of its own, or inside of another value.
struct Value {
  TensorId tensor = kNoTensor;
  Layout layout;
  std::uint64_t size_bytes = 0;
  Place::Kind kind = Place::Kind::kArena;  // of a value with memory of its own
  std::uint32_t index = 0;                 // of the input, output or constant
  ValueId whole = kNoValue;                // inside of which it lies
  std::uint64_t offset_bytes = 0;          // from the beginning of that
};

/// Where in memory a value lies in the end.
struct Root {
  ValueId value;
  std::uint64_t offset_bytes;
};

class Values {
 public:
  explicit Values(std::size_t num_tensors) : of_tensor_(num_tensors) {
    values_.reserve(num_tensors);
  }

  ValueId Add(const GraphTensor& tensor, TensorId id, const Layout& layout);
  Value& operator[](ValueId id) { return values_[id]; }
  const Value& operator[](ValueId id) const { return values_[id]; }
  ValueId GetCount() const { return static_cast<ValueId>(values_.size()); }

  /// The value in whose memory `id` lies, and where.
  Root FindRoot(ValueId id) const;
  /// The value before `end` that a tensor has in a layout; kNoValue when it has none.
  ValueId Find(TensorId tensor, const Layout& layout, ValueId end) const;
  /// The first value of a tensor.
  ValueId GetFirst(TensorId tensor) const;

 private:
  std::vector<Value> values_;
  std::vector<std::vector<ValueId>> of_tensor_;
};

}  // namespace cpuacc
}  // namespace backplane
