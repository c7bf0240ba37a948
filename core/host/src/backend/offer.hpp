// A sub-graph that is offered to a backend over its table.
#pragma once

#include "backend/custom_layers.hpp"
#include "backend/host_table.hpp"
#include "backend/instance.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace backplane::backend {

/// A sub-graph that a backend compiled.
class TableCompiled final : public IPreCompiledObject {
 public:
  TableCompiled(InstanceShare instance, bp_compiled* compiled)
      : instance_(std::move(instance)), compiled_(compiled) {}
  ~TableCompiled() override;
  std::shared_ptr<const IPreCompiledObject> Resize(const ResizeArgs& args) const override;
  std::vector<InPlacePair> GetInPlacePairs() const override;
  /// From here on the host frees it.
  void Own() { is_owned_ = true; }
  bp_compiled* Get() const { return compiled_; }

 private:
  InstanceShare instance_;
  bp_compiled* compiled_;
  bool is_owned_ = false;
};

class Offer {
 public:
  /// Borrows the arguments.
  Offer(InstanceShare instance, const OptimizeSubgraphArgs& args);

  /// Offers it.
  /// Errors: DiagnosticException.
  OptimizationViews Run();

 private:
  struct ShownLayer : CLayer {
    explicit ShownLayer(const LayerView& view)
        : CLayer(view.layer_type, view.name, view.descriptor, view.input_infos, view.num_inputs,
                 view.output_infos, view.num_outputs),
          constants(view.constants, view.num_inputs) {
      layer.constants = constants.Get();
      layer.slots = c_form::ToC(view.inputs);
      layer.id = view.id;
    }

    c_form::CConstants constants;
  };

  void AddLayer(LayerId id);
  Status Own(bp_compiled* compiled, const bp_offer::AddCompiled& add);

  InstanceShare instance_;
  const OptimizeSubgraphArgs& args_;
  bp_offer offer_;
  std::map<bp_compiled*, std::shared_ptr<TableCompiled>> compiled_;
  std::deque<ShownLayer> layers_;
  std::vector<const bp_layer*> pointers_;
};

}  // namespace backplane::backend
