/// The cases of the system we follow that load backends through a runtime, by its numbers. Where
/// it makes a runtime without any backend (27, 30 and 31), here none is made, and the reason is
/// given.

#include "mock_network.hpp"
#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

/// The text of the diagnostic with which no runtime is made.
std::string FindNoBackends(const std::string& directory) {
  try {
    CreateRuntime(directory);
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNoBackends);
    return exception.what();
  }
  ADD_FAILURE() << "a runtime was created from " << directory;
  return "";
}

TEST(DynamicBackendRuntimeTests, Case27_DoesNotStartWithAnEmptyDirectory) {
  const MockDirectory directory;
  EXPECT_THAT(FindNoBackends(directory.GetPath()), HasSubstr(directory.GetPath()));
}

TEST(DynamicBackendRuntimeTests, Case28_OffersTheBackendsOfTheDirectory) {
  const MockDirectory directory;
  for (const char* row : {"ValidA", "ValidB", "VersionNextMinor", "NullId"}) directory.Add(row);
  const auto runtime = CreateRuntime(directory.GetPath());
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(),
              UnorderedElementsAre("MockValidA", "MockValidB"));
  EXPECT_EQ(runtime->GetDeviceSpec().GetRegistry().Size(), 2U);
}

TEST(DynamicBackendRuntimeTests, Case29_OffersADuplicateOnce) {
  const MockDirectory directory;
  for (const char* row : {"ValidC", "DuplicateFirst", "DuplicateSecond"}) directory.Add(row);
  const auto runtime = CreateRuntime(directory.GetPath());
  EXPECT_THAT(runtime->GetDeviceSpec().GetBackendIdsByRank(),
              UnorderedElementsAre("MockDuplicate", "MockValidC"));
}

TEST(DynamicBackendRuntimeTests, Case30_DoesNotStartWithInvalidBackendsOnly) {
  const MockDirectory directory;
  for (const char* row : {"EmptyId", "UnknownId"}) directory.Add(row);
  const std::string reason = FindNoBackends(directory.GetPath());
  EXPECT_THAT(reason, HasSubstr("Mock_EmptyId_backend.so"));
  EXPECT_THAT(reason, HasSubstr("Mock_UnknownId_backend.so"));
}

TEST(DynamicBackendRuntimeTests, Case31_DoesNotStartWithAnInvalidPath) {
  EXPECT_THAT(FindNoBackends("InvalidPath"), HasSubstr("InvalidPath"));
}

#ifdef BACKPLANE_BACKENDS_FOLDER
TEST(DynamicBackendRuntimeTests, Case32_OffersTheReferenceBackend) {
  const auto runtime = CreateRuntime(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER));
  EXPECT_TRUE(runtime->GetDeviceSpec().GetRegistry().IsBackendRegistered("CpuRef"));
  EXPECT_THAT(RunSumAndRelu(*runtime, {"CpuRef"}, {5, 3}, {10, -8}), ElementsAre(15, 0));
}
#endif

TEST(DynamicBackendRuntimeTests, Case37_TheSampleTakesAdditionAndNoConvolution) {
  const auto runtime = CreateRuntime(GetMockRow("Runs").folder);
  const auto network = INetwork::Create("convolution");
  const OutputSlot input =
      network->AddInputLayer(TensorInfo({1, 1, 2, 2}, DataType::kFloat32), "input");
  const TensorInfo weights_info({1, 1, 1, 1}, DataType::kFloat32);
  const float one = 1.0F;
  const OutputSlot weights =
      network->AddConstantLayer(weights_info, CopyConstantData(&one, sizeof(one)), "weights");
  const LayerId layer = AddLayer<LayerType::kConvolution>(*network, ConvolutionDescriptor(),
                                                          {input, weights}, "convolution");
  network->AddOutputLayer({layer, 0}, "output");
  try {
    Optimize(*network, {"MockRuns"}, runtime->GetDeviceSpec());
    ADD_FAILURE() << "the mock took a convolution";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kLayerNotSupported);
    EXPECT_THAT(exception.what(), HasSubstr("layer type Convolution is not supported"));
  }
  EXPECT_NO_THROW(Optimize(*MakeSumAndRelu(), {"MockRuns"}, runtime->GetDeviceSpec()));
}

TEST(DynamicBackendRuntimeTests, Case38_TheSampleAddsEndToEnd) {
  const auto runtime = CreateRuntime(GetMockRow("Runs").folder);
  EXPECT_THAT(RunSumAndRelu(*runtime, {"MockRuns"}, {5, 3}, {10, 8}), ElementsAre(15, 11));
}

}  // namespace
}  // namespace backplane::test
