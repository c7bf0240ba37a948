#include <backplane/host/diagnostic.hpp>

#include "json_schema.hpp"
#include "run_command.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

namespace backplane::test {
namespace {

using Json = nlohmann::json;

const std::string kDigits = BACKPLANE_DIGITS_FOLDER;
const std::string kModel = kDigits + "/digits.onnx";

class ExecuteNetworkTrace : public testing::Test {
 protected:
  CommandResult Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {kModel, "--test-data", kDigits, "--trace", trace_});
    return RunCommand(EXECUTE_NETWORK, arguments, {{}, "", ""});
  }

  std::string Read() const {
    std::ifstream file(trace_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  static std::size_t Count(const Json& trace, const std::string& category) {
    std::size_t count = 0;
    for (const Json& event : trace.at("traceEvents")) count += event.value("cat", "") == category;
    return count;
  }

  TemporaryDirectory folder_;
  const std::string trace_ = folder_ / "trace.json";
};

void ExpectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << text;
}

TEST_F(ExecuteNetworkTrace, HasEveryRunWithItsLayers) {
  const CommandResult result = Run({"--iterations", "3", "--backends", "CpuRef"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "\ntrace     " + trace_ + ", ");
  const Json trace = Json::parse(Read());
  EXPECT_EQ(Count(trace, "scan"), 1U);
  EXPECT_GE(Count(trace, "opening"), 1U);
  EXPECT_EQ(Count(trace, "optimize"), 2U);  // one for the shapes of each data set
  EXPECT_EQ(Count(trace, "load"), 2U);
  EXPECT_EQ(Count(trace, "run"), 5U);  // one to warm up, three measured, one of the second set
  EXPECT_EQ(Count(trace, "copy"), 10U);
  EXPECT_GT(Count(trace, "layer"), 5U);
  EXPECT_EQ(Count(trace, "layer") % 5, 0U);
  EXPECT_EQ(trace.at("otherData").at("lost_events"), 0);
}

TEST_F(ExecuteNetworkTrace, IsOfThePublishedForm) {
  ASSERT_EQ(Run({}).exit_code, 0);
  const SchemaVerdict verdict = CheckAgainstSchema("trace", Read());
  EXPECT_EQ(verdict.breaches, "");
  if (!verdict.is_checked) GTEST_SKIP() << "python3-jsonschema is not installed";
}

TEST_F(ExecuteNetworkTrace, GivesOneTableOfLayersWithExplain) {
  const CommandResult result = Run({"--explain"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ExpectContains(result.out, "runs");
  ExpectContains(result.out, "share");
  ExpectContains(result.out, "network 1 (");
  EXPECT_EQ(result.out.find("network 2 ("), std::string::npos) << "two shapes are one network";
}

TEST_F(ExecuteNetworkTrace, LeavesJsonAsItIs) {
  const CommandResult result = Run({"--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out).at("schema"), 1);
  EXPECT_GT(Count(Json::parse(Read()), "layer"), 0U);
}

TEST_F(ExecuteNetworkTrace, SaysThatItCannotBeWritten) {
  const CommandResult result =
      RunCommand(EXECUTE_NETWORK, {kModel, "--test-data", kDigits, "--trace", "/no/such/folder/t"},
                 {{}, "", ""});
  EXPECT_EQ(result.exit_code, 2);
  ExpectContains(result.err, GetDiagnosticId(DiagnosticCode::kOutputUnwritable));
  ExpectContains(result.err, "/no/such/folder/t");
}

}  // namespace
}  // namespace backplane::test
