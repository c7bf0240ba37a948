#pragma once

/// Functions of the table for runtimes, networks and sub-graphs, and for measuring.

#include <backplane/api/over_c/failures.hpp>
#include <backplane/api/over_c/offer.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

inline bp_status MakeContext(bp_instance* /*instance*/, const bp_context_args* given,
                             bp_context** out, bp_error* error) noexcept {
  return Guard(given->scope->host, error, [&] {
    const bp_context_args from = Copy(*given);
    Scope scope(from.scope);
    auto made = std::make_unique<Context>(scope.GetOrigin());
    BackendContextArgs args;
    args.is_protected_mode = from.is_protected;
    args.options = &scope.GetOptions();
    args.logger = &made->logger;
    if (from.allocator != nullptr) {
      made->allocator.reset(
          new HostAllocator(scope.GetOrigin().host, from.allocator, from.allocator_source));
      args.allocator = made->allocator;
    }
    made->object = Own(scope.GetBackend().CreateBackendContext(args), made->origin);
    if (made->object) *out = reinterpret_cast<bp_context*>(made.release());
    return Status::kSuccess;
  });
}

inline void FreeContext(bp_context* context) noexcept {
  auto* const object = From<Context>(context);
  Free(object, Origin{object->origin});
}

inline bp_status NetworkHappens(bp_context* context, const bp_network_args* args,
                                bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    NetworkEvent event;
    event.kind = ToEnum<NetworkEventKind>(args->event);
    event.network_id = args->network_id;
    event.outcome = ToStatus(args->outcome);
    return From<Context>(context)->object->OnNetworkEvent(event);
  });
}

inline bp_status MakeModel(bp_instance* /*instance*/, const bp_scope_args* given, bp_model** out,
                           bp_error* error) noexcept {
  return Guard(given->scope->host, error, [&] {
    Scope scope(given->scope);
    auto made = std::make_unique<Model>(scope.GetOrigin());
    ModelContextArgs args;
    args.options = &scope.GetOptions();
    args.logger = &made->logger;
    args.context = scope.GetContext();
    made->object = scope.GetBackend().CreateBackendSpecificModelContext(args);
    *out = reinterpret_cast<bp_model*>(made.release());
    return Status::kSuccess;
  });
}

inline void FreeModel(bp_model* model) noexcept {
  auto* const object = From<Model>(model);
  Free(object, Origin{object->origin});
}

inline bp_status Supports(bp_instance* /*instance*/, const bp_layer_args* args,
                          bp_support* /*support*/, bp_error* error) noexcept {
  const bp_host* const host = args->scope->host;
  return Guard(host, error, [&] {
    const Scope scope(args->scope);
    const bp_layer layer = Copy(*args->layer);
    const Infos inputs(layer.inputs, layer.num_inputs);
    const Infos outputs(layer.outputs, layer.num_outputs);
    std::vector<std::uint8_t> is_constant(layer.num_inputs);
    for (std::uint32_t i = 0; layer.constants != nullptr && i < layer.num_inputs; ++i) {
      is_constant[i] = layer.constants[i] != nullptr ? 1 : 0;
    }
    const auto support = scope.FindSupport();
    LayerSupportQuery query;
    query.layer_type = ToEnum<LayerType>(layer.type);
    query.layer_name = layer.name;
    query.descriptor = static_cast<const BaseDescriptor*>(layer.descriptor);
    query.inputs = inputs.Get();
    query.num_inputs = layer.num_inputs;
    query.num_outputs = layer.num_outputs;
    query.outputs = outputs.Get();
    query.input_is_constant = is_constant.data();
    std::string reason;
    if (Require(support.get(), "GetLayerSupport").IsLayerSupported(query, reason)) {
      return Status::kSuccess;
    }
    return ToStatus(Fail(host, error, BP_STATUS_UNSUPPORTED, reason.c_str()));
  });
}

inline bp_status Optimize(bp_instance* /*instance*/, const bp_optimize_args* given,
                          bp_error* error) noexcept {
  const bp_host* const host = given->scope->host;
  return Guard(host, error, [&] {
    const bp_optimize_args from = Copy(*given);
    Scope scope(from.scope);
    Offer offer(host, from);
    OptimizeSubgraphArgs args;
    args.subgraph = &offer.GetSubgraph();
    args.reader = &offer;
    args.builder = &offer;
    args.model_context = scope.GetModel();
    args.options = &scope.GetOptions();
    args.logger = scope.GetLogger();
    args.context = scope.GetContext();
    args.cache = from.has_cache != 0 ? &offer : nullptr;
    args.is_open = from.is_open != 0;
    args.stop = from.stop;
    args.deadline_ns = from.deadline_ns;
    return ToStatus(offer.Answer(scope.GetBackend().OptimizeSubgraphView(args), error));
  });
}

inline void FreeCompiled(bp_compiled* compiled) noexcept {
  auto* const object = From<Compiled>(compiled);
  Free(object, Origin{object->origin});
}

inline bp_status Resize(const bp_compiled* compiled, const bp_resize_args* given, bp_compiled** out,
                        bp_error* error) noexcept {
  return Guard(given->scope->host, error, [&] {
    const bp_resize_args from = Copy(*given);
    Scope scope(from.scope);
    auto reader = Make<bp_layer>();
    reader.num_inputs = from.num_constants;
    reader.constants = from.constants;
    const Constants constants(reader);
    ResizeArgs args;
    args.num_changes = from.num_changes;
    args.changes = reinterpret_cast<const ExtentChange*>(from.changes);
    args.readers = reinterpret_cast<const OutputSlot*>(from.readers);
    args.constants = constants.Get();
    args.num_constants = from.num_constants;
    args.model_context = scope.GetModel();
    args.options = &scope.GetOptions();
    args.logger = scope.GetLogger();
    args.context = scope.GetContext();
    args.stop = from.stop;
    args.deadline_ns = from.deadline_ns;
    auto made = std::make_unique<Compiled>();
    made->object = From<const Compiled>(compiled)->object->Resize(args);
    if (!made->object) return Status::kUnsupported;
    *out = reinterpret_cast<bp_compiled*>(made.release());
    return Status::kSuccess;
  });
}

inline bp_status InPlace(const bp_compiled* compiled, const bp_scope_args* given, bp_sink* sink,
                         bp_error* error) noexcept {
  const bp_host* const host = given->scope->host;
  return Guard(host, error, [&] {
    bp_status status = BP_STATUS_SUCCESS;
    for (const InPlacePair& pair : From<const Compiled>(compiled)->object->GetInPlacePairs()) {
      const bp_pair made{pair.input, pair.output};
      if (status == BP_STATUS_SUCCESS) status = host->add(sink, BP_ITEM_IN_PLACE, &made, error);
    }
    return ToStatus(status);
  });
}

inline bp_status MakeProfiler(bp_context* context, const bp_profiler_args* given, bp_profiler** out,
                              bp_error* error) noexcept {
  return Guard(given->scope->host, error, [&] {
    Scope scope(given->scope);
    auto made = std::make_unique<Profiler>(scope.GetOrigin(), given->sink);
    made->instance = &scope.GetInstance();
    made->context = From<Context>(context);
    ProfilingContextArgs args;
    args.profiling = &made->profiling;
    args.context = scope.GetContext();
    args.logger = &made->logger;
    made->object = Own(scope.GetBackend().CreateBackendProfilingContext(args), made->origin);
    if (!made->object) return Status::kSuccess;
    const std::lock_guard<std::mutex> lock(made->instance->mutex);
    made->instance->profilers.push_back(made.get());
    *out = reinterpret_cast<bp_profiler*>(made.release());
    return Status::kSuccess;
  });
}

inline bp_status Activate(bp_profiler* profiler, const bp_activate_args* args,
                          bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    Profiler& object = *From<Profiler>(profiler);
    std::vector<std::uint32_t> counters(args->counters, args->counters + args->num_counters);
    if (counters != object.counters || args->period_us != object.period_us) {
      const Status status =
          object.object->ActivateCounters(args->period_us, counters.data(), args->num_counters);
      if (status != Status::kSuccess) return status;
      object.counters = std::move(counters);
      object.period_us = args->period_us;
    }
    const bool has_timeline = args->timeline != 0;
    if (has_timeline == object.has_timeline) return Status::kSuccess;
    const Status status =
        object.object->SetTimeline(has_timeline ? ProfilingState::kOn : ProfilingState::kOff);
    if (status == Status::kSuccess) object.has_timeline = has_timeline;
    return status;
  });
}

inline void FreeProfiler(bp_profiler* profiler) noexcept {
  auto* const object = From<Profiler>(profiler);
  {
    const std::lock_guard<std::mutex> lock(object->instance->mutex);
    auto& all = object->instance->profilers;
    all.erase(std::remove(all.begin(), all.end(), object), all.end());
  }
  Free(object, Origin{object->origin});
}

}  // namespace backplane::c_form

#pragma GCC visibility pop
