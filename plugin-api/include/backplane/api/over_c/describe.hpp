#pragma once

/// Functions of the table with which a backend starts and says what it is.

#include <backplane/api/over_c/failures.hpp>
#include <backplane/api/over_c/objects.hpp>
#include <backplane/api/over_c/operators.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

inline bp_status Start(const bp_start_args* args, const char* id,
                       std::unique_ptr<IBackendInternal> (*make)(), bp_instance** out,
                       bp_error* error) noexcept {
  return Guard(args->host, error, [&] {
    auto made = std::make_unique<Instance>(Origin{args->host, args->log});
    made->id = id;
    made->backend = Own(make(), made->origin);
    const char* const own_id = Require(made->backend.get(), "the factory of the backend").GetId();
    if (own_id == nullptr || made->id != own_id) {
      throw std::logic_error("GetBackendId returned \"" + made->id + "\", and GetId " +
                             (own_id != nullptr ? '"' + std::string(own_id) + '"' : "null"));
    }
    *out = reinterpret_cast<bp_instance*>(made.release());
    return Status::kSuccess;
  });
}

inline void Stop(bp_instance* instance) noexcept {
  auto* const object = From<Instance>(instance);
  Free(object, Origin{object->origin});
}

inline Status DescribeKinds(Scope& scope, const bp_host* host, bp_sink* sink, bp_error* error) {
  Kinds& kinds = scope.GetKinds();
  const BackendCallArgs args = scope.MakeCallArgs();
  std::vector<std::string> wanted = scope.GetBackend().GetHandleFactoryPreferences(args);
  const auto add = [&](const char* id, Kind* kind, bool is_preferred) {
    auto made = Make<bp_kind_info>();
    made.id = id;
    if (!is_preferred) made.flags |= BP_KIND_NOT_PREFERRED;
    if (kind != nullptr) {
      TensorHandleFactoryProperties properties;
      const Status status = kind->factory->GetProperties(&properties);
      if (status != Status::kSuccess) {
        throw std::runtime_error(std::string("GetProperties of ") + id + " returned \"" +
                                 GetStatusText(status) + "\"");
      }
      made.kind = reinterpret_cast<bp_kind*>(kind);
      const auto set = [&](std::uint32_t is_set, std::uint32_t flag) {
        if (is_set != 0) made.flags |= flag;
      };
      set(properties.supports_sub_tensors, BP_KIND_SUB_TENSORS);
      set(properties.supports_map_unmap, BP_KIND_MAP);
      set(properties.supports_in_place, BP_KIND_IN_PLACE);
      set(properties.owns_memory, BP_KIND_OWNS_MEMORY);
      set(properties.copies_within_backend, BP_KIND_COPIES_WITHIN);
      made.import_sources = properties.import_sources;
      made.export_sources = properties.export_sources;
      made.copy_to_sources = properties.copy_to_sources;
      made.copy_from_sources = properties.copy_from_sources;
      made.allocate_source = kind->giver != nullptr ? BP_MEMORY_CPU : 0;
      made.storage = properties.layout == TensorLayout::kKnown    ? BP_STORAGE_PADDED
                     : properties.layout == TensorLayout::kOpaque ? BP_STORAGE_OPAQUE
                                                                  : BP_STORAGE_PACKED;
      made.arena = kind->arena;
    }
    return ToStatus(host->add(sink, BP_ITEM_KIND, &made, error));
  };
  for (const std::string& id : wanted) {
    const Status status = add(id.c_str(), kinds.Find(id), true);
    if (status != Status::kSuccess) return status;
  }
  for (const auto& kind : kinds.Get()) {
    const char* const id = kind->factory->GetId();
    if (std::find(wanted.begin(), wanted.end(), id) != wanted.end()) continue;
    const Status status = add(id, kind.get(), false);
    if (status != Status::kSuccess) return status;
  }
  return Status::kSuccess;
}

inline Status DescribeCounters(Scope& scope, const bp_host* host, bp_sink* sink, bp_error* error) {
  Instance& instance = scope.GetInstance();
  const std::lock_guard<std::mutex> lock(instance.mutex);
  for (auto at = instance.profilers.rbegin(); at != instance.profilers.rend(); ++at) {
    if ((*at)->context != scope.FindContext()) continue;
    for (const CounterDescription& counter : (*at)->object->GetCounters()) {
      auto made = Make<bp_counter>();
      made.id = counter.id;
      made.name = counter.name.c_str();
      made.unit = counter.unit.c_str();
      made.text = counter.text.c_str();
      const bp_status status = host->add(sink, BP_ITEM_COUNTER, &made, error);
      if (status != BP_STATUS_SUCCESS) return ToStatus(status);
    }
    break;
  }
  return Status::kSuccess;
}

inline bp_status Describe(bp_instance* instance, const bp_describe_args* args, bp_sink* sink,
                          bp_error* error) noexcept {
  const bp_host* const host = From<Instance>(instance)->origin.host;
  return Guard(host, error, [&] {
    Scope scope(args->scope);
    if (args->item == BP_ITEM_KIND) return DescribeKinds(scope, host, sink, error);
    if (args->item == BP_ITEM_COUNTER) return DescribeCounters(scope, host, sink, error);
    if (args->item == BP_ITEM_OPERATOR) {
      return ToStatus(DescribeOperators(scope.GetBackend(), host, sink, error));
    }
    if (args->item == BP_ITEM_OPERATOR_CASE) {
      return ToStatus(DescribeOperatorCases(scope.GetBackend(), host, sink, error));
    }
    bp_status status = BP_STATUS_SUCCESS;
    CValues values;
    if (args->item == BP_ITEM_CAPABILITY) {
      const BackendCapabilities capabilities = scope.GetBackend().GetCapabilities();
      for (const BackendOption& one : capabilities) values.Add(one);
      for (const bp_named_value& one : values.GetNamed()) {
        if (status == BP_STATUS_SUCCESS) status = host->add(sink, args->item, &one, error);
      }
    }
    if (args->item == BP_ITEM_OPTION) {
      for (const OptionSchema& one : scope.GetBackend().GetOptionSchemas()) {
        const bp_option_schema made = ToC(one, values);
        if (status == BP_STATUS_SUCCESS) status = host->add(sink, args->item, &made, error);
      }
    }
    return ToStatus(status);
  });
}

}  // namespace backplane::c_form

#pragma GCC visibility pop
