/// Every function of every interface throws everything that can be thrown. What is thrown becomes a
/// diagnostic with the backend and the function, and the object can be called again. What a
/// destructor throws is logged.
///
/// Two functions are not called here: IBackendInternal::GetId is asked when a backend starts, and
/// IMemoryManager::Release has no answer. thrown_in_a_runtime_test.cpp has them.

#include "complete_objects.hpp"
#include "mock_watch.hpp"

#include <backplane/api/run_arguments.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using Objects = CompleteObjects;
using Failure = std::unique_ptr<Diagnostic>;

template <auto kFunction>
struct Caller {
  template <typename Object, typename... Args>
  Failure operator()(const Object& object, Args&&... args) const {
    return std::move(object.template Call<kFunction>(std::forward<Args>(args)...).failure);
  }
};

/// How a function is called, and what the host calls for that.
struct Call {
  std::function<Failure(const Objects&, HostSide&)> invoke;
  std::string told;
};

/// By the name of the function.
using Calls = std::map<std::string, Call>;

template <auto kFunction, typename Invoke>
void Add(Calls& calls, Invoke invoke) {
  const char* const name = FunctionInfo<kFunction>::kName;
  calls[name] = {[invoke](const Objects& objects, HostSide& host) {
                   return invoke(Caller<kFunction>(), objects, host);
                 },
                 name};
}

/// One that is called from within another one, `kTold`.
template <auto kFunction, auto kTold, typename Invoke>
void AddWithin(Calls& calls, Invoke invoke) {
  Add<kTold>(calls, invoke);
  auto row = calls.extract(FunctionInfo<kTold>::kName);
  row.key() = FunctionInfo<kFunction>::kName;
  calls.insert(std::move(row));
}

/// One without arguments.
template <auto kFunction, typename Member>
void Add(Calls& calls, Member Objects::*member) {
  Add<kFunction>(calls, [member](auto call, const Objects& objects, HostSide& /*host*/) {
    return call(objects.*member);
  });
}

/// One with one argument that is made for the call.
template <auto kFunction, typename Argument, typename Member>
void Add(Calls& calls, Member Objects::*member) {
  Add<kFunction>(calls, [member](auto call, const Objects& objects, HostSide& /*host*/) {
    return call(objects.*member, Argument());
  });
}

/// A network of its own: kinds are registered, and layer support is asked for, once for each.
PluginObject<const IBackendModelContext> MakeModel(const Objects& objects) {
  constexpr auto kMake = &IBackendInternal::CreateBackendSpecificModelContext;
  return complete_objects::Wrap(objects.backend.Call<kMake>(ModelContextArgs()), objects.backend);
}

template <typename Call>
Failure RegisterKinds(Call call, const Objects& objects) {
  const auto model = MakeModel(objects);
  BackendCallArgs args;
  args.model_context = model.Share();
  FactoryKeeper keeper;
  return call(objects.backend, keeper, args);
}

template <typename Call>
Failure AskForReshape(Call call, const PluginObject<const ILayerSupport>& support) {
  LayerSupportQuery query;
  query.layer_type = LayerType::kReshape;
  std::string reason;
  return call(support, query, reason);
}

void AddBackend(Calls& calls) {
  using Backend = IBackendInternal;
  constexpr auto kBackend = &Objects::backend;
  Add<&Backend::CreateWorkloadFactory, WorkloadFactoryArgs>(calls, kBackend);
  Add<&Backend::CreateBackendContext, BackendContextArgs>(calls, kBackend);
  Add<&Backend::CreateBackendSpecificModelContext, ModelContextArgs>(calls, kBackend);
  Add<&Backend::CreateBackendProfilingContext>(
      calls, [](auto call, const Objects& objects, HostSide& host) {
        ProfilingContextArgs args;
        args.profiling = &host.profiling;
        return call(objects.backend, args);
      });
  AddWithin<&Backend::GetLayerSupport, &ILayerSupport::IsLayerSupported>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        const auto model = MakeModel(objects);
        LayerSupportArgs args;
        args.model_context = model.Share();
        auto made = objects.backend.Call<&Backend::GetLayerSupport>(args);
        return AskForReshape(call, complete_objects::Wrap(std::move(made), objects.backend));
      });
  Add<&Backend::OptimizeSubgraphView>(calls,
                                      [](auto call, const Objects& objects, HostSide& /*host*/) {
                                        const SubgraphView subgraph;
                                        OptimizeSubgraphArgs args;
                                        args.subgraph = &subgraph;
                                        return call(objects.backend, args);
                                      });
  Add<&Backend::RegisterTensorHandleFactories>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        return RegisterKinds(call, objects);
      });
  Add<&Backend::GetHandleFactoryPreferences, BackendCallArgs>(calls, kBackend);
  Add<&Backend::GetCapabilities>(calls, kBackend);
  Add<&Backend::GetOptionSchemas>(calls, kBackend);
  Add<&Backend::GetOperators>(calls, kBackend);
  Add<&Backend::GetOperatorCases>(calls, kBackend);
}

void AddRunning(Calls& calls) {
  Add<&ILayerSupport::IsLayerSupported>(calls,
                                        [](auto call, const Objects& objects, HostSide& /*host*/) {
                                          return AskForReshape(call, objects.layer_support);
                                        });
  Add<&IWorkloadFactory::CreateWorkload>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        constexpr auto kMake = &IBackendInternal::CreateWorkloadFactory;
        // Of a network that is not loaded yet.
        auto made = objects.backend.Call<kMake>(WorkloadFactoryArgs());
        WorkloadArgs args;
        args.layer_type = LayerType::kReshape;
        return call(complete_objects::Wrap(std::move(made), objects.backend), args);
      });
  Add<&IPreCompiledObject::Resize, ResizeArgs>(calls, &Objects::compiled);
  Add<&IPreCompiledObject::GetInPlacePairs>(calls, &Objects::compiled);
  Add<&IWorkloadFactory::CreateExecutionState>(calls, &Objects::factory);
  Add<&IWorkloadFactory::WaitForFence>(calls,
                                       [](auto call, const Objects& objects, HostSide& /*host*/) {
                                         return call(objects.factory, FenceView(), 0U);
                                       });
  Add<&IWorkloadFactory::GetConstantBytes>(calls, &Objects::factory);
  Add<&IWorkload::Execute>(calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
    ITensorHandle* const handle = objects.handle.Share().get();
    const RunArguments args({handle}, {handle});
    return call(objects.workload, args.Show());
  });
}

void AddMemory(Calls& calls) {
  Add<&IMemoryManager::Acquire>(calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
    MemoryBlock block;
    Failure failure = call(objects.memory_manager, MemoryRequirements{64, 64, {}}, &block);
    objects.memory_manager.Call<&IMemoryManager::Release>(block);
    return failure;
  });
}

void AddHandles(Calls& calls) {
  Add<&ITensorHandle::GetMemoryView>(calls, &Objects::handle);
  Add<&ITensorHandle::Bind>(calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
    return call(objects.handle, MemoryBlock(), 0U);
  });
  Add<&ITensorHandle::Map>(calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
    MemoryView view;
    return call(objects.handle, MemoryAccess::kRead, &view);
  });
  Add<&ITensorHandle::Unmap>(calls, &Objects::handle);
  Add<&ITensorHandle::Import, MemoryView>(calls, &Objects::handle);
  Add<&ITensorHandle::Unimport>(calls, &Objects::handle);
  Add<&ITensorHandle::Export>(calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
    MemoryView view;
    return call(objects.handle, MemorySource::kMalloc, &view);
  });
  constexpr auto kRegister = &IBackendInternal::RegisterTensorHandleFactories;
  const auto register_kinds = [](auto call, const Objects& objects, HostSide& /*host*/) {
    return RegisterKinds(call, objects);
  };
  AddWithin<&ITensorHandleFactory::GetId, kRegister>(calls, register_kinds);
  AddWithin<&ITensorHandleFactory::GetProperties, kRegister>(calls, register_kinds);
  Add<&ITensorHandleFactory::GetRequirements>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        TensorRequirementsArgs args;
        args.info = &GetTensor();
        return call(objects.handle_factory, args);
      });
  Add<&ITensorHandleFactory::CreateTensorHandle>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        TensorHandleArgs args;
        args.info = &GetTensor();
        return call(objects.handle_factory, args);
      });
  Add<&ITensorHandleFactory::CreateSubTensorHandle>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        const std::int64_t origin[2] = {};
        SubTensorHandleArgs args;
        args.parent = objects.handle.Share().get();
        args.info = &GetTensor();
        args.origin = origin;
        return call(objects.handle_factory, args);
      });
}

void AddContexts(Calls& calls) {
  Add<&IBackendContext::OnNetworkEvent, NetworkEvent>(calls, &Objects::context);
  Add<&IBackendProfilingContext::GetCounters>(calls, &Objects::profiling);
  Add<&IBackendProfilingContext::ActivateCounters>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        static std::uint64_t period_us = 100;  // what is so already is not asked for
        return call(objects.profiling, ++period_us, nullptr, 0U);
      });
  Add<&IBackendProfilingContext::SetTimeline>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        // Each state is asked for twice: the first time fails.
        static int num_calls = 0;
        const bool is_on = num_calls++ / 2 % 2 == 0;
        return call(objects.profiling, is_on ? ProfilingState::kOn : ProfilingState::kOff);
      });
}

Calls MakeCalls() {
  Calls calls;
  AddHandles(calls);
  AddBackend(calls);
  AddRunning(calls);
  AddMemory(calls);
  AddContexts(calls);
  return calls;
}

std::vector<std::string> ListFunctions() {
  std::vector<std::string> functions{
#define BACKPLANE_APPLICATION_FUNCTION(...)
#define BACKPLANE_FUNCTION(interface, function, ...) #interface "::" #function,
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
  };
  for (const char* elsewhere : {"IBackendInternal::GetId", "IMemoryManager::Release"}) {
    functions.erase(std::find(functions.begin(), functions.end(), elsewhere));
  }
  return functions;
}

class ThrownByFunctions : public ::testing::TestWithParam<std::string> {};

TEST_P(ThrownByFunctions, IsADiagnosticAndTheObjectGoesOn) {
  const Calls calls = MakeCalls();
  const std::string& function = GetParam();
  ASSERT_EQ(calls.count(function), 1U) << "no row calls this function";
  MockWatch watch;
  HostSide host;
  const Objects objects(host);
  for (const Thrown thrown : kAllThrown) {
    watch.Throw(function, thrown);
    const Failure failure = calls.at(function).invoke(objects, host);
    watch.StopThrowing();
    ASSERT_NE(failure, nullptr) << GetThrownName(thrown);
    EXPECT_EQ(failure->code, thrown == Thrown::kOutOfMemory ? DiagnosticCode::kOutOfMemory
                                                            : DiagnosticCode::kBackendThrew);
    EXPECT_EQ(failure->subject.name, "MockComplete");
    EXPECT_THAT(failure->what, HasSubstr("MockComplete"));
    EXPECT_THAT(failure->what, HasSubstr(calls.at(function).told));
    EXPECT_THAT(failure->why, HasSubstr(GetThrownText(thrown)));
    EXPECT_EQ(calls.at(function).invoke(objects, host), nullptr) << GetThrownName(thrown);
  }
}

std::string GetTestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  return name.erase(name.find("::"), 2);
}

std::string GetInterfaceName(const ::testing::TestParamInfo<const char*>& info) {
  return info.param;
}

/// The interfaces whose objects are given in a unique_ptr: their destructors may throw.
const char* const kUniqueInterfaces[] = {
    "IBackendInternal",
    "IBackendContext",
    "IBackendProfilingContext",
    "IWorkloadFactory",
    "IWorkload",
    "IExecutionState",
    "ITensorHandle",
    "ITensorHandleFactory",
};

class ThrownByDestructors : public ::testing::TestWithParam<const char*> {};

TEST_P(ThrownByDestructors, IsLoggedAndTheLibraryIsClosed) {
  for (const Thrown thrown : kAllThrown) {
    MockWatch watch;
    HostSide host;
    auto objects = std::make_unique<Objects>(host);
    watch.Throw(std::string("~") + GetParam(), thrown);
    objects.reset();
    EXPECT_FALSE(IsMapped(GetMockRow("Complete").path));
    const std::string log = watch.GetLog() + host.logger.GetText();
    EXPECT_THAT(log, HasSubstr("a destructor threw an exception"));
    EXPECT_THAT(log, HasSubstr(GetThrownText(thrown)));
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachInterface, ThrownByDestructors,
                         ::testing::ValuesIn(kUniqueInterfaces), GetInterfaceName);
INSTANTIATE_TEST_SUITE_P(OfTheTable, ThrownByFunctions, ::testing::ValuesIn(ListFunctions()),
                         GetTestName);

}  // namespace
}  // namespace backplane::test
