/// What execute-network says when a backend ends its process, whatever the way: the layer and the
/// backend; and what of a backend's output reaches its results.

#include "execute_network_fixture.hpp"
#include "mock_rows.hpp"
#include "relu_model.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <ostream>

namespace backplane::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// What is done where, how the process ends, and whether it can still speak.
struct LastWords {
  const char* deed;
  const char* place;
  const char* end;
  bool has_note;
};

std::string GetLayer(const LastWords& row) {
  return std::string(row.deed) + " in " + row.place;
}

void PrintTo(const LastWords& row, std::ostream* stream) {
  *stream << GetLayer(row);
}

std::string GetTestName(const testing::TestParamInfo<LastWords>& info) {
  return std::string(info.param.deed) + "_" + info.param.place;
}

/// What stands for the place in the last words.
std::string GetPlaceWords(const LastWords& row) {
  const std::string place = row.place;
  const std::string layer = "layer \"" + GetLayer(row) + "\" (Activation)";
  const std::string backend = "in backend \"MockMisbehaves\", which ";
  if (place == "support") return backend + "was asked whether it supports " + layer;
  if (place == "compile") return backend + "was offered ";
  if (place == "load") return backend + "made the workload of " + layer;
  if (place == "map")
    return "at output \"y\" of network \"chain\", in memory of backend "
           "\"MockMisbehavesInMap\"";
  return "in " + layer + " of network \"chain\" on backend \"MockMisbehaves\"";
}

class RunOfMisbehaving : public ExecuteNetwork {
 protected:
  /// One Relu of this name, on a backend that does what the name says.
  CommandResult RunLayer(const std::string& layer, const std::vector<std::string>& more) const {
    const bool is_map = layer.find(" in map") != layer.npos;
    const MockRow& row = GetMockRow(is_map ? "MisbehavesInMap" : "Misbehaves");
    const TensorInfo info({4}, DataType::kFloat32);
    const float values[4] = {13, -1, 2, -3};
    std::vector<unsigned char> bytes(sizeof(values));
    std::memcpy(bytes.data(), values, sizeof(values));
    onnx::WriteTensorFile(folder_ / "x.pb", {"x", info, bytes});
    std::vector<std::string> arguments = {folder_.Write("relu.onnx", MakeReluModel(layer)),
                                          "--input",
                                          "x=" + folder_ / "x.pb",
                                          "--backends-path",
                                          row.folder,
                                          "--backends",
                                          row.id};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  }
};

class LastWordsOfCommand : public RunOfMisbehaving,
                           public testing::WithParamInterface<LastWords> {};
INSTANTIATE_TEST_SUITE_P(
    Table, LastWordsOfCommand,
    testing::Values(
        LastWords{"Segfault", "support", "", true},
        LastWords{"Exit", "support", "exit code 0, by exit or _exit", true},
        LastWords{"Kill", "support", "SIGKILL", false},
        LastWords{"Abort", "compile", "SIGABRT", true},
        LastWords{"ExitAtOnce", "compile", "exit code 3, by exit or _exit", false},
        LastWords{"Kill", "compile", "SIGKILL", false}, LastWords{"DivideByZero", "load", "", true},
        LastWords{"ExitQuietly", "load", "exit code 0, by exit or _exit", false},
        LastWords{"Kill", "load", "SIGKILL", false}, LastWords{"Segfault", "map", "", true},
        LastWords{"Exit", "map", "exit code 0, by exit or _exit", true},
        LastWords{"ExitAtOnce", "map", "exit code 3, by exit or _exit", false},
        LastWords{"Kill", "map", "SIGKILL", false}, LastWords{"Segfault", "execute", "", true},
        LastWords{"Abort", "execute", "SIGABRT", true},
        LastWords{"OverflowStack", "execute", "", true},
        LastWords{"ThrowInNoexcept", "execute", "SIGABRT", true},
        LastWords{"CloseErrors", "execute", "SIGABRT", true},
        LastWords{"Exit", "execute", "exit code 0, by exit or _exit", true},
        LastWords{"ExitAtOnce", "execute", "exit code 3, by exit or _exit", false},
        LastWords{"ExitQuietly", "execute", "exit code 0, by exit or _exit", false},
        LastWords{"Kill", "execute", "SIGKILL", false}, LastWords{"Segfault", "thread", "", true},
        LastWords{"Abort", "thread", "SIGABRT", true},
        LastWords{"OverflowStack", "thread", "", false},
        LastWords{"Exit", "thread", "exit code 0, by exit or _exit", true},
        LastWords{"ExitAtOnce", "thread", "exit code 3, by exit or _exit", false},
        LastWords{"Kill", "thread", "SIGKILL", false}),
    GetTestName);

TEST_P(LastWordsOfCommand, NameLayerAndBackend) {
  const CommandResult result = RunLayer(GetLayer(GetParam()), {"--format", "json"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr(Headline(DiagnosticCode::kCommandEnded)));
  EXPECT_THAT(result.err, HasSubstr(GetParam().end));
  const bool is_sanitized = HasAddressSanitizer() || HasThreadSanitizer();
  if (!is_sanitized || GetParam().has_note) {
    EXPECT_EQ(
        result.err.find("\nbackplane: ") != result.err.npos || result.err.find("backplane: ") == 0,
        GetParam().has_note)
        << result.err;
  }
  const Json diagnostic = Json::parse(result.out).at("diagnostics").at(0);
  EXPECT_EQ(diagnostic.at("code"), GetDiagnosticId(DiagnosticCode::kCommandEnded));
  EXPECT_THAT(diagnostic.at("what").get<std::string>(), HasSubstr(GetPlaceWords(GetParam())));
  EXPECT_THAT(diagnostic.at("fix").get<std::string>(), HasSubstr("--isolate"));
}

class OutputOfBackends : public RunOfMisbehaving,
                         public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Places, OutputOfBackends,
                         testing::Values("support", "compile", "load", "execute", "thread"));

TEST_P(OutputOfBackends, GoesToStandardErrorAndNotIntoTheResults) {
  const std::string layer = std::string("Print in ") + GetParam();
  const CommandResult as_json = RunLayer(layer, {"--format", "json"});
  EXPECT_EQ(as_json.exit_code, 0) << as_json.err;
  EXPECT_EQ(Json::parse(as_json.out).at("outputs").size(), 1U);
  EXPECT_THAT(as_json.err, HasSubstr("a mock backend was loaded"));
  const CommandResult as_text = RunLayer(layer, {});
  EXPECT_EQ(as_text.exit_code, 0);
  EXPECT_THAT(as_text.out, Not(HasSubstr("a mock backend was loaded")));
  EXPECT_THAT(as_text.out, HasSubstr("MockMisbehaves"));
}

TEST_F(RunOfMisbehaving, WritesItsResultsWhenABackendClosedEverything) {
  const CommandResult result = RunLayer("CloseDescriptors in execute", {"--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out).at("outputs").size(), 1U);
}

}  // namespace
}  // namespace backplane::test
