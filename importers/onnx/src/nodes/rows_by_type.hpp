#pragma once

#include <string_view>
#include <unordered_map>

namespace backplane::onnx {

/// The rows of a static table by their field `op_type`; several may have one.
template <typename Row>
class RowsByType {
 public:
  template <typename Rows>
  explicit RowsByType(const Rows& rows) {
    for (const Row& row : rows) rows_.emplace(row.op_type, &row);
  }

  /// Null: no row of the type is as `is_wanted` says.
  template <typename IsWanted>
  const Row* Find(std::string_view op_type, const IsWanted& is_wanted) const {
    const auto [begin, end] = rows_.equal_range(op_type);
    for (auto row = begin; row != end; ++row) {
      if (is_wanted(*row->second)) return row->second;
    }
    return nullptr;
  }
  const Row* Find(std::string_view op_type) const {
    return Find(op_type, [](const Row& /*row*/) { return true; });
  }

 private:
  std::unordered_multimap<std::string_view, const Row*> rows_;
};

}  // namespace backplane::onnx
