#include "loading/loaded_kinds.hpp"

#include "loading/choose_arena.hpp"

#include <utility>

namespace backplane {

namespace {

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
