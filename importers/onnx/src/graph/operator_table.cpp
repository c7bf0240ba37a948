#include "graph/operator_table.hpp"

#include <algorithm>
#include <iterator>

namespace backplane::onnx {
namespace {

struct Row {
  const char* op_type;
  ConvertFunction convert;
};

constexpr Row kRows[] = {
#define BACKPLANE_ONNX_OPERATOR(family, op) {#op, &Convert##op},
#include "operators.def"
#undef BACKPLANE_ONNX_OPERATOR
};

}  // namespace

ConvertFunction FindConverter(const std::string& op_type) {
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& entry) { return entry.op_type == op_type; });
  return row != std::end(kRows) ? row->convert : nullptr;
}

std::vector<std::string> GetSupportedOperators() {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(row.op_type);
  return names;
}

}  // namespace backplane::onnx
