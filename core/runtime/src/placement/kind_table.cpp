#include "placement/kind_table.hpp"

#include "tensors/host_tensor_handle.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace backplane {

namespace {

BackendCallArgs MakeCallArgs(const NetworkBackend& backend) {
  BackendCallArgs args;
  args.context = backend.GetContext();
  args.options = &backend.options;
  args.logger = backend.backend.GetOrigin()->logger.get();
  args.model_context = backend.model_context.Share();
  return args;
}

RegisteredMemory AskForFactories(const NetworkBackend& backend, std::set<std::string> taken) {
  FactoryCollector collector(backend.backend.GetOrigin(), std::move(taken));
  const BackendCallArgs args = MakeCallArgs(backend);
  auto result =
      backend.backend.Call<&IBackendInternal::RegisterTensorHandleFactories>(collector, args);
  if (!result.HasFailed()) return collector.Take();
  // What was refused before may be why.
  const auto& refusals = collector.Get().refusals;
  result.failure->causes.insert(result.failure->causes.end(), refusals.begin(), refusals.end());
  throw DiagnosticException(std::move(*result.failure));
}

std::vector<std::string> AskForPreferences(const NetworkBackend& backend) {
  const BackendCallArgs args = MakeCallArgs(backend);
  return backend.backend.Call<&IBackendInternal::GetHandleFactoryPreferences>(args).GetOrThrow();
}

bool IsOpenToCpu(const TensorKind& kind) {
  constexpr MemorySourceFlags kOfCpu =
      ToFlags(MemorySource::kMalloc) | ToFlags(MemorySource::kFileDescriptor);
  const TensorHandleFactoryProperties& properties = kind.properties;
  return IsMappable(kind) || ((properties.import_sources | properties.export_sources |
                               properties.copy_to_sources | properties.copy_from_sources) &
                              kOfCpu) != 0;
}

/// Numbers kinds and arenas, backend by backend.
class Collector {
 public:
  Collector(MemoryProtection protection, std::size_t num_backends,
            std::vector<Diagnostic>& warnings)
      : protection_(protection), warnings_(warnings) {
    // The kinds point into these.
    found_.objects.registered.reserve(num_backends);
    found_.table.kinds.push_back(MakeHostKind(protection));
    found_.objects.factories.push_back(nullptr);
    found_.objects.memory_managers.push_back(nullptr);
    ids_.insert(kHostTensorHandleFactoryId);
  }

  void Add(const NetworkBackend& backend) {
    const auto owner = static_cast<std::uint32_t>(found_.objects.registered.size());
    found_.objects.registered.push_back(AskForFactories(backend, ids_));
    const RegisteredMemory& registered = found_.objects.registered.back();
    warnings_.insert(warnings_.end(), registered.refusals.begin(), registered.refusals.end());
    const std::uint32_t first_arena = found_.table.num_arenas;
    for (const auto& manager : registered.memory_managers) {
      found_.objects.memory_managers.push_back(&manager);
      ++found_.table.num_arenas;
    }
    for (const RegisteredFactory& factory : registered.factories) {
      AddKind(factory, owner, first_arena);
    }
  }

  void AddPreferences(const NetworkBackend& backend) {
    std::vector<KindIndex> usable;
    // The backend takes handles of a kind with an id of its own for its own handles.
    const auto& taken = found_.objects.registered[found_.table.usable.size()].taken_ids;
    for (const std::string& id : AskForPreferences(backend)) {
      if (std::find(taken.begin(), taken.end(), id) != taken.end()) continue;
      const KindIndex kind = Find(id);
      const bool is_known = std::find(usable.begin(), usable.end(), kind) != usable.end();
      if (kind != kNoKind && !is_known && IsAllowed(found_.table.kinds[kind])) {
        usable.push_back(kind);
      }
    }
    if (usable.empty()) usable.push_back(kHostKind);
    found_.table.usable.push_back(std::move(usable));
  }

  NetworkKinds Take() {
    for (TensorKind& kind : found_.table.kinds) {
      if (!IsAllowed(kind)) Close(kind);
    }
    return std::move(found_);
  }

 private:
  void AddKind(const RegisteredFactory& factory, std::uint32_t owner, std::uint32_t first_arena) {
    TensorKind kind;
    kind.id = factory.id;
    kind.owner = owner;
    kind.properties = factory.properties;
    kind.arena = factory.memory_manager == kNoMemoryManager
                     ? 0
                     : first_arena + static_cast<std::uint32_t>(factory.memory_manager);
    if (!IsBound(kind)) kind.arena = kNoArena;
    ids_.insert(kind.id);
    found_.table.kinds.push_back(std::move(kind));
    found_.objects.factories.push_back(&factory.factory);
  }

  KindIndex Find(const std::string& id) const {
    const auto& kinds = found_.table.kinds;
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const TensorKind& kind) { return kind.id == id; });
    return found != kinds.end() ? static_cast<KindIndex>(found - kinds.begin()) : kNoKind;
  }

  bool IsAllowed(const TensorKind& kind) const {
    return protection_ == MemoryProtection::kNone || !IsOpenToCpu(kind);
  }

  // So that no way leads through it either.
  static void Close(TensorKind& kind) {
    TensorHandleFactoryProperties& properties = kind.properties;
    properties.supports_map_unmap = 0;
    properties.import_sources = 0;
    properties.export_sources = 0;
    properties.copy_to_sources = 0;
    properties.copy_from_sources = 0;
    properties.copies_within_backend = 0;
  }

  MemoryProtection protection_;
  std::vector<Diagnostic>& warnings_;
  std::set<std::string> ids_;
  NetworkKinds found_;
};

}  // namespace

TensorKind MakeHostKind(MemoryProtection protection) {
  TensorKind kind;
  kind.id = kHostTensorHandleFactoryId;
  kind.properties.supports_in_place = 1;
  if (protection == MemoryProtection::kProtected) {
    kind.properties.import_sources = kHostProtectedImportSources;
    kind.properties.export_sources = ToFlags(MemorySource::kDmaBufProtected);
  } else {
    kind.properties.supports_map_unmap = 1;
    kind.properties.import_sources = kHostImportSources;
    kind.properties.export_sources = ToFlags(MemorySource::kMalloc);
  }
  return kind;
}

NetworkKinds CollectKinds(const std::vector<std::shared_ptr<const NetworkBackend>>& backends,
                          MemoryProtection protection, std::vector<Diagnostic>& warnings) {
  Collector collector(protection, backends.size(), warnings);
  for (const auto& backend : backends) collector.Add(*backend);
  for (const auto& backend : backends) collector.AddPreferences(*backend);
  return collector.Take();
}

}  // namespace backplane
