// Real models and the operator tests of ONNX, run as a user would run them.

#include <backplane/host/diagnostic.hpp>

#include "run_command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;

CommandResult RunTestData(const fs::path& model, const fs::path& folder) {
  return RunCommand(EXECUTE_NETWORK, {model.string(), "--test-data", folder.string(), "--backends",
                                      "CpuRef", "--warmup", "0"});
}

TEST(Models, DigitsAgree) {
  const fs::path folder = BACKPLANE_DIGITS_FOLDER;
  const CommandResult result = RunTestData(folder / "digits.onnx", folder);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

class Models : public testing::TestWithParam<const char*> {};

TEST_P(Models, Agrees) {
  const fs::path folder = fs::path(BACKPLANE_SHARED_MODELS) / GetParam();
  if (!fs::exists(folder)) {
    GTEST_SKIP() << folder << " does not exist; set BACKPLANE_SHARED_MODELS to where models are";
  }
  const CommandResult result = RunTestData(folder / "model.onnx", folder);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

INSTANTIATE_TEST_SUITE_P(Shared, Models,
                         testing::Values("mnist_cnn_opt8", "mnist_cnn_8", "iris_mlp_11",
                                         "squeezenet11_fp32_7"),
                         [](const auto& row) { return std::string(row.param); });

// Reasons for which an operator test is not run: the importer or the backend says so itself.
constexpr DiagnosticCode kOutOfScope[] = {
    DiagnosticCode::kUnsupportedOperator, DiagnosticCode::kUnsupportedAttribute,
    DiagnosticCode::kDataDependentShape,  DiagnosticCode::kTensorFileUnreadable,
    DiagnosticCode::kWrongInput,          DiagnosticCode::kLayerNotSupported,
};

bool IsOutOfScope(const CommandResult& result) {
  return std::any_of(std::begin(kOutOfScope), std::end(kOutOfScope), [&](DiagnosticCode code) {
    return result.err.rfind("error " + GetDiagnosticId(code) + ": ", 0) == 0;
  });
}

struct OperatorTests {
  const char* folder;
  int least_number;  // of tests that must agree
};

void PrintTo(const OperatorTests& tests, std::ostream* stream) {
  *stream << tests.folder;
}

class OnnxOperatorTests : public testing::TestWithParam<OperatorTests> {};

TEST_P(OnnxOperatorTests, AgreeWhereTheOperatorIsSupported) {
  const fs::path folder = fs::path(BACKPLANE_ONNX_TESTDATA) / GetParam().folder;
  if (!fs::exists(folder)) GTEST_SKIP() << folder << " does not exist; install libonnx-testdata";
  int num_agreed = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const CommandResult result = RunTestData(entry.path() / "model.onnx", entry.path());
    if (result.exit_code == 0) {
      ++num_agreed;
    } else if (result.exit_code != 2 || !IsOutOfScope(result)) {
      ADD_FAILURE() << entry.path() << "\n" << result.out << result.err;
    }
  }
  EXPECT_GE(num_agreed, GetParam().least_number);
}

INSTANTIATE_TEST_SUITE_P(Debian, OnnxOperatorTests,
                         testing::Values(OperatorTests{"node", 120},
                                         OperatorTests{"pytorch-operator", 8},
                                         OperatorTests{"pytorch-converted", 49},
                                         OperatorTests{"simple", 1}),
                         [](const auto& row) {
                           std::string name = row.param.folder;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace backplane::test
