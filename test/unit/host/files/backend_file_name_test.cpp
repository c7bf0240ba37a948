#include "files/backend_file_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace backplane::files {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Example {
  const char* file_name;
  bool is_valid;
};

// The examples of the naming scheme. Links and directories do not change a name: what they lead to
// is the business of candidate_file and of the scan.
constexpr Example kExamples[] = {
    {"Arm_GpuAcc_backend.so", true},
    {"Arm_GpuAcc_backend.so.1", true},
    {"Arm_GpuAcc_backend.so.1.2", true},
    {"Arm_GpuAcc_backend.so.1.2.3", true},
    {"Arm_GpuAcc_backend.so.10.1.27", true},
    {"Arm_GpuAcc_backend.so.10.1.33.", false},
    {"Arm_GpuAcc_backend.so.3.4..5", false},
    {"Arm_GpuAcc_backend.so.1,1.1", false},
    {"Arm123_GpuAcc_backend.so", true},
    {"Arm_GpuAcc456_backend.so", true},
    {"Arm%Co_GpuAcc_backend.so", false},
    {"Arm_Gpu.Acc_backend.so", false},
    {"GpuAcc_backend.so", false},
    {"_GpuAcc_backend.so", false},
    {"Arm__backend.so", false},
    {"Arm_GpuAcc.so", false},
    {"__backend.so", false},
    {"__.so", false},
    {"Arm_GpuAcc_backend", false},
    {"Arm_GpuAcc_backend_v1.2.so", false},
    {"Arm_CpuAcc_backend.so", true},
    {"Arm_CpuAcc_backend.so.1", true},
    {"Arm_CpuAcc_backend.so.1.2", true},
    {"Arm_CpuAcc_backend.so.1.2.3", true},
    {"Arm_no_backend.so", true},
};

TEST(BackendFileName, FollowsTheExamplesOfTheNamingScheme) {
  for (const Example& example : kExamples) {
    EXPECT_EQ(ParseBackendFileName(example.file_name).has_value(), example.is_valid)
        << example.file_name;
  }
}

TEST(BackendFileName, RejectsAnotherCharacterInPlaceOfTheDot) {
  EXPECT_FALSE(ParseBackendFileName("Arm_X_backendXso"));
}

TEST(BackendFileName, RejectsWhatStandsAroundTheName) {
  for (const char* name : {"", " Arm_X_backend.so", "Arm_X_backend.so ", "Arm_X_backend.so\n",
                           "Arm_X_backend.so.bak", "Arm_X_backend.so~", "Arm_X_Y_backend.so",
                           "Arm_X_backend.so.1a", "Arm_X_backend.so_backend.so", "Ärm_X_backend.so",
                           "Arm_X_BACKEND.so", "Arm_X_backend.so."}) {
    EXPECT_FALSE(ParseBackendFileName(name)) << name;
  }
}

TEST(BackendFileName, SplitsIntoVendorNameAndVersion) {
  const auto name = ParseBackendFileName("Arm_GpuAcc_backend.so.10.1.27");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->vendor, "Arm");
  EXPECT_EQ(name->name, "GpuAcc");
  EXPECT_THAT(name->version, ElementsAre("10", "1", "27"));
}

std::vector<std::string> Sort(std::vector<std::string> names) {
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return IsTriedBefore(*ParseBackendFileName(a), *ParseBackendFileName(b));
  });
  return names;
}

TEST(BackendFileName, OrdersVersionsByNumberHighestFirst) {
  EXPECT_THAT(
      Sort({"A_b_backend.so.1.2", "A_b_backend.so.1.10", "A_b_backend.so.1.3", "A_b_backend.so",
            "A_b_backend.so.1", "A_b_backend.so.99999999999999999999999", "A_b_backend.so.02"}),
      ElementsAre("A_b_backend.so", "A_b_backend.so.99999999999999999999999", "A_b_backend.so.02",
                  "A_b_backend.so.1.10", "A_b_backend.so.1.3", "A_b_backend.so.1.2",
                  "A_b_backend.so.1"));
}

TEST(BackendFileName, OrdersFamiliesByBytes) {
  EXPECT_THAT(Sort({"a_b_backend.so", "B_c_backend.so.7", "B_C_backend.so"}),
              ElementsAre("B_C_backend.so", "B_c_backend.so.7", "a_b_backend.so"));
}

TEST(BackendFileName, SaysWhatIsWrong) {
  const auto explain = [](const std::string& name) {
    const Diagnostic diagnostic = DescribeInvalidFileName("/x/" + name, name);
    EXPECT_EQ(diagnostic.code, DiagnosticCode::kInvalidFileName);
    EXPECT_EQ(diagnostic.subject.name, "/x/" + name);
    EXPECT_THAT(diagnostic.why, HasSubstr("expected <vendor>_<name>_backend.so"));
    return diagnostic.why;
  };
  EXPECT_THAT(explain("GpuAcc_backend.so"), HasSubstr("the vendor is missing"));
  EXPECT_THAT(explain("Arm__backend.so"), HasSubstr("the name is missing"));
  EXPECT_THAT(explain("Arm_Gpu.Acc_backend.so"), HasSubstr("the name has characters other"));
  EXPECT_THAT(explain("Arm%Co_X_backend.so"), HasSubstr("the vendor has characters other"));
  EXPECT_THAT(explain("Arm_GpuAcc.so"), HasSubstr("\"_backend\" is missing"));
  EXPECT_THAT(explain("Arm_GpuAcc_backend"), HasSubstr("does not end in \".so\""));
  EXPECT_THAT(explain("Arm_GpuAcc_backend.so.1."), HasSubstr("behind \".so\""));
}

}  // namespace
}  // namespace backplane::files
