/// Which files a runtime may open.

#include "mock_rows.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;

TEST(TrustOfARuntime, IsWhatItsOptionsSay) {
  const MockDirectory directory;
  directory.Add("ValidB");
  const std::string path = directory.Add("ValidA");
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  CreationOptions options;
  options.dynamic_backends_path = directory.GetPath();
  EXPECT_EQ(IRuntime::Create(options)->GetDeviceSpec().GetRegistry().Size(), 1U);
  options.trust.policy = TrustPolicy::kOff;
  EXPECT_EQ(IRuntime::Create(options)->GetDeviceSpec().GetRegistry().Size(), 2U);
}

TEST(TrustOfARuntime, GivesTheReasonForARefusedBackend) {
  const MockDirectory directory;
  directory.Add("ValidA");
  CreationOptions options;
  options.dynamic_backends_path = directory.GetPath();
  options.trust.digest_list = directory.GetPath() + "/none";
  try {
    IRuntime::Create(options);
    FAIL() << "a runtime was created without the list of digests";
  } catch (const DiagnosticException& exception) {
    EXPECT_EQ(exception.GetDiagnostic().code, DiagnosticCode::kNoBackends);
    EXPECT_THAT(exception.what(), HasSubstr(options.trust.digest_list));
  }
}

}  // namespace
}  // namespace backplane::test
