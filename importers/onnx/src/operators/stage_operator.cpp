#include "operators/stage_operator.hpp"

#include "nodes/rows_by_type.hpp"

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
  static const RowsByType<StageOperatorRow> rows(kStageOperatorRows);
  const StageOperatorRow* const row = rows.Find(op_type);
  if (row == nullptr) return {};
  return row->kind;
}

}  // namespace backplane::onnx
