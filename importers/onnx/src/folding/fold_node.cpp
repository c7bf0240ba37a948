#include "folding/fold_node.hpp"

#include "folding/folding.hpp"
#include "nodes/i_graph_import.hpp"
#include "nodes/rows_by_type.hpp"
#include "operators/operator_table.hpp"

#include <new>

namespace backplane::onnx {
namespace {

enum class FoldedInputs { kShapes, kValues };

struct FoldingRow {
  const char* op_type;
  FoldedInputs inputs;
  FoldFunction fold;
};

constexpr FoldingRow kFoldingRows[] = {
#define BACKPLANE_ONNX_FOLDING(family, op, inputs) {#op, FoldedInputs::inputs, &Fold##op},
#include "folding/foldings.def"
#undef BACKPLANE_ONNX_FOLDING
};

const FoldingRow* FindRow(const std::string& domain, const std::string& op_type) {
  if (!domain.empty()) return nullptr;
  static const RowsByType<FoldingRow> rows(kFoldingRows);
  return rows.Find(op_type);
}

void SetOutputs(Node& node, const Folded& results) {
  for (std::size_t index = 0; index < results.size(); ++index) {
    const FoldedTensor& result = results[index];
    const std::string name = node.GetName() + "/" + std::to_string(index);
    node.SetOutput(index,
                   MakeConstant(result.info, node.GetScope().import.ShareConstant(
                                                 name, result.bytes, result.info.GetSizeBytes())));
  }
}

}  // namespace

bool CanFold(const std::string& domain, const std::string& op_type) {
  return FindRow(domain, op_type) != nullptr;
}

bool FoldNode(Node& node, MemoryBudget& budget) {
  const std::string domain = NormaliseDomain(node.GetProto().domain());
  const FoldingRow* row = FindRow(domain, node.GetProto().op_type());
  if (row == nullptr) return false;
  try {
    if (row->inputs == FoldedInputs::kValues && !node.HasOnlyConstants()) return false;
    if (node.GetOpset() < 6) node.GetAttributes().Ignore("consumed_inputs");  // a hint on memory
    Folding folding(node, budget);
    const Folded results = row->fold(folding);
    node.GetAttributes().RefuseUnread();
    node.RefuseUnreadInputs();
    SetOutputs(node, results);
    return true;
  } catch (const NotFolded&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const DiagnosticException&) {
    if (FindConverter(domain, node.GetProto().op_type()) == nullptr) throw;
    return false;  // what is wrong is said when it is converted
  }
}

}  // namespace backplane::onnx
