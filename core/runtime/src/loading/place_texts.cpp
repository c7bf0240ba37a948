#include "loading/network_parts.hpp"

#include "execution/run_text.hpp"
#include "graph/bindings.hpp"

#include <set>
#include <string>

namespace backplane {

namespace {

class Writer {
 public:
  Writer(const Graph& graph, const ExecutionPlan& plan, const std::vector<LoadedBackend>& backends,
         const KindTable& table)
      : network_("network \"" + graph.name + "\""),
        graph_(graph),
        plan_(plan),
        backends_(backends),
        table_(table) {}

  NetworkPlaceTexts Write() const {
    NetworkPlaceTexts texts;
    texts.network = network_;
    for (const PlannedStep& step : plan_.steps) texts.steps.push_back(DescribeStep(step));
    const std::vector<NetworkBinding> inputs = GetInputBindings(graph_);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      texts.bindings.push_back(DescribeBinding("input", inputs[i], plan_.inputs[i]));
    }
    const std::vector<NetworkBinding> outputs = GetOutputBindings(graph_);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      texts.bindings.push_back(DescribeBinding("output", outputs[i], plan_.outputs[i]));
    }
    return texts;
  }

 private:
  std::string GetId(std::uint32_t backend) const {
    return backend == kCoreBackend ? "" : backends_[backend].backend->id;
  }

  std::string DescribeStep(const PlannedStep& step) const {
    std::string text = DescribeLayer(graph_.layers[step.layer]) + " of " + network_;
    if (step.backend != kCoreBackend) return text + " on " + DescribeRunner(GetId(step.backend));
    return text + ", which the core runs" + DescribeOwners(step);
  }

  // Who may be called by a copy or an import.
  std::string DescribeOwners(const PlannedStep& step) const {
    std::set<std::string> ids;
    for (std::uint32_t i = 0; i < step.num_inputs + step.num_outputs; ++i) {
      const KindIndex kind = plan_.GetTensor(step.first_operand + i).kind;
      if (kind != kNoKind) ids.insert(GetId(table_.kinds[kind].owner));
    }
    ids.erase("");
    std::string text;
    for (const std::string& id : ids) {
      text += (text.empty() ? " with memory of " : " and ") + DescribeRunner(id);
    }
    return text;
  }

  std::string DescribeBinding(const char* what, const NetworkBinding& binding,
                              const PlannedBinding& planned) const {
    const KindIndex kind = plan_.tensors[planned.tensor].kind;
    std::string text = std::string(what) + " \"" + binding.name + "\" of " + network_;
    return kind == kNoKind
               ? text
               : text + ", in memory of " + DescribeRunner(GetId(table_.kinds[kind].owner));
  }

  const std::string network_;
  const Graph& graph_;
  const ExecutionPlan& plan_;
  const std::vector<LoadedBackend>& backends_;
  const KindTable& table_;
};

}  // namespace

NetworkPlaceTexts MakePlaceTexts(const Graph& graph, const ExecutionPlan& plan,
                                 const std::vector<LoadedBackend>& backends,
                                 const KindTable& table) {
  return Writer(graph, plan, backends, table).Write();
}

}  // namespace backplane
