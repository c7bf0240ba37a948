#include "backend/table_kinds.hpp"

#include "backend/given.hpp"
#include "backend/list_items.hpp"
#include "backend/table_handle.hpp"

#include <backplane/api/c_values.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace backplane::backend {
namespace {

struct KindRow {
  std::string id;
  bp_kind_info info;
  bool GivesMemory() const { return info.allocate_source != 0; }
};

std::vector<KindRow> ListKinds(const Instance& instance, const Scope& scope, const char* function) {
  std::vector<KindRow> rows;
  ListItems<bp_kind_info>(instance, BP_ITEM_KIND, scope, function, [&](const bp_kind_info& item) {
    const bp_kind_info info = Read(item);
    rows.push_back({info.id != nullptr ? info.id : "", info});
  });
  return rows;
}

/// Where the blocks of some kinds come from.
class TableMemoryManager final : public IMemoryManager {
 public:
  TableMemoryManager(InstanceShare instance, std::shared_ptr<const Scope> scope, bp_kind* kind)
      : instance_(std::move(instance)), scope_(std::move(scope)), kind_(kind) {}

  Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) override {
    const Instance& instance = *instance_;
    if (instance->allocate == nullptr) return Status::kUnsupported;
    const bp_requirements wanted = c_form::ToC(requirements);
    auto view = c_form::Make<bp_view>();
    bp_error error;
    const Status status = instance.Answer("IMemoryManager::Acquire",
                                          instance->allocate(kind_, &wanted, &view, &error), error);
    if (status == Status::kSuccess) *block = c_form::ToBlock(Whole(view));
    return status;
  }
  void Release(const MemoryBlock& block) override {
    const bp_view view = c_form::ToC(block);
    (*instance_)->free_block(kind_, &view);
  }

 private:
  InstanceShare instance_;
  std::shared_ptr<const Scope> scope_;  // what the kind belongs to
  bp_kind* kind_;
};

}  // namespace

void RegisterKinds(const InstanceShare& instance, const BackendCallArgs& args,
                   TensorHandleFactoryRegistry& registry) {
  const auto scope = std::make_shared<const Scope>(*instance, args.logger, args.context,
                                                   args.model_context, args.options);
  std::vector<KindRow> rows =
      ListKinds(*instance, *scope, "IBackendInternal::RegisterTensorHandleFactories");
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [](const KindRow& row) { return row.info.kind == nullptr; }),
             rows.end());
  const auto get_arena = [](const KindRow& row) {
    return std::make_pair(row.GivesMemory(), row.info.arena);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const KindRow& a, const KindRow& b) { return get_arena(a) < get_arena(b); });
  if (!rows.empty() && (*instance)->make_handle == nullptr) {
    throw std::invalid_argument("it lists the kind of tensor memory \"" + rows.front().id +
                                "\", and make_handle in its table is null; expected a function");
  }
  const KindRow* last = nullptr;
  for (const KindRow& row : rows) {
    if (row.GivesMemory() && (last == nullptr || get_arena(*last) != get_arena(row))) {
      static_cast<void>(registry.RegisterMemoryManager(
          std::make_shared<TableMemoryManager>(instance, scope, row.info.kind)));
    }
    static_cast<void>(
        registry.RegisterFactory(std::make_unique<TableKind>(instance, scope, row.id, row.info)));
    last = &row;
  }
}

std::vector<std::string> GetPreferredKinds(const Instance& instance, const BackendCallArgs& args) {
  const Scope scope(instance, args.logger, args.context, args.model_context, args.options);
  std::vector<std::string> ids;
  for (KindRow& row : ListKinds(instance, scope, "IBackendInternal::GetHandleFactoryPreferences")) {
    if ((row.info.flags & BP_KIND_NOT_PREFERRED) == 0) ids.push_back(std::move(row.id));
  }
  return ids;
}

std::vector<std::pair<std::string, bp_kind*>> FindKinds(const Instance& instance,
                                                        const Scope& scope) {
  std::vector<std::pair<std::string, bp_kind*>> found;
  for (KindRow& row :
       ListKinds(instance, scope, "IBackendInternal::RegisterTensorHandleFactories")) {
    if (row.info.kind != nullptr) found.emplace_back(std::move(row.id), row.info.kind);
  }
  return found;
}

}  // namespace backplane::backend
