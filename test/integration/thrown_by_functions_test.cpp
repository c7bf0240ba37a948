/// Every function of every interface throws everything that can be thrown. What is thrown becomes a
/// diagnostic with the backend and the function, and the object can be called again. What a
/// destructor throws is logged.

#include "complete_objects.hpp"
#include "mock_watch.hpp"

#include <backplane/api/run_arguments.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

/// How each function is called, by its name.
using Calls = std::map<std::string, std::function<Failure(const Objects&, HostSide&)>>;

template <auto kFunction, typename Invoke>
void Add(Calls& calls, Invoke invoke) {
  calls[FunctionInfo<kFunction>::kName] = [invoke](const Objects& objects, HostSide& host) {
    return invoke(Caller<kFunction>(), objects, host);
  };
}

/// One without arguments.
template <auto kFunction, typename Member>
void Add(Calls& calls, Member Objects::*member) {
  calls[FunctionInfo<kFunction>::kName] = [member](const Objects& objects, HostSide& /*host*/) {
    return Caller<kFunction>()(objects.*member);
  };
}

/// One with one argument that is made for the call.
template <auto kFunction, typename Argument, typename Member>
void Add(Calls& calls, Member Objects::*member) {
  calls[FunctionInfo<kFunction>::kName] = [member](const Objects& objects, HostSide& /*host*/) {
    return Caller<kFunction>()(objects.*member, Argument());
  };
}

void AddBackend(Calls& calls) {
  using Backend = IBackendInternal;
  constexpr auto kBackend = &Objects::backend;
  Add<&Backend::GetId>(calls, kBackend);
  Add<&Backend::CreateWorkloadFactory, WorkloadFactoryArgs>(calls, kBackend);
  Add<&Backend::CreateBackendContext, BackendContextArgs>(calls, kBackend);
  Add<&Backend::CreateBackendSpecificModelContext, ModelContextArgs>(calls, kBackend);
  Add<&Backend::CreateBackendProfilingContext>(
      calls, [](auto call, const Objects& objects, HostSide& host) {
        ProfilingContextArgs args;
        args.profiling = &host.profiling;
        return call(objects.backend, args);
      });
  Add<&Backend::GetLayerSupport, LayerSupportArgs>(calls, kBackend);
  Add<&Backend::OptimizeSubgraphView>(calls,
                                      [](auto call, const Objects& objects, HostSide& /*host*/) {
                                        const SubgraphView subgraph;
                                        OptimizeSubgraphArgs args;
                                        args.subgraph = &subgraph;
                                        return call(objects.backend, args);
                                      });
  Add<&Backend::RegisterTensorHandleFactories>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        FactoryKeeper keeper;
        return call(objects.backend, keeper, BackendCallArgs());
      });
  Add<&Backend::GetHandleFactoryPreferences, BackendCallArgs>(calls, kBackend);
  Add<&Backend::GetCapabilities>(calls, kBackend);
  Add<&Backend::GetOptionSchemas>(calls, kBackend);
}

void AddRunning(Calls& calls) {
  Add<&ILayerSupport::IsLayerSupported>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        std::string reason;
        return call(objects.layer_support, LayerSupportQuery(), reason);
      });
  Add<&IWorkloadFactory::CreateWorkload, WorkloadArgs>(calls, &Objects::factory);
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
  Add<&IMemoryManager::Release, MemoryBlock>(calls, &Objects::memory_manager);
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
  Add<&ITensorHandleFactory::GetId>(calls, &Objects::handle_factory);
  Add<&ITensorHandleFactory::GetProperties>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        TensorHandleFactoryProperties properties;
        return call(objects.handle_factory, &properties);
      });
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
  Add<&ITensorHandleFactory::CreateSubTensorHandle, SubTensorHandleArgs>(calls,
                                                                         &Objects::handle_factory);
}

void AddContexts(Calls& calls) {
  Add<&IBackendContext::OnNetworkEvent, NetworkEvent>(calls, &Objects::context);
  Add<&IBackendProfilingContext::GetCounters>(calls, &Objects::profiling);
  Add<&IBackendProfilingContext::ActivateCounters>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        return call(objects.profiling, 100U, nullptr, 0U);
      });
  Add<&IBackendProfilingContext::SetTimeline>(
      calls, [](auto call, const Objects& objects, HostSide& /*host*/) {
        return call(objects.profiling, ProfilingState::kOff);
      });
}

Calls MakeCalls() {
  Calls calls;
  AddBackend(calls);
  AddRunning(calls);
  AddMemory(calls);
  AddHandles(calls);
  AddContexts(calls);
  return calls;
}

const char* const kFunctions[] = {
#define BACKPLANE_APPLICATION_FUNCTION(...)
#define BACKPLANE_FUNCTION(interface, function, ...) #interface "::" #function,
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
};

class ThrownByFunctions : public ::testing::TestWithParam<const char*> {};

TEST_P(ThrownByFunctions, IsADiagnosticAndTheObjectGoesOn) {
  const Calls calls = MakeCalls();
  const std::string function = GetParam();
  ASSERT_EQ(calls.count(function), 1U) << "no row calls this function";
  MockWatch watch;
  HostSide host;
  const Objects objects(host);
  for (const Thrown thrown : kAllThrown) {
    watch.Throw(function, thrown);
    const Failure failure = calls.at(function)(objects, host);
    watch.StopThrowing();
    ASSERT_NE(failure, nullptr) << GetThrownName(thrown);
    EXPECT_EQ(failure->code, thrown == Thrown::kOutOfMemory ? DiagnosticCode::kOutOfMemory
                                                            : DiagnosticCode::kBackendThrew);
    EXPECT_EQ(failure->subject.name, "MockComplete");
    EXPECT_THAT(failure->what, HasSubstr("MockComplete"));
    EXPECT_THAT(failure->what, HasSubstr(function));
    EXPECT_THAT(failure->why, HasSubstr(GetThrownText(thrown)));
    EXPECT_EQ(calls.at(function)(objects, host), nullptr) << GetThrownName(thrown);
  }
}

std::string GetTestName(const ::testing::TestParamInfo<const char*>& info) {
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
    EXPECT_THAT(watch.GetLog(),
                HasSubstr(thrown == Thrown::kOutOfMemory
                              ? "MockComplete was refused memory in a destructor"
                              : "MockComplete threw an exception from a destructor"));
    EXPECT_THAT(watch.GetLog(), HasSubstr(GetThrownText(thrown)));
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachInterface, ThrownByDestructors,
                         ::testing::ValuesIn(kUniqueInterfaces), GetInterfaceName);
INSTANTIATE_TEST_SUITE_P(OfTheTable, ThrownByFunctions, ::testing::ValuesIn(kFunctions),
                         GetTestName);

}  // namespace
}  // namespace backplane::test
