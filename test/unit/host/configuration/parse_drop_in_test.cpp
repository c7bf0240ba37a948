#include "configuration/parse_drop_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::configuration {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kDropIn[] = "/etc/x/10-npu.conf";

Configuration Parse(const std::string& text) {
  Configuration configuration;
  ParseDropIn(text, kDropIn, configuration);
  return configuration;
}

/// "value at origin" of each.
std::vector<std::string> Show(const std::vector<Setting>& settings) {
  std::vector<std::string> texts;
  for (const Setting& setting : settings) texts.push_back(setting.value + " at " + setting.origin);
  return texts;
}

/// Each must be a warning about this file, and leave everything else as it is.
Diagnostic GetOnlyFault(const std::string& line) {
  const Configuration configuration = Parse("disable = A\n" + line + "\ndisable = B\n");
  EXPECT_THAT(Show(configuration.disabled),
              ElementsAre("A at /etc/x/10-npu.conf:1", "B at /etc/x/10-npu.conf:3"));
  EXPECT_EQ(configuration.diagnostics.size(), 1U) << line;
  if (configuration.diagnostics.empty()) return {DiagnosticCode::kVariableUnusable};
  const Diagnostic& fault = configuration.diagnostics[0];
  EXPECT_EQ(fault.code, DiagnosticCode::kConfigurationLineUnusable);
  EXPECT_EQ(fault.severity, Severity::kWarning);
  EXPECT_EQ(fault.subject.name, kDropIn);
  EXPECT_EQ(fault.what, "/etc/x/10-npu.conf:2 cannot be used and was left out");
  EXPECT_FALSE(fault.fix.empty());
  return fault;
}

TEST(ParseDropIn, TakesWhatProcessesOfBackendsMayDo) {
  const Configuration configuration =
      Parse("sandbox = Acme*\nrefuse_permissions = AcmeNpu\npass_variable = ACME_*\nsandbox = B");
  EXPECT_THAT(Show(configuration.sandboxed),
              ElementsAre("Acme* at /etc/x/10-npu.conf:1", "B at /etc/x/10-npu.conf:4"));
  EXPECT_THAT(Show(configuration.refused_permissions),
              ElementsAre("AcmeNpu at /etc/x/10-npu.conf:2"));
  EXPECT_THAT(Show(configuration.passed_variables), ElementsAre("ACME_* at /etc/x/10-npu.conf:3"));
  for (const char* key : {"sandbox", "refuse_permissions", "pass_variable"}) {
    EXPECT_THAT(GetOnlyFault(std::string(key) + " = A, B").why, HasSubstr(key));
  }
}

TEST(ParseDropIn, TakesALimitInMebibytes) {
  EXPECT_EQ(Parse("disable = A").probe_max_data_bytes, std::nullopt);
  EXPECT_EQ(Parse("probe_data_limit = 8192").probe_max_data_bytes, std::uint64_t{8} << 30U);
  EXPECT_EQ(Parse("probe_data_limit = 1\nprobe_data_limit = 0").probe_max_data_bytes, 0U);
  for (const char* value : {"-1", "8 GiB", "1.5", "", "99999999999999"}) {
    EXPECT_THAT(GetOnlyFault(std::string("probe_data_limit = ") + value).why,
                HasSubstr("expected a number of MiB, or 0 for no limit"));
  }
}

TEST(ParseDropIn, TakesEachKeyAnyNumberOfTimes) {
  const std::string digest(64, 'a');
  const Configuration configuration = Parse(
      "# a comment\n\npath = /opt/npu\n path=/opt/with space and = sign \r\n"
      "disable = Acme_*\nprefer\t=\tNpu\nprefer = Gpu\ndigest = " +
      digest + "  Acme_Npu_backend.so");
  ASSERT_EQ(configuration.search_paths.size(), 2U);
  EXPECT_EQ(configuration.search_paths[0].path, "/opt/npu");
  EXPECT_EQ(configuration.search_paths[0].source, PathSource::kDropIn);
  EXPECT_EQ(configuration.search_paths[0].origin, "/etc/x/10-npu.conf:3");
  EXPECT_EQ(configuration.search_paths[1].path, "/opt/with space and = sign");
  EXPECT_THAT(Show(configuration.disabled), ElementsAre("Acme_* at /etc/x/10-npu.conf:5"));
  EXPECT_THAT(Show(configuration.preferred),
              ElementsAre("Npu at /etc/x/10-npu.conf:6", "Gpu at /etc/x/10-npu.conf:7"));
  EXPECT_THAT(Show(configuration.digests),
              ElementsAre(digest + "  Acme_Npu_backend.so at /etc/x/10-npu.conf:8"));
  EXPECT_THAT(configuration.diagnostics, IsEmpty());
}

TEST(ParseDropIn, TakesNothingFromAnEmptyFile) {
  for (const char* text : {"", "\n", "#", "\xEF\xBB\xBF", "\r\n \t\r\n# \xE4\n"}) {
    const Configuration configuration = Parse(text);
    EXPECT_THAT(configuration.diagnostics, IsEmpty());
    EXPECT_THAT(configuration.search_paths, IsEmpty());
  }
}

TEST(ParseDropIn, PassesOverAByteOrderMark) {
  EXPECT_THAT(Show(Parse("\xEF\xBB\xBFprefer = Npu").preferred),
              ElementsAre("Npu at /etc/x/10-npu.conf:1"));
}

TEST(ParseDropIn, SaysWhatIsWrongWithALineAndTakesTheOthers) {
  const struct {
    std::string line;
    std::string why;
    std::string fix;
  } cases[] = {
      {"pth = /opt",
       "found the key \"pth\", expected one of path, disable, isolate, sandbox, "
       "refuse_permissions, pass_variable, probe_data_limit, prefer, digest, known_bad",
       "did you mean \"path\"?"},
      {"Prefer = Npu", "found the key \"Prefer\"", "did you mean \"prefer\"?"},
      {"colour = blue", "found the key \"colour\"", "correct the key, or remove the line"},
      {"= /opt", "found the key \"\"", "correct the key"},
      {"[backends]", "found \"[backends]\", expected KEY = VALUE", "put a value behind \"=\""},
      {"path", "found \"path\", expected KEY = VALUE", "put a value behind"},
      {"path =", "found \"\" behind \"path =\", expected an absolute directory", "correct"},
      {"disable = ", "found \"\" behind \"disable =\"", "correct"},
      {"disable = A, B", "found \"A, B\" behind \"disable =\", expected one backend id, or",
       "write a line for each"},
      {"prefer = Npu Gpu", "found \"Npu Gpu\" behind \"prefer =\", expected one backend id",
       "write a line for each"},
      {"known_bad = Acme/Npu", "found \"Acme/Npu\" behind \"known_bad =\", expected 64", "correct"},
      {std::string("prefer = N\0pu", 13), "found \"prefer = N\\x00pu\", expected text in UTF-8",
       "in UTF-8"},
      {"path = /opt/\xFF", "found \"path = /opt/\\xff\"", "in UTF-8"},
      {"path = /opt\x1B[2J", "found \"path = /opt\\x1b[2J\"", "in UTF-8"},
      {"path = /" + std::string(5000, 'x'), "found 5008 bytes in one line, expected at most 4096",
       "shorten"},
      {std::string(200, 'k') + " = 1", "found the key \"" + std::string(80, 'k') + "...\"",
       "correct"},
  };
  for (const auto& [line, why, fix] : cases) {
    const Diagnostic fault = GetOnlyFault(line);
    EXPECT_THAT(fault.why, HasSubstr(why));
    EXPECT_THAT(fault.fix, HasSubstr(fix));
  }
}

TEST(ParseDropIn, LetsADigestThatCannotBeReadAllowNothing) {
  for (const char* value : {"", "1234", "npu.so"}) {
    const Configuration configuration = Parse("digest = " + std::string(value));
    EXPECT_THAT(Show(configuration.digests), ElementsAre(" at /etc/x/10-npu.conf:1"));
    ASSERT_EQ(configuration.diagnostics.size(), 1U);
    EXPECT_THAT(configuration.diagnostics[0].why,
                AllOf(HasSubstr(value), HasSubstr("expected 64 hexadecimal digits")));
  }
}

TEST(ParseDropIn, LetsADigestInALineThatCannotBeReadAllowNothing) {
  const std::string digest(64, 'a');
  for (const std::string& line : {std::string("digest"), "digest = " + digest + " gr\xF6sse.so",
                                  "digest = " + digest + std::string(5000, ' ') + "x"}) {
    const Configuration configuration = Parse(line);
    EXPECT_THAT(Show(configuration.digests), ElementsAre(" at /etc/x/10-npu.conf:1"));
    EXPECT_EQ(configuration.diagnostics.size(), 1U);
  }
}

TEST(ParseDropIn, CountsFaultsThatAreTooManyToTell) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += "x\n";
  const Configuration configuration = Parse(text + "prefer = Npu\n");
  ASSERT_EQ(configuration.diagnostics.size(), 21U);
  EXPECT_EQ(configuration.diagnostics.back().why, "found 29980 more lines that cannot be used");
  EXPECT_THAT(Show(configuration.preferred), ElementsAre("Npu at /etc/x/10-npu.conf:30001"));
}

}  // namespace
}  // namespace backplane::configuration
