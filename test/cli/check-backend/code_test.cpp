/// The C++ that check-backend gives for a case compiles and shows the fault.

#include "check_backend_fixture.hpp"
#include "support/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace backplane::test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

/// The words of a text, between spaces.
std::vector<std::string> Split(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

class RepeatedCase : public ::testing::Test {
 protected:
  void SetUp() override {
    if (HasAddressSanitizer() || HasThreadSanitizer()) {
      GTEST_SKIP() << "the program would have to be compiled for the sanitizer too";
    }
    folder_ = ::testing::TempDir() + "check_backend_code";
    std::filesystem::create_directories(folder_);
    settings_.environment = {"MOCK_MUTANT=PadsSwapped"};
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  Json Check(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {GetMutants(), "--rule",   "BC0301",
                                          "--quick",    "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return FindRule(Json::parse(CheckWith(arguments, settings_).out), "BC0301");
  }

  /// Gives the program.
  std::string Compile(const std::string& code) const {
    std::ofstream(folder_ + "/repeat.cpp") << code;
    std::string program = folder_ + "/repeat";
    std::vector<std::string> arguments = {"-std=c++17", folder_ + "/repeat.cpp", "-o", program};
    for (const std::string& folder : Split(BACKPLANE_INCLUDE_FOLDERS)) {
      arguments.push_back("-I" + folder);
    }
    const std::string library = InBuildTree(BACKPLANE_HOST_LIBRARY);
    arguments.push_back(library);
    arguments.push_back("-Wl,-rpath," + std::filesystem::path(library).parent_path().string());
    const CommandResult compiled = RunCommand(BACKPLANE_COMPILER, arguments);
    EXPECT_EQ(compiled.exit_code, 0) << compiled.err;
    return program;
  }

  CommandSettings settings_;
  std::string folder_;
};

TEST_F(RepeatedCase, ShowsTheFaultInAProgramOfItsOwn) {
  const std::string number = Check({})["findings"][0]["case"].dump();
  const std::string code = Check({"--case", number})["code"];
  EXPECT_THAT(code, HasSubstr("pads_begin"));
  const std::string program = Compile(code);
  const CommandResult wrong = RunCommand(program, {}, settings_);
  const CommandResult right = RunCommand(program, {});
  EXPECT_EQ(wrong.exit_code, 0) << wrong.err;
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_THAT(wrong.out, HasSubstr("status: success"));
  EXPECT_THAT(right.out, HasSubstr("status: success"));
  EXPECT_NE(wrong.out, right.out);
}

}  // namespace
}  // namespace backplane::test
