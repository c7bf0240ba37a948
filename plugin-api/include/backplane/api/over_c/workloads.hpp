#pragma once

/// Functions of the table that make and run workloads.

#include <backplane/api/over_c/failures.hpp>
#include <backplane/api/over_c/objects.hpp>
#include <backplane/api/run_args.hpp>

#include <cstdint>
#include <memory>
#include <vector>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

inline bp_status MakeBuilder(bp_instance* /*instance*/, const bp_scope_args* given,
                             bp_builder** out, bp_error* error) noexcept {
  return Guard(given->scope->host, error, [&] {
    Scope scope(given->scope);
    const std::shared_ptr<Factory> made(new Factory(scope.GetOrigin()));
    WorkloadFactoryArgs args;
    args.model_context = scope.GetModel();
    args.options = &scope.GetOptions();
    args.logger = &made->logger;
    args.context = scope.GetContext();
    made->object = Own(scope.GetBackend().CreateWorkloadFactory(args), made->origin);
    Require(made->object.get(), "CreateWorkloadFactory");
    *out = reinterpret_cast<bp_builder*>(new FactoryShare{made->origin, made});
    return Status::kSuccess;
  });
}

inline void FreeBuilder(bp_builder* builder) noexcept {
  auto* const object = From<FactoryShare>(builder);
  Free(object, Origin{object->origin});
}

inline bp_status MakeWorkload(bp_builder* builder, const bp_layer_args* given, bp_workload** out,
                              bp_error* error) noexcept {
  return Guard(given->scope->host, error, [&] {
    const bp_layer layer = Copy(*given->layer);
    const Infos inputs(layer.inputs, layer.num_inputs);
    const Infos outputs(layer.outputs, layer.num_outputs);
    const Constants constants(layer);
    std::vector<const char*> kinds;
    for (std::uint32_t i = 0; i < layer.num_inputs + layer.num_outputs; ++i) {
      const bool is_constant = i < layer.num_inputs && constants.Get()[i] != nullptr;
      const Kind* const kind = layer.kinds != nullptr ? From<Kind>(layer.kinds[i]) : nullptr;
      kinds.push_back(kind != nullptr ? kind->factory->GetId()
                      : is_constant   ? ""
                                      : kHostTensorHandleFactoryId);
    }
    WorkloadArgs args;
    args.layer_type = ToEnum<LayerType>(layer.type);
    args.layer_name = layer.name;
    args.descriptor = static_cast<const BaseDescriptor*>(layer.descriptor);
    args.inputs = inputs.Get();
    args.num_inputs = layer.num_inputs;
    args.num_outputs = layer.num_outputs;
    args.outputs = outputs.Get();
    args.constants = constants.Get();
    if (layer.compiled != nullptr) args.pre_compiled = From<Compiled>(layer.compiled)->object;
    args.input_factories = kinds.data();
    args.output_factories = kinds.data() + layer.num_inputs;
    const FactoryShare& share = *From<FactoryShare>(builder);
    auto made = share.factory->object->CreateWorkload(args);
    Require(made.get(), "CreateWorkload").crossing = share.origin;
    *out = reinterpret_cast<bp_workload*>(made.release());
    return Status::kSuccess;
  });
}

inline void FreeWorkload(bp_workload* workload) noexcept {
  auto* const object = From<IWorkload>(workload);
  Free(object, Origin{object->crossing});
}

inline bp_status MakeLoaded(bp_builder* builder, const bp_scope_args* args, bp_loaded** out,
                            bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    *out = reinterpret_cast<bp_loaded*>(new FactoryShare(*From<FactoryShare>(builder)));
    return Status::kSuccess;
  });
}

inline void FreeLoaded(bp_loaded* loaded) noexcept {
  auto* const object = From<FactoryShare>(loaded);
  Free(object, Origin{object->origin});
}

inline bp_status Memory(const bp_loaded* loaded, const bp_scope_args* args,
                        bp_memory_report* report, bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    auto made = Make<bp_memory_report>();
    made.constants = From<const FactoryShare>(loaded)->factory->object->GetConstantBytes();
    Give(made, report);
    return Status::kSuccess;
  });
}

inline bp_status MakeState(const bp_loaded* loaded, const bp_state_args* args, bp_state** out,
                           bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    const FactoryShare& share = *From<const FactoryShare>(loaded);
    auto made = share.factory->object->CreateExecutionState();
    if (made) static_cast<Origin&>(made->crossing) = share.origin;
    *out = reinterpret_cast<bp_state*>(made.release());
    return Status::kSuccess;
  });
}

inline void FreeState(bp_state* state) noexcept {
  auto* const object = From<IExecutionState>(state);
  Free(object, Origin{object->crossing});
}

inline bp_status Run(const bp_workload* workload, const bp_run_args* args,
                     bp_error* error) noexcept {
  const auto* const object = From<const IWorkload>(workload);
  return Guard(object->crossing.host, error, [&] { return object->Execute(ExecuteArgs(*args)); });
}

inline bp_status Wait(const bp_loaded* loaded, const bp_wait_args* args, bp_error* error) noexcept {
  return Guard(args->scope->host, error, [&] {
    return From<const FactoryShare>(loaded)->factory->object->WaitForFence(
        *reinterpret_cast<const FenceView*>(args->fence), args->timeout_ns);
  });
}

}  // namespace backplane::c_form

#pragma GCC visibility pop
