#include "operators/stage_operator.hpp"

#include <algorithm>
#include <iterator>

namespace backplane::onnx {
namespace {

struct StageOperatorRow {
  const char* op_type;
  StageOperatorKind kind;
};

constexpr StageOperatorRow kStageOperatorRows[] = {
#define BACKPLANE_STAGE_OPERATOR(op, kind) {#op, StageOperatorKind::kind},
#include "stage_operators.def"
#undef BACKPLANE_STAGE_OPERATOR
};

}  // namespace

std::optional<StageOperatorKind> FindStageOperator(const std::string& domain,
                                                   const std::string& op_type) {
  if (!domain.empty()) return {};
  const StageOperatorRow* row =
      std::find_if(std::begin(kStageOperatorRows), std::end(kStageOperatorRows),
                   [&](const StageOperatorRow& entry) { return entry.op_type == op_type; });
  if (row == std::end(kStageOperatorRows)) return {};
  return row->kind;
}

}  // namespace backplane::onnx
