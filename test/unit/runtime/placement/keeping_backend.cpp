#include "placement/keeping_backend.hpp"

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/subgraph_parts.hpp>
#include <backplane/host/logging.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {

namespace {

/// The compiled form of a chain: how many layers it has.
struct KeepingBackendCompiled final : IPreCompiledObject {
  explicit KeepingBackendCompiled(std::uint8_t number) : num_layers(number) {}
  std::uint8_t num_layers;
};

class Workload final : public IWorkload {
 public:
  explicit Workload(std::uint8_t added) : added_(added) {}

  Status Execute(const ExecuteArgs& args) const override {
    const RunTensor output = args.GetOutput(0);
    for (std::uint64_t i = 0; i < output.GetView()->num_bytes / sizeof(float); ++i) {
      output.Get<float>()[i] = args.GetInput(0).Get<float>()[i] + static_cast<float>(added_);
    }
    return Status::kSuccess;
  }

 private:
  std::uint8_t added_;
};

class Factory final : public IWorkloadFactory {
 public:
  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    const auto compiled = std::static_pointer_cast<const KeepingBackendCompiled>(args.pre_compiled);
    return std::make_unique<Workload>(compiled ? compiled->num_layers : std::uint8_t{1});
  }
};

class Support final : public ILayerSupport {
 public:
  bool IsLayerSupported(const LayerSupportQuery& /*query*/,
                        std::string& /*reason*/) const override {
    return true;
  }
};

class Backend final : public IBackendInternal {
 public:
  explicit Backend(std::shared_ptr<KeepingBackend> state) : state_(std::move(state)) {}

  const char* GetId() const override { return "K"; }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return std::make_unique<Factory>();
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return std::make_shared<Support>();
  }
  std::vector<OptionSchema> GetOptionSchemas() const override {
    OptionSchema schema;
    schema.name = "Fast";
    return {schema};
  }

  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    const auto compiled = std::make_shared<KeepingBackendCompiled>(LoadOrCompile(args));
    OptimizationViews views;
    const Status status = ReplaceByPreCompiled(args, *args.subgraph, compiled, "compiled", &views);
    if (status != Status::kSuccess) views.untouched.push_back(*args.subgraph);
    return views;
  }

 private:
  std::uint8_t LoadOrCompile(const OptimizeSubgraphArgs& args) const {
    std::vector<std::uint8_t> content;
    if (args.cache != nullptr &&
        args.cache->Load(state_->key.c_str(), &content) == Status::kSuccess) {
      ++state_->num_loaded;
      return content.at(0);
    }
    ++state_->num_compiled;
    const auto made = static_cast<std::uint8_t>(args.subgraph->layers.size());
    if (args.cache != nullptr) {
      static_cast<void>(args.cache->Store(state_->key.c_str(), &made, sizeof(made)));
    }
    return made;
  }

  std::shared_ptr<KeepingBackend> state_;
};

}  // namespace

BackendRegistration MakeRegistration(const std::shared_ptr<KeepingBackend>& backend) {
  BackendRegistration registration;
  registration.origin = std::make_shared<PluginOrigin>(
      PluginOrigin{"K", IBackendInternal::GetApiVersion(), nullptr, CreateBackendLogger("K")});
  registration.factory = [backend] { return std::make_unique<Backend>(backend); };
  registration.source = "static";
  return registration;
}

}  // namespace backplane
