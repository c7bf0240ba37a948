/// Backends that would take the process from the command: those that are not needed are not opened
/// in it, and whatever one does there, the command ends with a word.

#include "build_tree.hpp"
#include "execute_network_fixture.hpp"
#include "mock_rows.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class OwnProcess : public ExecuteNetwork {
 protected:
  void SetUp() override {
    fs::copy(fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / "Backplane_CpuRef_backend.so",
             directory_.GetPath());
  }

  /// Runs the digit model, by relative paths, on what is in the directory.
  CommandResult RunHere(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"digits.onnx", "--input",
                                          "image=test_data_set_0/input_0.pb", "--backends-path",
                                          directory_.GetPath()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CommandResult result = RunCommand(InBuildTree(EXECUTE_NETWORK), arguments, {{}, kDigits, ""});
    result.err = JoinDiagnosticLines(result.err);
    return result;
  }

  MockDirectory directory_;
};

TEST_F(OwnProcess, IsNotEnteredByBackendsThatAreNotPreferred) {
  directory_.Add("Prints");
  const CommandResult result = RunHere({"--backends", "CpuRef", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out).at("model"), "digits.onnx") << "nobody else wrote there";
}

TEST_F(OwnProcess, IsNotEnteredByOthersWhenOptionsAndCountersAreAskedFor) {
  directory_.Add("Prints");
  directory_.Add("ClaimsEverything");
  const CommandResult result =
      RunHere({"--backends", "CpuRef", "--option", "MockClaimsEverything:device=1", "--trace",
               folder_ / "trace.json", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(Json::parse(result.out).at("outputs").empty());
}

TEST_F(OwnProcess, IsNotEnteredByIntrusiveBackendsWhichAreNamed) {
  for (const char* row :
       {"ClosesDescriptors", "RedirectsOutput", "ForksAndGoesOn", "ChangesState"}) {
    directory_.Add(row);
  }
  const CommandResult result = RunHere({"--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(Json::parse(result.out).at("outputs").empty());
  const std::string code = GetDiagnosticId(DiagnosticCode::kIntrusiveBackend);
  for (const char* row :
       {"ClosesDescriptors", "RedirectsOutput", "ForksAndGoesOn", "ChangesState"}) {
    EXPECT_THAT(result.err, HasSubstr(code + ": Mock_" + row + "_backend.so works, but"));
  }
}

TEST_F(OwnProcess, IsTakenBackFromBackends) {
  const std::string code = GetDiagnosticId(DiagnosticCode::kChangedProcessState);
  for (const char* row : {"ClosesDescriptors", "RedirectsOutput", "ChangesState"}) {
    const std::string path = directory_.Add(row);
    const CommandResult result = RunHere({"--probe", "in-process", "--format", "json"});
    fs::remove(path);
    EXPECT_EQ(result.exit_code, 0) << row << result.err;
    const Json json = Json::parse(result.out);
    ASSERT_EQ(json.at("warnings").size(), 1U) << row;
    EXPECT_EQ(json.at("warnings").at(0).at("code"), code);
    EXPECT_THAT(result.err, HasSubstr("warning " + code + ": a backend that was opened here"));
  }
}

TEST_F(OwnProcess, SpeaksOnceWhenABackendForks) {
  directory_.Add("ForksAndGoesOn");
  const CommandResult result = RunHere({"--probe", "in-process", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(Json::parse(result.out).at("outputs").empty());
}

TEST_F(OwnProcess, IsWatchedAndItsEndIsExplained) {
  const struct {
    const char* row;
    const char* end;
  } kRows[] = {{"ExitInConstructor", "exit code 0, by exit or _exit"},
               {"ExitAtOnce", "exit code 3, by exit or _exit"},
               {"CrashInConstructor", test::DescribeEndByBadAccess()},
               {"Killed", "was ended by SIGKILL"}};
  for (const auto& row : kRows) {
    const std::string path = directory_.Add(row.row);
    const CommandResult result = RunHere({"--probe", "in-process", "--format", "json"});
    fs::remove(path);
    EXPECT_EQ(result.exit_code, 2) << row.row;
    EXPECT_THAT(result.err, AllOf(HasSubstr(Headline(DiagnosticCode::kCommandEnded)),
                                  HasSubstr(row.end), HasSubstr("backends were looked for")));
    EXPECT_EQ(Json::parse(result.out).at("diagnostics").at(0).at("name"), "command-ended");
  }
}

TEST_F(OwnProcess, WarnsOfBackendsThatAreUsedAndOfNoOthers) {
  directory_.Add("RunsFastMath");
  const std::string code = GetDiagnosticId(DiagnosticCode::kChangedProcessState);
  const CommandResult used = RunHere({"--backends", "MockRunsFastMath,CpuRef"});
  EXPECT_EQ(used.exit_code, 0) << used.err;
  EXPECT_THAT(used.err, HasSubstr("warning " + code + ": Mock_RunsFastMath_backend.so changes"));
  const CommandResult as_json =
      RunHere({"--backends", "MockRunsFastMath,CpuRef", "--format", "json"});
  EXPECT_EQ(Json::parse(as_json.out).at("warnings").at(0).at("code"), code);
  EXPECT_THAT(RunHere({"--backends", "CpuRef"}).err, IsEmpty());
}

TEST_F(OwnProcess, WarnsAlsoWhenTheRunFails) {
  directory_.Add("RunsFastMath");
  const CommandResult result =
      RunHere({"--backends", "MockRunsFastMath,CpuRef", "--labels", kModel, "--format", "json"});
  EXPECT_EQ(result.exit_code, 2);
  const Json diagnostics = Json::parse(result.out).at("diagnostics");
  ASSERT_EQ(diagnostics.size(), 2U);
  EXPECT_EQ(diagnostics.at(0).at("severity"), "error");
  EXPECT_EQ(diagnostics.at(1).at("code"), GetDiagnosticId(DiagnosticCode::kChangedProcessState));
}

/// The command has libonnx, whose onnx/onnx-ml.proto the backend has once more.
TEST_F(OwnProcess, IsNotEndedByABackendWithAProtoFileOfALibrary) {
  const fs::path file = fs::path(InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR)) /
                        "clash-real-proto/Mock_RealProtoA_backend.so";
  if (!fs::exists(file)) GTEST_SKIP() << "libprotobuf-dev and protobuf-compiler are missing";
  fs::copy(file, directory_.GetPath());
  for (const char* probe : {"child", "in-process"}) {
    const CommandResult result = RunHere({"--probe", probe});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("BP4401"), HasSubstr("Mock_RealProtoA_backend.so"),
                                  HasSubstr("\"onnx/onnx-ml.proto\""), HasSubstr("libonnx")));
  }
}

TEST_F(OwnProcess, IsNotEndedByTwoBackendsWithOneProtoFile) {
  const fs::path folder = fs::path(InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR)) / "clash-proto-file";
  for (const char* name : {"Mock_ProtoFileA_backend.so", "Mock_ProtoFileB_backend.so"}) {
    fs::copy(folder / name, directory_.GetPath());
  }
  const CommandResult result = RunHere({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

}  // namespace
}  // namespace backplane::test
