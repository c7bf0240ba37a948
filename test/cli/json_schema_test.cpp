/// The published schemas describe what the commands write, all of it and nothing else.

#include "json_schema.hpp"
#include "list_backends_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane::test {
namespace {

using Json = nlohmann::json;

class JsonSchema : public ListBackends {
 protected:
  void SetUp() override {
    AddMixed();
    report_ = Json::parse(ListWith({GetPath(), "/nowhere", "--format", "json"}).out);
    if (!Check().is_checked) GTEST_SKIP() << "python3-jsonschema is not installed";
  }

  SchemaVerdict Check() const { return CheckAgainstSchema("list-backends", report_.dump()); }

  Json report_;
};

TEST_F(JsonSchema, AcceptsEveryStatus) {
  EXPECT_EQ(Check().breaches, "");
  for (const auto& [status, count] : report_["summary"].items()) {
    if (status == "inspected") continue;
    EXPECT_GT(count, 0) << status;
  }
}

TEST_F(JsonSchema, AcceptsWhatIsExplainedAndInspected) {
  for (const char* probe : {"inspect", "in-process"}) {
    for (const char* row : {"ValidA", "TextFile", "FactoryThrows", "LinkTarget"}) {
      report_ = Json::parse(
          ListWith({"--explain", GetFile(row), "--probe", probe, "--format", "json"}).out);
      EXPECT_EQ(Check().breaches, "") << row;
    }
  }
}

TEST_F(JsonSchema, NoticesAKeyThatIsNotDescribed) {
  report_["candidates"][0]["colour"] = "green";
  EXPECT_NE(Check().breaches.find("'colour' was unexpected"), std::string::npos);
}

TEST_F(JsonSchema, NoticesAKeyThatIsMissing) {
  report_["candidates"][0].erase("where");
  EXPECT_NE(Check().breaches.find("'where' is a required property"), std::string::npos);
}

TEST_F(JsonSchema, NoticesAnUnknownStatus) {
  report_["candidates"][0]["status"] = "tired";
  EXPECT_NE(Check().breaches.find("'tired' is not one of"), std::string::npos);
}

}  // namespace
}  // namespace backplane::test
