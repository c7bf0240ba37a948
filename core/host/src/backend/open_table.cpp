#include "backend/open_table.hpp"

#include "backend/table_backend.hpp"

#include <backplane/api/c_values.hpp>

#include <cstddef>
#include <mutex>
#include <utility>

namespace backplane::backend {
namespace {

[[noreturn]] void ThrowWrong(const std::string& id, const std::string& found) {
  Diagnostic diagnostic{DiagnosticCode::kInvalidTable};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what =
      "the table that BackendFactory of backend \"" + id + "\" returned is not usable";
  diagnostic.why = found;
  diagnostic.fix =
      "vendor: fill the table as backplane/c/backend.h says; in C++, BACKPLANE_BACKEND does it";
  throw DiagnosticException(std::move(diagnostic));
}

std::string FindMissingFunction(const bp_backend& table) {
  const auto either = [](bool has, bool wants, const char* name) -> std::string {
    return wants && !has ? name : "";
  };
  const bool has_kinds = table.make_handle != nullptr;
  const std::string missing[] = {
      either(table.supports != nullptr, true, "supports"),
      either(table.make_builder != nullptr, true, "make_builder"),
      either(table.free_builder != nullptr, true, "free_builder"),
      either(table.make_workload != nullptr, true, "make_workload"),
      either(table.free_workload != nullptr, true, "free_workload"),
      either(table.make_loaded != nullptr, true, "make_loaded"),
      either(table.free_loaded != nullptr, true, "free_loaded"),
      either(table.run != nullptr, true, "run"),
      either(table.stop != nullptr, table.start != nullptr, "stop, which goes with start"),
      either(table.free_context != nullptr, table.make_context != nullptr,
             "free_context, which goes with make_context"),
      either(table.free_model != nullptr, table.make_model != nullptr,
             "free_model, which goes with make_model"),
      either(table.free_compiled != nullptr, table.optimize != nullptr || table.load != nullptr,
             "free_compiled, which goes with optimize and load"),
      either(table.free_state != nullptr, table.make_state != nullptr,
             "free_state, which goes with make_state"),
      either(table.activate != nullptr && table.free_profiler != nullptr,
             table.make_profiler != nullptr,
             "activate or free_profiler, which go with make_profiler"),
      either(table.requirements != nullptr && table.bind != nullptr && table.get_view != nullptr &&
                 table.free_handle != nullptr,
             has_kinds, "requirements, bind, get_view or free_handle, which go with make_handle"),
      either(table.free_block != nullptr, table.allocate != nullptr,
             "free_block, which goes with allocate"),
      either(table.unmap != nullptr, table.map != nullptr, "unmap, which goes with map")};
  for (const std::string& name : missing) {
    if (!name.empty()) return name;
  }
  return "";
}

/// A copy as long as this host knows it.
/// Errors: DiagnosticException with kInvalidTable.
bp_backend ReadTable(const bp_backend& given, const std::string& id) {
  constexpr std::size_t kLeastBytes = offsetof(bp_backend, run) + sizeof(bp_backend::run);
  if (given.size_bytes < kLeastBytes) {
    ThrowWrong(id, "its size_bytes is " + std::to_string(given.size_bytes) +
                       "; expected at least " + std::to_string(kLeastBytes));
  }
  if (given.size_bytes % sizeof(void*) != 0) {
    ThrowWrong(id, "its size_bytes is " + std::to_string(given.size_bytes) +
                       ", which ends within a field; expected a multiple of " +
                       std::to_string(sizeof(void*)));
  }
  const bp_backend table = c_form::CopyKnown(given);
  if (table.major != BP_API_MAJOR || table.needs_minor > table.knows_minor) {
    ThrowWrong(id, "it says major " + std::to_string(table.major) + ", needs_minor " +
                       std::to_string(table.needs_minor) + " and knows_minor " +
                       std::to_string(table.knows_minor) + "; expected major " +
                       std::to_string(BP_API_MAJOR) + " and needs_minor up to knows_minor");
  }
  if (table.needs_minor > BP_API_MINOR) {
    ThrowWrong(id, "it says needs_minor " + std::to_string(table.needs_minor) +
                       ", which GetVersion does not; this host has the minor version " +
                       std::to_string(BP_API_MINOR));
  }
  const std::string missing = FindMissingFunction(table);
  if (!missing.empty()) ThrowWrong(id, "found null; expected the function " + missing);
  return table;
}

/// One backend of one file, for all who make it.
struct Source {
  std::string id;
  std::shared_ptr<ILogger> logger;
  std::shared_ptr<const void> library;
  void* (*factory)() = nullptr;
  std::mutex mutex;  // not held while the backend starts or stops
  std::weak_ptr<const Instance> instance;

  /// Null: none is alive.
  InstanceShare Find() {
    const std::lock_guard<std::mutex> lock(mutex);
    return instance.lock();
  }
  /// The one for all: `made`, or that of another thread, which was first.
  InstanceShare Keep(const InstanceShare& made) {
    const std::lock_guard<std::mutex> lock(mutex);
    InstanceShare first = instance.lock();
    if (first) return first;
    instance = made;
    return made;
  }
};

}  // namespace

BackendFactoryFunction MakeBackendFactory(const PluginOrigin& origin, void* (*factory)()) {
  auto source = std::make_shared<Source>();
  source->id = origin.backend_id;
  source->logger = origin.logger;
  source->library = origin.library;
  source->factory = factory;
  return [source = std::move(source)]() -> std::unique_ptr<IBackendInternal> {
    InstanceShare instance = source->Find();
    if (!instance) {
      const auto* const given = static_cast<const bp_backend*>(source->factory());
      if (given == nullptr) return nullptr;
      const auto made = std::make_shared<const Instance>(ReadTable(*given, source->id), source->id,
                                                         source->logger, source->library);
      instance = source->Keep(made);
    }
    return std::make_unique<TableBackend>(std::move(instance));
  };
}

}  // namespace backplane::backend
