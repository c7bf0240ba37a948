#pragma once

/// What the tests of execute-network share.

#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/tensor_file.hpp>

#include "run_command.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace backplane::test {

inline const std::string kDigits = BACKPLANE_DIGITS_FOLDER;
inline const std::string kModel = kDigits + "/digits.onnx";
inline const std::string kTensor = kDigits + "/test_data_set_0/input_0.pb";
inline const std::string kExpected = kDigits + "/test_data_set_0/output_0.pb";

class ExecuteNetwork : public testing::Test {
 protected:
  /// What is written to standard error is without its line breaks.
  static CommandResult Run(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment = {}) {
    CommandResult result = RunCommand(EXECUTE_NETWORK, arguments, {environment, "", ""});
    result.err = JoinDiagnosticLines(result.err);
    return result;
  }
  /// Runs the digit model on the tensor of its first data set.
  static CommandResult RunDigits(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {kModel, "--input", "image=" + kTensor});
    return Run(arguments);
  }

  std::string WriteTensor(const std::string& name, const TensorInfo& info) const {
    const std::string path = folder_ / name;
    onnx::WriteTensorFile(path, {"image", info, std::vector<unsigned char>(info.GetSizeBytes())});
    return path;
  }

  TemporaryDirectory folder_;
};

inline void ExpectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is not in:\n" << text;
}

inline std::string Headline(DiagnosticCode code) {
  return "error " + GetDiagnosticId(code) + ": ";
}

/// A refusal writes nothing to standard output and ends with the right code.
inline void ExpectRefusal(const CommandResult& result, int exit_code, DiagnosticCode code,
                          const std::vector<std::string>& words) {
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  ExpectContains(result.err, Headline(code));
  for (const std::string& word : words) ExpectContains(result.err, word);
}

}  // namespace backplane::test
