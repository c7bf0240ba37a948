// A backend that compiles: all connected ReLUs and sums of float32 become one layer that reads and
// writes memory once. Shows options, contexts, sub-graphs and states; for the rest begin with the
// minimal backend.

#include "compile.hpp"
#include "program.hpp"

#include <backplane/api/backend.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace example_fusing {
namespace {

using namespace backplane;

constexpr char kId[] = "Fusing";
constexpr char kFuseOption[] = "Fuse";
constexpr int kRank = 20;

/// The options of one network, read once.
struct ModelContext final : IBackendModelContext {
  bool is_fusing = true;
};

bool IsRelu(LayerType type, const BaseDescriptor& descriptor) {
  return type == LayerType::kActivation &&
         CopyDescriptor<ActivationDescriptor>(descriptor).function == ActivationFunction::kRelu;
}

bool IsSum(LayerType type, const BaseDescriptor& descriptor) {
  return type == LayerType::kElementwiseBinary &&
         CopyDescriptor<ElementwiseBinaryDescriptor>(descriptor).operation == BinaryOperation::kAdd;
}

class LayerSupport final : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    const bool is_known =
        IsRelu(query.layer_type, *query.descriptor) || IsSum(query.layer_type, *query.descriptor);
    bool has_one_shape = true;
    for (std::uint32_t index = 0; index < query.num_inputs; ++index) {
      const TensorInfo& input = *query.inputs[index];
      has_one_shape = has_one_shape && input.data_type == DataType::kFloat32 &&
                      input.shape == query.outputs[0]->shape;
    }
    if (is_known && has_one_shape) return true;
    reason = "only ReLU, and Add of two tensors of one shape, are supported, in float32";
    return false;
  }
};

class WorkloadFactory final : public IWorkloadFactory {
 public:
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    std::shared_ptr<const Program> program;
    if (args.layer_type == LayerType::kPreCompiled) {
      program = std::static_pointer_cast<const Program>(args.pre_compiled);
    } else {
      program = CompileLayer(args);
    }
    programs_.push_back(program);
    return MakeWorkload(program, args.outputs[0]->shape.GetNumElements());
  }

  /// Room for the largest program: called when all workloads are made.
  std::unique_ptr<IExecutionState> CreateExecutionState() override {
    auto state = std::make_unique<State>();
    for (const auto& program : programs_) Grow(*state, *program);
    return state;
  }

 private:
  std::vector<std::shared_ptr<const Program>> programs_;
};

/// Puts one PreCompiled layer in the place of all layers of the sub-graph.
OptimizationViews Replace(const OptimizeSubgraphArgs& args, const Compiled& compiled) {
  const SubgraphView& subgraph = *args.subgraph;
  const LayerView* first = nullptr;
  if (args.reader->GetLayer(subgraph.layers[0], &first) != Status::kSuccess) {
    throw std::logic_error("the sub-graph has a layer that cannot be read");
  }
  const std::vector<const TensorInfo*> output_infos(subgraph.outputs.size(),
                                                    first->output_infos[0]);
  const std::string name = "fused " + std::string(first->name);
  ReplacementLayer layer;
  layer.name = name.c_str();
  layer.inputs = compiled.inputs.data();
  layer.num_inputs = static_cast<std::uint32_t>(compiled.inputs.size());
  layer.output_infos = output_infos.data();
  layer.num_outputs = static_cast<std::uint32_t>(output_infos.size());

  SubgraphSubstitution substitution;
  substitution.original = subgraph;
  substitution.replacement.inputs = subgraph.inputs;
  LayerId id = 0;
  if (args.builder->AddPreCompiledLayer(layer, compiled.program, &id) != Status::kSuccess) {
    throw std::logic_error("the fused layer was refused");
  }
  substitution.replacement.layers = {id};
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    substitution.replacement.outputs.push_back({id, index});
  }
  OptimizationViews views;
  views.substitutions.push_back(substitution);
  return views;
}

class Backend final : public IBackendInternal {
 public:
  const char* GetId() const override { return kId; }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<WorkloadFactory>();
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<LayerSupport>();
  }

  BackendCapabilities GetCapabilities() const override { return {{kCapabilityRank, kRank}}; }

  std::vector<OptionSchema> GetOptionSchemas() const override {
    OptionSchema fuse;
    fuse.name = kFuseOption;
    fuse.type = OptionType::kBool;
    fuse.default_value = true;
    fuse.text = "Whether connected layers become one.";
    return {fuse};
  }

  std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& args) const override {
    auto context = std::make_shared<ModelContext>();
    for (const BackendOption& option : args.options->options) {
      if (option.name == kFuseOption) context->is_fusing = option.value.int_value != 0;
    }
    return context;
  }

  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    const auto context = std::static_pointer_cast<const ModelContext>(args.model_context);
    if (!context->is_fusing) return IBackendInternal::OptimizeSubgraphView(args);
    const std::optional<Compiled> compiled = Compile(args);
    if (!compiled) return IBackendInternal::OptimizeSubgraphView(args);
    if (args.logger->IsEnabled(LogLevel::kDebug)) {
      const std::string text = std::to_string(args.subgraph->layers.size()) + " layers become one";
      static_cast<void>(args.logger->Log(LogLevel::kDebug, text.c_str()));
    }
    return Replace(args, *compiled);
  }
};

}  // namespace
}  // namespace example_fusing

BACKPLANE_BACKEND(example_fusing::Backend, example_fusing::kId);
