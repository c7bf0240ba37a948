/// Whatever a backend does to its process, check-backend goes on and says what happened.

#include "check_backend_fixture.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

struct DeadlyDeed {
  const char* deed;
  const char* place;
  const char* rule;
  std::string words;
};

void PrintTo(const DeadlyDeed& row, std::ostream* stream) {
  *stream << row.deed << " in " << row.place;
}

std::vector<DeadlyDeed> GetDeeds() {
  const char* const kRuns = "BC0401";
  const std::string died = "ended the process, by ";
  const std::string by_bad_access = HasAddressSanitizer() || HasThreadSanitizer()
                                        ? "ended the process with exit code"
                                        : died + "SIGSEGV";
  const std::string hung = "did not come back for 2 s";
  return {
      {"Segfault", "execute", kRuns, by_bad_access},
      {"Segfault", "support", kRuns, by_bad_access},
      {"Segfault", "load", kRuns, by_bad_access},
      {"Segfault", "unload", kRuns, by_bad_access},
      {"Segfault", "compile", "BC0901", by_bad_access},
      {"Loop", "compile", "BC0901", hung},
      {"KillParent", "compile", "BC0903", "ended the process that had started it, by SIGKILL"},
      {"Abort", "execute", kRuns, died + "SIGABRT; its last output: mock: nothing works any more"},
      {"IllegalInstruction", "execute", kRuns, died},
      {"BusError", "execute", kRuns, "ended the process"},
      {"Throw", "execute", kRuns, "the mock device burns"},
      {"Throw", "support", kRuns, "the mock device burns"},
      {"ThrowLongText", "execute", kRuns, "a dump of the device: xxxxx"},
      {"ThrowInNoexcept", "execute", kRuns, "the mock device burns"},
      {"ThrowInThread", "execute", kRuns, "the mock device burns"},
      {"SegfaultInThread", "execute", kRuns, by_bad_access},
      {"SegfaultAtExit", "execute", kRuns, by_bad_access},
      {"OverflowStack", "execute", kRuns, "ended the process"},
      {"Loop", "execute", kRuns, hung},
      {"Loop", "load", kRuns, hung},
      {"IgnoreSignals", "execute", kRuns, hung},
      {"PrintEndlessly", "execute", kRuns, "one more line of very many"},
      {"WriteManyErrors", "execute", kRuns, "the last of many lines"},
      {"CloseErrors", "execute", kRuns, died + "SIGABRT"},
      {"Exit", "execute", kRuns, "ended the process with exit code 0, by exit or _exit"},
      {"ExitAtOnce", "execute", kRuns, "ended the process with exit code 3, by exit or _exit"},
      {"ExitQuietly", "execute", kRuns, "ended the process with exit code 0, by exit or _exit"},
      {"Kill", "execute", kRuns, died + "SIGKILL"},
      {"Stop", "execute", kRuns, hung},
      {"KillParent", "execute", kRuns, "ended the process that had started it, by SIGKILL"},
      {"KillParent", "load", kRuns, "ended the process that had started it, by SIGKILL"},
      {"ChangeOwnFileAndCrash", "execute", kRuns, by_bad_access},
  };
}

class EveryDeadlyDeed : public ::testing::TestWithParam<DeadlyDeed> {};

TEST_P(EveryDeadlyDeed, IsTold) {
  const DeadlyDeed& row = GetParam();
  CommandSettings settings;
  settings.environment = {"MOCK_DEED=" + std::string(row.deed) + " in " + row.place};
  const CommandResult result = CheckWith(
      {GetMutants(), "--rule", row.rule, "--quick", "--timeout", "2", "--format=json"}, settings);
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  const Json rule = FindRule(Json::parse(result.out), row.rule);
  ASSERT_TRUE(rule.is_object());
  EXPECT_EQ(rule["outcome"], "broken");
  EXPECT_THAT(JoinFindings(rule), HasSubstr(row.words));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryDeadlyDeed, ::testing::ValuesIn(GetDeeds()),
                         [](const auto& row) {
                           return std::string(row.param.deed) + "_in_" + row.param.place;
                         });

struct DeadlyFile {
  const char* name;
  const char* file;
  std::string words;
};

void PrintTo(const DeadlyFile& row, std::ostream* stream) {
  *stream << row.file;
}

std::vector<DeadlyFile> GetFiles() {
  return {
      {"CrashInConstructor", "crash-in-constructor/Mock_CrashInConstructor_backend.so",
       "while it was being opened"},
      {"AbortInConstructor", "abort-in-constructor/Mock_AbortInConstructor_backend.so", "SIGABRT"},
      {"LoopInFactory", "loop-in-factory/Mock_LoopInFactory_backend.so", "within 2000 ms"},
      {"LoopIgnoringSignals", "loop-ignoring-signals/Mock_LoopIgnoringSignals_backend.so",
       "within 2000 ms"},
      {"PrintsEndlessly", "prints-endlessly/Mock_PrintsEndlessly_backend.so", "within 2000 ms"},
      {"ExitAtOnce", "exit-at-once/Mock_ExitAtOnce_backend.so", "exit or _exit with code 3"},
      {"Killed", "killed/Mock_Killed_backend.so", "SIGKILL"},
      {"KillsParent", "kills-parent/Mock_KillsParent_backend.so", ""},
      {"StopsItself", "stops-itself/Mock_StopsItself_backend.so", "SIGSTOP"},
      {"ClosesErrors", "closes-errors/Mock_ClosesErrors_backend.so", "SIGABRT"},
      {"LeavesProcess", "leaves-process/Mock_LeavesProcess_backend.so", "process"},
  };
}

class EveryDeadlyFile : public ::testing::TestWithParam<DeadlyFile> {};

TEST_P(EveryDeadlyFile, IsNotChecked) {
  const DeadlyFile& row = GetParam();
  const CommandResult result =
      CheckWith({GetMockFile(row.file), "--timeout", "2", "--format=json"});
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["verdict"], "not checked");
  const Json rule = FindRule(report, "BC0101");
  ASSERT_TRUE(rule.is_object());
  EXPECT_EQ(rule["outcome"], "broken");
  EXPECT_THAT(JoinFindings(rule), HasSubstr(row.words));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryDeadlyFile, ::testing::ValuesIn(GetFiles()),
                         [](const auto& row) { return row.param.name; });

TEST(CheckBackend, BeginsARuleAnewBehindWhatEndedIt) {
  CommandSettings settings;
  settings.environment = {"MOCK_DEED=Segfault in execute"};
  const CommandResult result =
      CheckWith({GetMutants(), "--rule", "BC0301", "--quick", "--format=json"}, settings);
  const Json rule = FindRule(Json::parse(result.out), "BC0301");
  ASSERT_EQ(rule["findings"].size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(rule["findings"][i]["case"], i);
}

TEST(CheckBackend, KeepsWhatABackendPrintsOutOfTheReport) {
  CommandSettings settings;
  settings.environment = {"MOCK_DEED=Print in execute"};
  const CommandResult result =
      CheckWith({GetMutants(), "--rule", "BC0301", "--quick", "--format=json"}, settings);
  EXPECT_TRUE(Json::accept(result.out)) << result.out;
  EXPECT_THAT(result.err, IsEmpty());
}

}  // namespace
}  // namespace backplane::test
