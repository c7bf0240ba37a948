#include "kind_maker.hpp"

#include "conformance/test_layer.hpp"

#include <algorithm>
#include <utility>

namespace backplane {

namespace {

/// Stands for a tensor; it is never bound.
struct UnboundHandle final : conformance::MemoryHandle {
  UnboundHandle() : MemoryHandle(TensorInfo(), nullptr) { is_bound = false; }
};

class AnsweringFactory final : public ITensorHandleFactory {
 public:
  AnsweringFactory(std::string id, const FactoryProperties& properties, FactoryAnswers answers)
      : id_(std::move(id)), properties_(properties), answers_(std::move(answers)) {}

  const char* GetId() const override { return id_.c_str(); }
  Status GetProperties(TensorHandleFactoryProperties* properties) const override {
    *properties = properties_;
    return Status::kSuccess;
  }
  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override {
    return answers_.get_requirements ? answers_.get_requirements(args) : MemoryRequirements();
  }
  std::unique_ptr<ITensorHandle> CreateTensorHandle(
      const TensorHandleArgs& /*args*/) const override {
    return std::make_unique<UnboundHandle>();
  }
  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& args) const override {
    const bool makes_it = !answers_.makes_sub_tensor || answers_.makes_sub_tensor(args);
    return makes_it ? std::make_unique<UnboundHandle>() : nullptr;
  }

 private:
  const std::string id_;
  const FactoryProperties properties_;
  const FactoryAnswers answers_;
};

}  // namespace

FactoryProperties Mappable() {
  FactoryProperties properties;
  properties.supports_map_unmap = 1;
  return properties;
}

FactoryProperties Importing(MemorySource source) {
  FactoryProperties properties;
  properties.import_sources = ToFlags(source);
  return properties;
}

FactoryProperties Exporting(MemorySource source) {
  FactoryProperties properties;
  properties.export_sources = ToFlags(source);
  return properties;
}

FactoryProperties Opaque() {
  FactoryProperties properties;
  properties.layout = TensorLayout::kOpaque;
  return properties;
}

FactoryAnswers AskingFor(std::uint64_t alignment_bytes, std::uint64_t padding_bytes) {
  FactoryAnswers answers;
  answers.get_requirements = [=](const TensorRequirementsArgs& args) {
    MemoryRequirements requirements;
    requirements.size_bytes = args.info->GetSizeBytes() + padding_bytes;
    requirements.alignment_bytes = alignment_bytes;
    return requirements;
  };
  return answers;
}

std::unique_ptr<ITensorHandleFactory> MakeFactory(const std::string& id,
                                                  const FactoryProperties& properties,
                                                  const FactoryAnswers& answers) {
  return std::make_unique<AnsweringFactory>(id, properties, answers);
}

KindMaker::KindMaker(MemoryProtection protection) {
  kinds_.table.kinds.push_back(MakeHostKind(protection));
  kinds_.objects.factories.push_back(nullptr);
}

std::uint32_t KindMaker::AddBackend(const std::string& id) {
  backend_ids_.push_back(id);
  kinds_.table.usable.push_back({kHostKind});
  return static_cast<std::uint32_t>(backend_ids_.size() - 1);
}

KindIndex KindMaker::Add(std::uint32_t backend, const std::string& id,
                         const FactoryProperties& properties, const FactoryAnswers& answers,
                         std::uint32_t arena) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = backend_ids_[backend];
  origin->declared_version = kBackendApiVersion;
  factories_.push_back(std::make_unique<PluginObject<ITensorHandleFactory>>(
      MakeFactory(id, properties, answers), std::move(origin)));
  TensorKind kind;
  kind.id = id;
  kind.owner = backend;
  kind.properties = properties;
  kind.arena = IsBound(kind) ? arena : kNoArena;
  kinds_.table.kinds.push_back(std::move(kind));
  kinds_.table.num_arenas = std::max(kinds_.table.num_arenas, arena + 1);
  kinds_.objects.factories.push_back(factories_.back().get());
  return static_cast<KindIndex>(kinds_.table.kinds.size() - 1);
}

void KindMaker::Prefer(std::uint32_t backend, const std::vector<KindIndex>& kinds) {
  kinds_.table.usable[backend] = kinds;
}

}  // namespace backplane
