// A sub-graph that is offered to a backend over its table.
#pragma once

#include "table/custom_layers.hpp"
#include "table/host_table.hpp"
#include "table/instance.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <deque>
#include <vector>

namespace backplane::table {

/// What a backend compiled.
class TableCompiled final : public IPreCompiledObject {
 public:
  TableCompiled(InstanceShare instance, bp_compiled* compiled)
      : instance_(std::move(instance)), compiled_(compiled) {}
  ~TableCompiled() override;
  bp_compiled* Get() const { return compiled_; }

 private:
  InstanceShare instance_;
  bp_compiled* compiled_;
};

class Offer {
 public:
  /// Borrows the arguments.
  Offer(InstanceShare instance, const OptimizeSubgraphArgs& args);

  /// Offers it.
  /// Errors: DiagnosticException.
  OptimizationViews Run();

 private:
  struct ShownLayer {
    explicit ShownLayer(const LayerView& view)
        : inputs(view.input_infos, view.num_inputs),
          outputs(view.output_infos, view.num_outputs),
          constants(view.constants, view.num_inputs),
          descriptor(view.layer_type, view.descriptor),
          layer(c_form::Make<bp_layer>()) {
      layer.type = static_cast<std::uint32_t>(view.layer_type);
      layer.name = view.name;
      layer.descriptor = descriptor.Get();
      layer.inputs = inputs.Get();
      layer.outputs = outputs.Get();
      layer.num_inputs = view.num_inputs;
      layer.num_outputs = view.num_outputs;
      layer.constants = constants.Get();
      layer.slots = c_form::ToC(view.inputs);
      layer.id = view.id;
    }
    ShownLayer(const ShownLayer&) = delete;
    ShownLayer& operator=(const ShownLayer&) = delete;

    c_form::CInfos inputs;
    c_form::CInfos outputs;
    c_form::CConstants constants;
    CDescriptor descriptor;
    bp_layer layer;
  };

  void AddLayer(LayerId id);

  InstanceShare instance_;
  const OptimizeSubgraphArgs& args_;
  bp_offer offer_;
  std::deque<ShownLayer> layers_;
  std::vector<const bp_layer*> pointers_;
};

}  // namespace backplane::table
