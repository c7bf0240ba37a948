/// Objects of a backend that stay when everything else is gone keep its library, whose code they
/// are, and nothing else does. The mocks are really unmapped when they are closed.

#include "complete_objects.hpp"
#include "mock_network.hpp"
#include "mock_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ostream>
#include <set>
#include <thread>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using Strings = std::vector<std::string>;
using Kept = std::shared_ptr<const void>;

/// One kind of object, and how one is kept when all others are gone.
struct KeptRow {
  const char* interface;
  std::function<Kept(const CompleteObjects&)> keep;
};

/// What GoogleTest shows for a row.
void PrintTo(const KeptRow& row, std::ostream* stream) {
  *stream << row.interface;
}

template <typename Member>
KeptRow Keep(const char* interface, Member CompleteObjects::*member) {
  return {interface,
          [member](const CompleteObjects& all) { return std::make_shared<Member>(all.*member); }};
}

const std::vector<KeptRow>& GetRows() {
  using All = CompleteObjects;
  static const std::vector<KeptRow> rows{
      Keep("IBackendInternal", &All::backend),
      Keep("ILayerSupport", &All::layer_support),
      Keep("IWorkloadFactory", &All::factory),
      Keep("IWorkload", &All::workload),
      Keep("IExecutionState", &All::state),
      Keep("IMemoryManager", &All::memory_manager),
      Keep("ITensorHandle", &All::handle),
      Keep("ITensorHandleFactory", &All::handle_factory),
      Keep("IBackendContext", &All::context),
      Keep("IBackendModelContext", &All::model_context),
      Keep("IBackendProfilingContext", &All::profiling),
      Keep("IPreCompiledObject", &All::compiled),
  };
  return rows;
}

class OutlivingObject : public ::testing::TestWithParam<KeptRow> {
 protected:
  const std::string path_ = GetMockRow("Complete").path;
  MockWatch watch_;
  HostSide host_;
};

TEST_P(OutlivingObject, KeepsTheLibraryAndGoesBeforeIt) {
  Kept kept = GetParam().keep(CompleteObjects(host_));
  EXPECT_TRUE(IsMapped(path_));
  const std::size_t num_before = watch_.GetRecord().size();
  kept.reset();
  EXPECT_FALSE(IsMapped(path_));
  Strings record = watch_.GetRecord();
  record.erase(record.begin(), record.begin() + static_cast<std::ptrdiff_t>(num_before));
  ASSERT_FALSE(record.empty());
  EXPECT_EQ(record.back(), "library");
  const std::string destroyed = std::string("~") + GetParam().interface;
  EXPECT_EQ(std::count(record.begin(), record.end(), destroyed), 1);
}

TEST_P(OutlivingObject, MayBeDestroyedByAnotherThread) {
  Kept kept = GetParam().keep(CompleteObjects(host_));
  std::thread([&] { kept.reset(); }).join();
  EXPECT_FALSE(IsMapped(path_));
}

std::string GetTestName(const ::testing::TestParamInfo<KeptRow>& info) {
  return info.param.interface;
}

INSTANTIATE_TEST_SUITE_P(OfEachInterface, OutlivingObject, ::testing::ValuesIn(GetRows()),
                         GetTestName);

TEST(OutlivingObjectRows, AreThereForEveryInterface) {
  std::set<std::string> known;
  for (const KeptRow& row : GetRows()) known.insert(row.interface);
#define BACKPLANE_APPLICATION_FUNCTION(...)
#define BACKPLANE_FUNCTION(interface, ...) EXPECT_EQ(known.count(#interface), 1U) << #interface;
#include <backplane/api/functions.def>
#undef BACKPLANE_FUNCTION
}

class OutlivingTheRuntime : public ::testing::Test {
 protected:
  std::shared_ptr<const IOptimizedNetwork> OptimizeSum() const {
    return Optimize(*MakeSumAndRelu(), {"MockRuns"}, runtime_->GetDeviceSpec());
  }
  void ExpectClosed() { EXPECT_FALSE(IsMapped(path_)); }

  const std::string path_ = GetMockRow("Runs").path;
  std::unique_ptr<IRuntime> runtime_ = CreateRuntime(GetMockRow("Runs").folder);
};

TEST_F(OutlivingTheRuntime, LayerSupportIsStillAsked) {
  const DeviceSpec device = runtime_->GetDeviceSpec();
  PluginObject<const ILayerSupport> support;
  {
    const auto backend = device.GetRegistry().CreateBackend("MockRuns");
    support = {backend.Call<&IBackendInternal::GetLayerSupport>(LayerSupportArgs()).value,
               backend.GetOrigin()};
  }
  runtime_.reset();
  LayerSupportQuery query;
  query.layer_type = LayerType::kSoftmax;
  std::string reason;
  const auto answer = support.Call<&ILayerSupport::IsLayerSupported>(query, reason);
  EXPECT_FALSE(answer.HasFailed());
  EXPECT_FALSE(answer.value);
  EXPECT_THAT(reason, HasSubstr("Softmax"));
}

TEST_F(OutlivingTheRuntime, TheReasonOfALayerSupportNeedsNoLibrary) {
  std::string reason;
  {
    const auto backend = runtime_->GetDeviceSpec().GetRegistry().CreateBackend("MockRuns");
    const PluginObject<const ILayerSupport> support(
        backend.Call<&IBackendInternal::GetLayerSupport>(LayerSupportArgs()).value,
        backend.GetOrigin());
    LayerSupportQuery query;
    query.layer_type = LayerType::kSoftmax;
    support.Call<&ILayerSupport::IsLayerSupported>(query, reason);
  }
  runtime_.reset();
  ExpectClosed();
  EXPECT_THAT(reason, HasSubstr("Softmax"));
}

TEST_F(OutlivingTheRuntime, AnOptimisedNetworkKeepsTheLibraryAndShowsItsPlacement) {
  auto network = OptimizeSum();
  runtime_->LoadNetwork(network);
  runtime_.reset();
  EXPECT_TRUE(IsMapped(path_));
  EXPECT_EQ(network->GetPlacement().layers.at(0).backend_id, "MockRuns");
  EXPECT_EQ(network->GetOutputs().at(0).name, "result");
  network.reset();
  ExpectClosed();
}

TEST_F(OutlivingTheRuntime, ADeviceSpecStillPlacesNetworks) {
  auto device = std::make_unique<DeviceSpec>(runtime_->GetDeviceSpec());
  runtime_.reset();
  EXPECT_TRUE(IsMapped(path_));
  EXPECT_NO_THROW(Optimize(*MakeSumAndRelu(), {"MockRuns"}, *device));
  device.reset();
  ExpectClosed();
}

TEST_F(OutlivingTheRuntime, ARegistryKeepsItsBackends) {
  auto registry = runtime_->GetDeviceSpec().ShareRegistry();
  runtime_.reset();
  EXPECT_STREQ(registry->CreateBackend("MockRuns").Call<&IBackendInternal::GetId>().value,
               "MockRuns");
  registry.reset();
  ExpectClosed();
}

TEST_F(OutlivingTheRuntime, AFactoryFunctionKeepsTheLibrary) {
  BackendFactoryFunction factory = runtime_->GetDeviceSpec().GetRegistry().GetFactory("MockRuns");
  runtime_.reset();
  EXPECT_TRUE(IsMapped(path_));
  EXPECT_STREQ(factory()->GetId(), "MockRuns");
  factory = nullptr;
  ExpectClosed();
}

TEST_F(OutlivingTheRuntime, ALoadReportNeedsNoLibrary) {
  const LoadReport report = runtime_->GetLoadReport();
  runtime_.reset();
  ExpectClosed();
  EXPECT_EQ(report.candidates.at(0).identity->id, "MockRuns");
  EXPECT_THAT(ToJson(report), HasSubstr("BackendsMade"));
}

TEST(OutlivingExceptions, OfABackendNeedNoLibrary) {
  for (const Thrown thrown : kAllThrown) {
    const MockDirectory directory;
    directory.Add("Complete");
    std::exception_ptr kept;
    {
      MockWatch watch;
      const auto runtime = CreateRuntime(directory.GetPath());
      watch.Throw("IBackendInternal::GetLayerSupport", thrown);
      try {
        Optimize(*MakeSumAndRelu(), {"MockComplete"}, runtime->GetDeviceSpec());
      } catch (...) {
        kept = std::current_exception();
      }
    }
    EXPECT_FALSE(IsMapped(directory.GetPath()));
    ASSERT_NE(kept, nullptr);
    try {
      std::rethrow_exception(kept);
    } catch (const DiagnosticException& exception) {
      EXPECT_THAT(exception.what(), HasSubstr(GetThrownText(thrown)));
    }
  }
}

TEST(OutlivingExceptions, OfARuntimeThatWasNotCreatedNeedNoLibrary) {
  const MockDirectory directory;
  directory.Add("FactoryThrows");
  try {
    CreateRuntime(directory.GetPath());
    FAIL() << "a runtime was created";
  } catch (const DiagnosticException& exception) {
    EXPECT_FALSE(IsMapped(directory.GetPath()));
    EXPECT_THAT(exception.what(), HasSubstr("the factory is closed"));
  }
}

}  // namespace
}  // namespace backplane::test
