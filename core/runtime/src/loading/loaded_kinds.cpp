#include "loading/loaded_kinds.hpp"

#include "loading/loaded_backend.hpp"
#include "memory/arena_block.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
  return MakeBlockGiver(first);
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

void LogUnusedAllocators(const std::vector<LoadedBackend>& backends) {
  const bool has_one = std::any_of(backends.begin(), backends.end(), [](const auto& backend) {
    return static_cast<bool>(GetAllocator(backend));
  });
  if (!has_one) return;
  Log("loading", LogLevel::kInfo,
      "the tensors of a network lie in memory of the host: its backends " + ListBackends(backends) +
          " do not have the same custom allocator");
}

// Decides where the one arena of a network comes from, which all its backends must reach.
//   In protected mode: the allocator, when all backends have this very one.
//   Else: the application's allocator, when all backends have this very one; else the host.
// Errors: DiagnosticException with kUnprotectedMemory, when there is no such allocator in
// protected mode.
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
  LogUnusedAllocators(backends);
  return std::make_unique<ArenaSource>();
}

bool AreSame(const TensorHandleFactoryProperties& a, const TensorHandleFactoryProperties& b) {
  return a.layout == b.layout && a.supports_sub_tensors == b.supports_sub_tensors &&
         a.supports_map_unmap == b.supports_map_unmap &&
         a.supports_in_place == b.supports_in_place && a.import_sources == b.import_sources &&
         a.export_sources == b.export_sources && a.owns_memory == b.owns_memory &&
         a.copy_to_sources == b.copy_to_sources && a.copy_from_sources == b.copy_from_sources &&
         a.copies_within_backend == b.copies_within_backend;
}

[[noreturn]] void ThrowDisagrees(const std::string& backend_id, const std::string& found,
                                 const std::string& expected) {
  Diagnostic diagnostic{DiagnosticCode::kFactoryDisagrees};
  diagnostic.subject = {SubjectKind::kBackend, backend_id};
  diagnostic.what = "the tensor-handle factories of backend \"" + backend_id +
                    "\" are not those that the network was optimised for";
  diagnostic.why = "found " + found + "; expected " + expected;
  diagnostic.fix =
      "report this to the vendor of the backend: RegisterTensorHandleFactories must "
      "register the same factories each time";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

NetworkKinds LoadKinds(const std::vector<std::shared_ptr<const NetworkBackend>>& backends,
                       MemoryProtection protection, const KindTable& expected) {
  std::vector<Diagnostic> refused_before;  // told when the network was optimised
  NetworkKinds kinds = CollectKinds(backends, protection, refused_before);
  const auto& found = kinds.table.kinds;
  for (std::size_t i = 0; i < found.size() || i < expected.kinds.size(); ++i) {
    const std::string found_id = i < found.size() ? found[i].id : "none";
    const std::string expected_id = i < expected.kinds.size() ? expected.kinds[i].id : "none";
    const std::uint32_t owner = i < found.size() ? found[i].owner : expected.kinds[i].owner;
    if (owner == kCoreBackend) continue;
    if (found_id != expected_id) ThrowDisagrees(backends[owner]->id, found_id, expected_id);
    if (!AreSame(found[i].properties, expected.kinds[i].properties) ||
        found[i].arena != expected.kinds[i].arena) {
      ThrowDisagrees(backends[owner]->id, found_id + " with other properties",
                     "what it said before");
    }
  }
  return kinds;
}

std::vector<std::unique_ptr<ArenaSource>> MakeArenaSources(
    const std::vector<LoadedBackend>& backends, MemoryProtection protection,
    const KindObjects& objects) {
  std::vector<std::unique_ptr<ArenaSource>> sources;
  sources.push_back(ChooseArena(backends, protection));
  const bool is_protected = protection == MemoryProtection::kProtected;
  const BlockRule rule = is_protected ? BlockRule::kProtected : BlockRule::kOfFactories;
  for (std::size_t arena = 1; arena < objects.memory_managers.size(); ++arena) {
    sources.push_back(
        std::make_unique<ArenaSource>(MakeBlockGiver(*objects.memory_managers[arena]), rule));
  }
  return sources;
}

}  // namespace backplane
