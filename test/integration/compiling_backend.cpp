#include "compiling_backend.hpp"

#include "compiled_program.hpp"

#include <backplane/api/subgraph_parts.hpp>
#include <backplane/host/logging.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace {

using Inner = std::shared_ptr<const IBackendInternal>;

class Factory final : public IWorkloadFactory {
 public:
  explicit Factory(std::unique_ptr<IWorkloadFactory> inner) : inner_(std::move(inner)) {}

  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    if (args.layer_type != LayerType::kPreCompiled) return inner_->CreateWorkload(args);
    return MakeProgramWorkload(std::static_pointer_cast<const CompiledProgram>(args.pre_compiled),
                               *inner_);
  }

 private:
  std::unique_ptr<IWorkloadFactory> inner_;
};

class Support final : public ILayerSupport {
 public:
  Support(CompilingBackend backend, std::shared_ptr<const ILayerSupport> inner)
      : backend_(std::move(backend)), inner_(std::move(inner)) {}

  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    if (backend_.takes(query.layer_name)) return inner_->IsLayerSupported(query, reason);
    reason = "it does not take this layer";
    return false;
  }

 private:
  CompilingBackend backend_;
  std::shared_ptr<const ILayerSupport> inner_;
};

class Backend final : public IBackendInternal {
 public:
  Backend(CompilingBackend backend, Inner inner)
      : backend_(std::move(backend)), inner_(std::move(inner)) {}

  const char* GetId() const override { return backend_.id.c_str(); }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    return std::make_unique<Factory>(inner_->CreateWorkloadFactory(args));
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& args) const override {
    return std::make_shared<Support>(backend_, inner_->GetLayerSupport(args));
  }

  // Consecutive layers that are treated in one way are a part: none of them needs a later one.
  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    OptimizationViews views;
    std::vector<LayerId> run;
    Treatment current = Treatment::kLeave;
    for (const LayerId id : args.subgraph->layers) {
      const LayerView* layer = nullptr;
      if (args.reader->GetLayer(id, &layer) != Status::kSuccess) continue;
      const Treatment next = backend_.treats(layer->name);
      if (next != current) Finish(args, current, run, views);
      current = next;
      run.push_back(id);
    }
    Finish(args, current, run, views);
    return views;
  }

 private:
  void Finish(const OptimizeSubgraphArgs& args, Treatment treatment, std::vector<LayerId>& run,
              OptimizationViews& views) const {
    if (run.empty()) return;
    const SubgraphView part = MakeSubgraphPart(args, run);
    run.clear();
    if (treatment == Treatment::kFail) views.failed.push_back(part);
    if (treatment == Treatment::kLeave) views.untouched.push_back(part);
    if (treatment != Treatment::kCompile) return;
    const auto program = std::make_shared<CompiledProgram>(args, part, backend_.in_place);
    const Status status = ReplaceByPreCompiled(args, part, program, "program", &views);
    if (status != Status::kSuccess) views.untouched.push_back(part);
  }

  CompilingBackend backend_;
  Inner inner_;
};

/// What makes the backend of some entry points. It is registered nowhere else.
BackendFactoryFunction FindFactory(const StaticEntryPoints& entry_points) {
  BackendRegistry registry;
  RegisterStaticBackend(entry_points, registry);
  return registry.GetFactory(registry.GetBackendIds().front());
}

}  // namespace

BackendRegistration MakeRegistration(const CompilingBackend& backend) {
  BackendRegistration registration;
  registration.origin = std::make_shared<PluginOrigin>(PluginOrigin{
      backend.id, IBackendInternal::GetApiVersion(), nullptr, CreateBackendLogger(backend.id)});
  registration.factory = [backend, make_inner = FindFactory(backend.inner)] {
    return std::make_unique<Backend>(backend, make_inner());
  };
  registration.source = "static";
  return registration;
}

}  // namespace backplane
