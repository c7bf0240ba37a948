#include "folding/fold_node.hpp"

#include "folding/evaluation.hpp"
#include "folding/folding.hpp"
#include "nodes/i_graph_import.hpp"
#include "nodes/rows_by_type.hpp"
#include "operators/operator_table.hpp"

#include <backplane/api/exceptions.hpp>

#include <new>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

struct FoldingRow {
  const char* op_type;
  FoldedInputs inputs;
  ConvertFunction fold;  // null: its conversion
};

constexpr FoldingRow kFoldingRows[] = {
#define BACKPLANE_ONNX_FOLDING(op, inputs) {#op, FoldedInputs::inputs, nullptr},
#define BACKPLANE_ONNX_CHOICE(op, inputs) {#op, FoldedInputs::inputs, &Fold##op},
#include "folding/foldings.def"
#undef BACKPLANE_ONNX_FOLDING
#undef BACKPLANE_ONNX_CHOICE
};

const FoldingRow* FindRow(const std::string& domain, const std::string& op_type) {
  if (!domain.empty()) return nullptr;
  static const RowsByType<FoldingRow> rows(kFoldingRows);
  return rows.Find(op_type);
}

/// A node by itself, in a network of its own, whose layers are computed as they are added.
class FoldedNode {
 public:
  FoldedNode(Node& node, const FoldingRow& row)
      : node_(node),
        outer_(node.GetScope()),
        proto_(node.GetProto()),
        network_(INetwork::Create(node.GetName())),
        evaluation_(*network_, outer_.import.GetBudget(), row.inputs),
        scope_(outer_.import, *network_, outer_.prefix, nullptr,
               outer_.values.GetPath() + "folded,"),
        row_(row) {
    scope_.versions = outer_.versions;
    scope_.names_read = outer_.names_read;
    scope_.values.Observe(&evaluation_);
    for (const std::string& name : proto_.input()) AddInput(name);
  }

  /// Gives the node its outputs.
  /// Errors: as Evaluation, and those of the conversion.
  void Fold() {
    Node own(node_, scope_);
    ConvertByTable(own, row_.fold != nullptr ? row_.fold : FindConverter("", proto_.op_type()));
    for (int index = 0; index < proto_.output_size(); ++index) {
      const std::string& name = proto_.output(index);
      const Value* const value = name.empty() ? nullptr : scope_.values.Find(name);
      if (value == nullptr) continue;
      const auto data = value->is_constant ? value->data : evaluation_.Find(*value->slot);
      node_.SetOutput(static_cast<std::size_t>(index),
                      MakeConstant(value->info, outer_.import.ShareConstant(
                                                    node_.GetName() + "/" + std::to_string(index),
                                                    data, value->info.GetSizeBytes())));
    }
  }

 private:
  // An input of the network, also of a constant: nobody is to know its content again.
  void AddInput(const std::string& name) {
    const Value* const value = name.empty() ? nullptr : outer_.values.Find(name);
    if (value == nullptr || scope_.values.Find(name) != nullptr) return;
    Value own = *value;
    own.info.quantization = {};
    if (own.kind == StageValue::Kind::kTensor) {
      own.slot = network_->AddInputLayer(own.info, name);
      evaluation_.SeeConstant(own.slot->layer, own.data);
    }
    scope_.values.Add(name, std::move(own));
  }

  Node& node_;
  const Scope& outer_;
  const ::onnx::NodeProto& proto_;
  const std::unique_ptr<INetwork> network_;
  Evaluation evaluation_;
  Scope scope_;
  const FoldingRow& row_;
};

}  // namespace

bool CanFold(const std::string& domain, const std::string& op_type) {
  return FindRow(domain, op_type) != nullptr;
}

bool FoldNode(Node& node) {
  const std::string domain = NormaliseDomain(node.GetProto().domain());
  const FoldingRow* const row = FindRow(domain, node.GetProto().op_type());
  if (row == nullptr) return false;
  if (row->inputs != FoldedInputs::kShapes && !node.HasOnlyConstants()) return false;
  try {
    FoldedNode(node, *row).Fold();
    return true;
  } catch (const NotFolded&) {
    return false;
  } catch (const InvalidArgumentException&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  } catch (const DiagnosticException&) {
    if (row->fold != nullptr) throw;
    return false;  // what is wrong is said when it is converted
  }
}

}  // namespace backplane::onnx
