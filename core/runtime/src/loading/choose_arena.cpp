#include "loading/choose_arena.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace backplane {

namespace {

// A network that was optimised for a runtime has contexts.
const PluginObject<ICustomAllocator>& GetAllocator(const LoadedBackend& backend) {
  return backend.backend->context->GetAllocator();
}

// The one allocator that all backends have, or null.
std::unique_ptr<BlockGiver> FindCommonAllocator(const std::vector<LoadedBackend>& backends) {
  if (backends.empty()) return nullptr;
  const PluginObject<ICustomAllocator>& first = GetAllocator(backends.front());
  const bool is_common =
      std::all_of(backends.begin(), backends.end(), [&](const LoadedBackend& backend) {
        return GetAllocator(backend).Share().get() == first.Share().get();
      });
  if (!first || !is_common) return nullptr;
  return MakeBlockGiver(first, backends.front().backend->context->GetAllocatorOwner());
}

std::string ListBackends(const std::vector<LoadedBackend>& backends) {
  std::string list;
  for (const LoadedBackend& backend : backends) {
    list += (list.empty() ? "\"" : ", \"") + backend.backend->id + "\"";
  }
  return list;
}

[[noreturn]] void ThrowNoCommonMemory(const std::vector<LoadedBackend>& backends) {
  Diagnostic diagnostic{DiagnosticCode::kUnprotectedMemory};
  diagnostic.subject.kind = SubjectKind::kNetwork;
  diagnostic.what = "the backends of the network have no protected memory in common";
  diagnostic.why = (backends.empty() ? "found no backend" : "found different allocators for ") +
                   ListBackends(backends) +
                   "; expected one and the same allocator, because all tensors lie in one block";
  diagnostic.fix =
      "place the network on one backend, or give the same allocator to all of them in "
      "CreationOptions::custom_allocators";
  throw DiagnosticException(std::move(diagnostic));
}

std::unique_ptr<ArenaSource> MakeSource(std::unique_ptr<BlockGiver> giver, BlockRule rule) {
  return std::make_unique<ArenaSource>(std::move(giver), rule);
}

// Of the only backend of a network.
std::unique_ptr<ArenaSource> ChooseOwn(const LoadedBackend& backend) {
  if (backend.memory_manager) {
    return MakeSource(MakeBlockGiver(backend.memory_manager), BlockRule::kCpuElseHost);
  }
  const PluginObject<IBackendInternal>& maker = backend.backend->backend;
  auto allocator = maker.Call<&IBackendInternal::GetDefaultAllocator>();
  PluginObject<ICustomAllocator> own{std::move(allocator.GetOrThrow()), maker.GetOrigin()};
  if (!own) return std::make_unique<ArenaSource>();
  return MakeSource(MakeBlockGiver(std::move(own), AllocatorOwner::kBackend),
                    BlockRule::kCpuElseHost);
}

void LogUnusedAllocators(const std::vector<LoadedBackend>& backends) {
  const bool has_one = std::any_of(backends.begin(), backends.end(), [](const auto& backend) {
    return static_cast<bool>(GetAllocator(backend));
  });
  if (!has_one) return;
  Log("loading", LogLevel::kInfo,
      "the tensors of a network lie in memory of the host: its backends " + ListBackends(backends) +
          " do not have the same custom allocator");
}

}  // namespace

std::unique_ptr<ArenaSource> ChooseArena(const std::vector<LoadedBackend>& backends,
                                         MemoryProtection protection) {
  std::unique_ptr<BlockGiver> common = FindCommonAllocator(backends);
  if (protection == MemoryProtection::kProtected) {
    if (!common) ThrowNoCommonMemory(backends);
    return MakeSource(std::move(common), BlockRule::kProtected);
  }
  if (common) return MakeSource(std::move(common), BlockRule::kCpu);
  const bool has_isolated = std::any_of(backends.begin(), backends.end(), [](const auto& backend) {
    return backend.factory.GetOrigin()->isolation != nullptr;
  });
  if (has_isolated) return std::make_unique<ArenaSource>(HostMemory::kShared);
  if (backends.size() == 1) return ChooseOwn(backends.front());
  LogUnusedAllocators(backends);
  return std::make_unique<ArenaSource>();
}

}  // namespace backplane
