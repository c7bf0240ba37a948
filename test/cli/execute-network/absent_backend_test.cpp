/// Asking execute-network for a backend that cannot be had gives that backend's own reason, or the
/// nearest name.

#include <backplane/host/diagnostic.hpp>

#include "mock_rows.hpp"
#include "run_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class AbsentBackend : public testing::Test {
 protected:
  void SetUp() override { directory_.Add("Runs"); }

  /// What is said below the log, from the error that ended the command.
  std::string Ask(const std::string& backend, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {std::string(BACKPLANE_DIGITS_FOLDER) + "/digits.onnx",
                                          "--shape",
                                          "image=1x1x28x28",
                                          "--backends-path",
                                          directory_.GetPath(),
                                          "--log-level",
                                          "off",
                                          "--backends",
                                          backend};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = RunCommand(EXECUTE_NETWORK, arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return JoinDiagnosticLines(result.err);
  }

  static std::string Headline(DiagnosticCode code) {
    return "error " + GetDiagnosticId(code) + ": ";
  }

  MockDirectory directory_;
};

TEST_F(AbsentBackend, ThatWasRejectedGivesItsReason) {
  directory_.Add("FactoryThrows");
  EXPECT_THAT(Ask("MockFactoryThrows"), AllOf(HasSubstr(Headline(DiagnosticCode::kBackendRejected)),
                                              HasSubstr("the factory is closed")));
}

TEST_F(AbsentBackend, WhoseIdIsOnlyInTheFileNameGivesItsReason) {
  directory_.Add("NoGetVersion");
  for (const char* name : {"NoGetVersion", "Mock_NoGetVersion", "Mock_NoGetVersion_backend.so"}) {
    EXPECT_THAT(Ask(name), AllOf(HasSubstr(Headline(DiagnosticCode::kBackendRejected)),
                                 HasSubstr(Headline(DiagnosticCode::kMissingEntryPoint))))
        << name;
  }
}

TEST_F(AbsentBackend, ThatIsUnavailableGivesItsReason) {
  directory_.Add("FactoryUnavailable");
  EXPECT_THAT(Ask("MockFactoryUnavailable"),
              AllOf(HasSubstr(Headline(DiagnosticCode::kBackendRejected)),
                    HasSubstr("there is no mock device in this machine")));
}

TEST_F(AbsentBackend, ThatIsDisabledSaysSo) {
  directory_.Add("ValidA");
  for (const char* pattern : {"MockValidA", "Mock_ValidA*"}) {
    for (const char* name : {"Mock_ValidA", "Mock_ValidA_backend.so"}) {
      EXPECT_THAT(Ask(name, {"--disable", pattern}),
                  AllOf(HasSubstr(Headline(DiagnosticCode::kBackendRejected)),
                        HasSubstr(GetDiagnosticId(DiagnosticCode::kBackendDisabled) + ": ")))
          << pattern << ' ' << name;
    }
  }
}

TEST_F(AbsentBackend, WithTwoRejectedFilesGivesBothReasons) {
  for (const char* file : {"/One_Same_backend.so", "/Two_Same_backend.so"}) {
    std::ofstream(directory_.GetPath() + file) << "text";
  }
  EXPECT_THAT(Ask("Same"), AllOf(HasSubstr(Headline(DiagnosticCode::kBackendRejected)),
                                 HasSubstr("BP2002: One_Same_backend.so is not"),
                                 HasSubstr("BP2002: Two_Same_backend.so is not")));
}

TEST_F(AbsentBackend, CalledByItsFileGivesItsId) {
  for (const char* name : {"Mock_Runs", "Mock_Runs_backend.so", "Runs"}) {
    EXPECT_THAT(Ask(name), AllOf(HasSubstr(Headline(DiagnosticCode::kBackendNotRegistered)),
                                 HasSubstr("did you mean \"MockRuns\"?")))
        << name;
  }
}

TEST_F(AbsentBackend, ThatWasNeverFoundGivesTheNearestName) {
  directory_.Add("TextFile");
  EXPECT_THAT(Ask("MockRunz"), AllOf(HasSubstr(Headline(DiagnosticCode::kBackendNotRegistered)),
                                     HasSubstr("did you mean \"MockRuns\"?")));
  EXPECT_THAT(Ask("TextFyle"),
              AllOf(HasSubstr("did you mean \"TextFile\"? it was found but cannot be used"),
                    HasSubstr(Headline(DiagnosticCode::kNotElf))));
  EXPECT_THAT(Ask("Zzzzzzzzzzzz"),
              AllOf(HasSubstr("registered are MockRuns"), Not(HasSubstr("did you mean"))));
}

}  // namespace
}  // namespace backplane::test
