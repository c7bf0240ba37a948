/// A backend that compiles each Activation layer of float32 into a layer of its own, which
/// multiplies by the number behind the last blank of the layer's name. It hands them over in their
/// order where the file that MOCK_ORDER_FILE names is missing, and makes that file; else in the
/// opposite order, as a backend that compiles with several threads may. Where the file that
/// MOCK_REFUSAL_FILE names is there, it supports nothing.

#include <backplane/api/backend.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

class Factor final : public backplane::IPreCompiledObject {
 public:
  explicit Factor(const std::string& name)
      : factor_(std::strtof(name.c_str() + name.find_last_of(' ') + 1, nullptr)) {}
  float Get() const { return factor_; }

 private:
  float factor_;
};

bool IsThere(const char* path) {
  return path != nullptr && std::ifstream(path).good();
}

bool IsFirst() {
  const char* const path = std::getenv("MOCK_ORDER_FILE");
  if (path == nullptr || IsThere(path)) return false;
  std::ofstream(path) << "compiled\n";
  return true;
}

class LayerSupport final : public backplane::ILayerSupport {
 public:
  bool IsLayerSupported(const backplane::LayerSupportQuery& query,
                        std::string& reason) const override {
    const bool has_refusal = IsThere(std::getenv("MOCK_REFUSAL_FILE"));
    if (query.layer_type == backplane::LayerType::kActivation && !has_refusal) return true;
    reason = has_refusal ? "nothing is supported now" : "only Activation is supported";
    return false;
  }
};

class Workload final : public backplane::IWorkload {
 public:
  Workload(float factor, std::int64_t num_elements)
      : factor_(factor), num_elements_(num_elements) {}

  backplane::Status Execute(const backplane::ExecuteArgs& args) const override {
    const auto* const from = args.GetInput(0).Get<float>();
    auto* const to = args.GetOutput(0).Get<float>();
    if (from == nullptr || to == nullptr) return backplane::Status::kInvalidArgument;
    for (std::int64_t i = 0; i < num_elements_; ++i) to[i] = from[i] * factor_;
    return backplane::Status::kSuccess;
  }

 private:
  float factor_;
  std::int64_t num_elements_;
};

class WorkloadFactory final : public backplane::IWorkloadFactory {
 public:
  std::unique_ptr<backplane::IWorkload> CreateWorkload(
      const backplane::WorkloadArgs& args) override {
    if (!args.pre_compiled) return nullptr;
    return std::make_unique<Workload>(static_cast<const Factor&>(*args.pre_compiled).Get(),
                                      args.outputs[0]->shape.GetNumElements());
  }
};

class UnorderedBackend final : public backplane::IBackendInternal {
 public:
  const char* GetId() const override { return BACKPLANE_MOCK_NAME; }

  std::unique_ptr<backplane::IWorkloadFactory> CreateWorkloadFactory(
      const backplane::WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::shared_ptr<const backplane::ILayerSupport> GetLayerSupport(
      const backplane::LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }

  backplane::OptimizationViews OptimizeSubgraphView(
      const backplane::OptimizeSubgraphArgs& args) const override {
    std::vector<backplane::LayerId> order = args.subgraph->layers;
    if (!IsFirst()) std::reverse(order.begin(), order.end());
    backplane::SubgraphSubstitution substitution;
    substitution.original = *args.subgraph;
    substitution.replacement.inputs = args.subgraph->inputs;
    substitution.replacement.outputs = args.subgraph->outputs;
    for (const backplane::LayerId original : order) {
      const backplane::LayerView* view = nullptr;
      backplane::LayerId id = 0;
      if (args.reader->GetLayer(original, &view) != backplane::Status::kSuccess) return {};
      backplane::ReplacementLayer layer;
      layer.layer_type = backplane::LayerType::kPreCompiled;
      layer.name = view->name;
      layer.inputs = view->inputs;
      layer.num_inputs = 1;
      layer.output_infos = view->output_infos;
      layer.num_outputs = 1;
      if (args.builder->AddPreCompiledLayer(layer, std::make_shared<Factor>(view->name), &id) !=
          backplane::Status::kSuccess) {
        return {};
      }
      substitution.replacement.layers.push_back(id);
      for (backplane::OutputSlot& output : substitution.replacement.outputs) {
        if (output.layer == original) output = {id, 0};
      }
    }
    backplane::OptimizationViews views;
    views.substitutions.push_back(std::move(substitution));
    return views;
  }
};

}  // namespace

BACKPLANE_BACKEND(UnorderedBackend, BACKPLANE_MOCK_NAME);
