#include "operators/operator_table.hpp"

#include "nodes/node.hpp"
#include "nodes/rows_by_type.hpp"

#include <algorithm>
#include <iterator>

namespace backplane::onnx {
namespace {

struct OperatorRow {
  const char* domain;
  const char* op_type;
  ConvertFunction convert;
};

constexpr OperatorRow kOperatorRows[] = {
#define BACKPLANE_ONNX_OPERATOR(family, op) {"", #op, &Convert##op},
#include "operators.def"
#undef BACKPLANE_ONNX_OPERATOR
#define BACKPLANE_MICROSOFT_OPERATOR(family, op) {kMicrosoftDomain, #op, &ConvertMicrosoft##op},
#include "microsoft_operators.def"
#undef BACKPLANE_MICROSOFT_OPERATOR
#define BACKPLANE_PREVIEW_OPERATOR(family, op) {kPreviewDomain, #op, &ConvertPreview##op},
#include "preview_operators.def"
#undef BACKPLANE_PREVIEW_OPERATOR
};

constexpr RefusedOperator kRefused[] = {
#define BACKPLANE_REFUSED_OPERATOR(op, code, reason) {"", #op, DiagnosticCode::code, reason},
#include "refused_operators.def"
#undef BACKPLANE_REFUSED_OPERATOR
#define BACKPLANE_REFUSED_MICROSOFT_OPERATOR(op, reason) \
  {kMicrosoftDomain, #op, DiagnosticCode::kUnsupportedOperator, reason},
#include "refused_microsoft_operators.def"
#undef BACKPLANE_REFUSED_MICROSOFT_OPERATOR
#define BACKPLANE_REFUSED_DOMAIN(domain, reason) \
  {domain, "", DiagnosticCode::kUnsupportedOperator, reason},
#include "refused_domains.def"
#undef BACKPLANE_REFUSED_DOMAIN
};

}  // namespace

ConvertFunction FindConverter(const std::string& domain, const std::string& op_type) {
  static const RowsByType<OperatorRow> rows(kOperatorRows);
  const OperatorRow* const row =
      rows.Find(op_type, [&](const OperatorRow& entry) { return entry.domain == domain; });
  return row != nullptr ? row->convert : nullptr;
}

void ConvertByTable(Node& node, ConvertFunction convert) {
  if (node.GetOpset() < 6) node.GetAttributes().Ignore("consumed_inputs");  // a hint on memory
  convert(node);
  node.GetAttributes().RefuseUnread();
  node.RefuseUnreadInputs();
}

const RefusedOperator* FindRefused(const std::string& domain, const std::string& op_type) {
  const auto* row =
      std::find_if(std::begin(kRefused), std::end(kRefused), [&](const RefusedOperator& entry) {
        const bool is_whole_domain = *entry.op_type == '\0';
        return entry.domain == domain && (is_whole_domain || entry.op_type == op_type);
      });
  return row != std::end(kRefused) ? row : nullptr;
}

std::vector<std::string> GetSupportedOperators() {
  std::vector<std::string> names;
  for (const OperatorRow& row : kOperatorRows) {
    if (*row.domain == '\0') names.emplace_back(row.op_type);
  }
  return names;
}

}  // namespace backplane::onnx
