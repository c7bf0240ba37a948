#include "json_schema.hpp"

#include "run_command.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace backplane::test {
namespace {

constexpr int kValidatorMissing = 77;

/// A file with this content, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    const int descriptor = mkstemp(path_.data());
    EXPECT_GE(descriptor, 0);
    EXPECT_EQ(write(descriptor, content.data(), content.size()),
              static_cast<ssize_t>(content.size()));
    close(descriptor);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& GetPath() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "backplane_json_XXXXXX";
};

bool IsJsonAskedFor(const std::vector<std::string>& arguments) {
  const std::vector<std::string> option = {"--format", "json"};
  return std::search(arguments.begin(), arguments.end(), option.begin(), option.end()) !=
         arguments.end();
}

}  // namespace

SchemaVerdict CheckAgainstSchema(const std::string& command, const std::string& json) {
  const TemporaryFile file(json);
  const std::string schema = std::string(BACKPLANE_SCHEMA_DIR) + '/' + command + ".schema.json";
  const CommandResult result =
      RunCommand(BACKPLANE_PYTHON, {"-B", BACKPLANE_VALIDATOR, schema, file.GetPath()});
  if (result.exit_code == kValidatorMissing) return {};
  if (result.exit_code == 0) return {true, ""};
  return {true, result.out + result.err};
}

void ExpectPublishedForm(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& out) {
  if (!IsJsonAskedFor(arguments) || out.empty()) return;
  const SchemaVerdict verdict =
      CheckAgainstSchema(program.substr(program.find_last_of('/') + 1), out);
  EXPECT_EQ(verdict.breaches, "");
  if (!verdict.is_checked) {
    std::puts("[   NOTE   ] not held against its schema: python3-jsonschema is not installed");
  }
}

}  // namespace backplane::test
