/// In which order the objects of a backend are destroyed: workloads, states, tensor handles,
/// workload factories, what was compiled, the layer support and the kinds of tensor memory of the
/// network with its context, the runtime's context, and the library at the end.

#include "mock_network.hpp"
#include "mock_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using Strings = std::vector<std::string>;

class DestructionOrder : public ::testing::Test {
 protected:
  void SetUp() override { directory_.Add("Complete"); }

  std::unique_ptr<IRuntime> Create() const { return CreateRuntime(directory_.GetPath()); }

  static std::shared_ptr<const IOptimizedNetwork> OptimizeFold(const IRuntime& runtime) {
    return Optimize(*MakeFold(), {"MockComplete"}, runtime.GetDeviceSpec());
  }

  /// From the first object of this kind on. Backends come and go at any time.
  Strings GetRecordFrom(const std::string& event) const {
    Strings record = watch_.GetRecord();
    record.erase(std::remove(record.begin(), record.end(), "~IBackendInternal"), record.end());
    return {std::find(record.begin(), record.end(), event), record.end()};
  }

  MockDirectory directory_;
  MockWatch watch_;
};

TEST_F(DestructionOrder, OfALoadedNetworkAndItsRuntime) {
  auto runtime = Create();
  runtime->LoadNetwork(OptimizeFold(*runtime));
  runtime.reset();
  EXPECT_THAT(GetRecordFrom("~IWorkload"),
              ElementsAre("~IWorkload", "~IExecutionState", "~ITensorHandle", "~ITensorHandle",
                          "~IWorkloadFactory", "~IPreCompiledObject", "~ILayerSupport",
                          "~ITensorHandleFactory", "~IMemoryManager", "~IBackendModelContext",
                          "~IBackendContext", "library"));
}

TEST_F(DestructionOrder, OfANetworkThatIsUnloaded) {
  const auto runtime = Create();
  const auto network = OptimizeFold(*runtime);
  runtime->UnloadNetwork(runtime->LoadNetwork(network));
  EXPECT_THAT(GetRecordFrom("~IWorkload"),
              ElementsAre("~IWorkload", "~IExecutionState", "~ITensorHandle", "~ITensorHandle",
                          "~IWorkloadFactory"));
}

TEST_F(DestructionOrder, OfANetworkThatOutlivesTheRuntime) {
  auto runtime = Create();
  auto network = OptimizeFold(*runtime);
  runtime->LoadNetwork(network);
  runtime.reset();
  EXPECT_THAT(GetRecordFrom("~IWorkload"),
              ElementsAre("~IWorkload", "~IExecutionState", "~ITensorHandle", "~ITensorHandle",
                          "~IWorkloadFactory"));
  network.reset();
  EXPECT_THAT(
      GetRecordFrom("~IPreCompiledObject"),
      ElementsAre("~IPreCompiledObject", "~ILayerSupport", "~ITensorHandleFactory",
                  "~IMemoryManager", "~IBackendModelContext", "~IBackendContext", "library"));
}

TEST_F(DestructionOrder, OfANetworkThatCouldNotBeLoaded) {
  auto runtime = Create();
  auto network = OptimizeFold(*runtime);
  watch_.Throw("IWorkloadFactory::CreateExecutionState", Thrown::kOwn);
  EXPECT_THROW(runtime->LoadNetwork(network), DiagnosticException);
  watch_.StopThrowing();
  EXPECT_THAT(GetRecordFrom("~IWorkload"), ElementsAre("~IWorkload", "~IWorkloadFactory"));
}

TEST_F(DestructionOrder, OfARuntimeThatCouldNotBeCreated) {
  watch_.Throw("IBackendInternal::CreateBackendContext", Thrown::kOwn);
  EXPECT_THROW(Create(), DiagnosticException);
  EXPECT_THAT(GetRecordFrom("library"), ElementsAre("library"));
  EXPECT_FALSE(IsMapped(directory_.GetPath()));
}

TEST_F(DestructionOrder, ThreeRuntimesLeaveOneLibrary) {
  {
    const auto first = Create();
    const auto second = Create();
    const auto third = Create();
    EXPECT_TRUE(GetRecordFrom("~IBackendContext").empty());
  }
  EXPECT_THAT(GetRecordFrom("~IBackendContext"),
              ElementsAre("~IBackendContext", "~IBackendContext", "~IBackendContext", "library"));
}

}  // namespace
}  // namespace backplane::test
