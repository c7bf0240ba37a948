#include "configuration/read_configuration.hpp"

#include "support/temporary_directory.hpp"

#include <backplane/host/load_report.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <map>

namespace backplane::configuration {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Variables = std::map<std::string, std::string>;

class ReadConfigurationTest : public ::testing::Test {
 protected:
  /// From these variables, and the drop-in files that were written.
  Configuration Read(const Variables& variables,
                     UserBackends user_backends = UserBackends::kLeave) const {
    ConfigurationRequest request;
    request.user_backends = user_backends;
    return ReadConfiguration(request,
                             {[&](const char* name) -> const char* {
                                const auto found = variables.find(name);
                                return found != variables.end() ? found->second.c_str() : nullptr;
                              },
                              "$ORIGIN/backends:/opt/compiled", "/lib", drop_ins_.GetPath()});
  }

  void Write(const std::string& name, const std::string& text) const {
    ASSERT_EQ(::chmod(drop_ins_.Write(name, text).c_str(), 0644), 0);
  }

  /// "path (source, origin)" of each.
  static std::vector<std::string> ShowPaths(const Configuration& configuration) {
    std::vector<std::string> texts;
    for (const SearchPath& path : configuration.search_paths) {
      texts.push_back(DescribeSearchPath({path.path, path.source, true, {}, path.origin}));
    }
    return texts;
  }

  const test::TemporaryDirectory drop_ins_;
};

TEST_F(ReadConfigurationTest, HasTheCompiledInPathsWithoutAnythingElse) {
  const Configuration configuration = Read({});
  EXPECT_THAT(ShowPaths(configuration),
              ElementsAre("/lib/backends (compiled-in)", "/opt/compiled (compiled-in)"));
  EXPECT_EQ(configuration.directory, drop_ins_.GetPath());
  EXPECT_THAT(configuration.diagnostics, IsEmpty());
}

TEST_F(ReadConfigurationTest, PutsPlacesIntoTheirOrder) {
  Write("20.conf", "path = /opt/b");
  Write("10.conf", "# first\npath = /opt/a");
  EXPECT_THAT(ShowPaths(Read({{"BACKPLANE_BACKENDS_PATH", "/one:relative::$ORIGIN/two"},
                              {"DYNAMIC_BACKEND_PATHS", "/three"},
                              {"HOME", "/users/u"}},
                             UserBackends::kSearch)),
              ElementsAre("/one (environment, BACKPLANE_BACKENDS_PATH, element 1)",
                          "relative (environment, BACKPLANE_BACKENDS_PATH, element 2)",
                          " (environment, BACKPLANE_BACKENDS_PATH, element 3)",
                          "/lib/two (environment, BACKPLANE_BACKENDS_PATH, element 4)",
                          "/users/u/.local/share/backplane/backends (user, HOME)",
                          "/opt/a (drop-in, " + (drop_ins_ / "10.conf") + ":2)",
                          "/opt/b (drop-in, " + (drop_ins_ / "20.conf") + ":1)",
                          "/three (environment, DYNAMIC_BACKEND_PATHS, element 1)"));
}

TEST_F(ReadConfigurationTest, TakesWhatProcessesOfBackendsMayDoFromVariables) {
  const Configuration configuration = Read({{"BACKPLANE_SANDBOX_BACKENDS", "A,,B"},
                                            {"BACKPLANE_REFUSE_PERMISSIONS", "C"},
                                            {"BACKPLANE_PASS_VARIABLES", "ACME_*"}});
  ASSERT_EQ(configuration.sandboxed.size(), 2U);
  EXPECT_EQ(configuration.sandboxed[1].value, "B");
  EXPECT_EQ(configuration.sandboxed[1].origin, "BACKPLANE_SANDBOX_BACKENDS");
  ASSERT_EQ(configuration.refused_permissions.size(), 1U);
  EXPECT_EQ(configuration.refused_permissions[0].value, "C");
  ASSERT_EQ(configuration.passed_variables.size(), 1U);
  EXPECT_EQ(configuration.passed_variables[0].value, "ACME_*");
}

TEST_F(ReadConfigurationTest, TakesEmptyVariablesForWhatTheySay) {
  EXPECT_THAT(ShowPaths(Read({{"BACKPLANE_BACKENDS_PATH", ""},
                              {"BACKPLANE_CONFIGURATION_DIR", ""},
                              {"BACKPLANE_DISABLE_BACKENDS", ""}})),
              ElementsAre("/lib/backends (compiled-in)", "/opt/compiled (compiled-in)"));
  EXPECT_THAT(ShowPaths(Read({{"DYNAMIC_BACKEND_PATHS", ""}})), IsEmpty())
      << "as an empty list that is compiled in";
}

TEST_F(ReadConfigurationTest, CutsAVariableWithTooManyElements) {
  const Configuration configuration = Read({{"BACKPLANE_BACKENDS_PATH", std::string(100000, ':')}});
  EXPECT_EQ(configuration.search_paths.size(), 1002U);
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_EQ(configuration.diagnostics[0].code, DiagnosticCode::kVariableUnusable);
  EXPECT_EQ(configuration.diagnostics[0].subject.name, "BACKPLANE_BACKENDS_PATH");
  EXPECT_EQ(configuration.diagnostics[0].why, "found 100001 elements, expected at most 1000");
}

TEST_F(ReadConfigurationTest, FindsTheUsersDirectoryOnlyWhenAsked) {
  const Variables variables = {{"XDG_DATA_HOME", "/data"}, {"HOME", "/users/u"}};
  EXPECT_EQ(Read(variables).search_paths.size(), 2U);
  EXPECT_EQ(ShowPaths(Read(variables, UserBackends::kSearch))[0],
            "/data/backplane/backends (user, XDG_DATA_HOME)");
  EXPECT_EQ(ShowPaths(Read({{"XDG_DATA_HOME", "data"}, {"HOME", "/u"}}, UserBackends::kSearch))[0],
            "/u/.local/share/backplane/backends (user, HOME)");
}

TEST_F(ReadConfigurationTest, SaysThatTheUserHasNoDirectory) {
  const Configuration configuration =
      Read({{"XDG_DATA_HOME", "data"}, {"HOME", ""}}, UserBackends::kSearch);
  EXPECT_EQ(configuration.search_paths.size(), 2U);
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_EQ(configuration.diagnostics[0].code, DiagnosticCode::kVariableUnusable);
  EXPECT_THAT(configuration.diagnostics[0].why, HasSubstr("neither XDG_DATA_HOME nor HOME"));
}

TEST_F(ReadConfigurationTest, ReadsDisabledBackendsFromVariableAndFiles) {
  Write("10.conf", "disable = Gpu");
  const Configuration configuration = Read({{"BACKPLANE_DISABLE_BACKENDS", ",CpuAcc,,Acme_*,"}});
  ASSERT_EQ(configuration.disabled.size(), 3U);
  EXPECT_EQ(configuration.disabled[0].value, "CpuAcc");
  EXPECT_EQ(configuration.disabled[0].origin, "BACKPLANE_DISABLE_BACKENDS");
  EXPECT_EQ(configuration.disabled[1].value, "Acme_*");
  EXPECT_EQ(configuration.disabled[2].origin, (drop_ins_ / "10.conf") + ":1");
}

TEST_F(ReadConfigurationTest, ReadsDropInsWhereTheVariableSays) {
  Write("10.conf", "prefer = Npu");
  const test::TemporaryDirectory other;
  const Configuration configuration = Read({{"BACKPLANE_CONFIGURATION_DIR", other.GetPath()}});
  EXPECT_EQ(configuration.directory, other.GetPath());
  EXPECT_THAT(configuration.preferred, IsEmpty());
  EXPECT_THAT(configuration.diagnostics, IsEmpty());
}

TEST_F(ReadConfigurationTest, TakesTheLimitOfChecksFromTheVariableBeforeFiles) {
  Write("10.conf", "probe_data_limit = 1");
  EXPECT_EQ(Read({}).probe_max_data_bytes, std::uint64_t{1} << 20U);
  EXPECT_EQ(Read({{"BACKPLANE_PROBE_DATA_LIMIT", "2"}}).probe_max_data_bytes,
            std::uint64_t{2} << 20U);
  const Configuration configuration = Read({{"BACKPLANE_PROBE_DATA_LIMIT", "2G"}});
  EXPECT_EQ(configuration.probe_max_data_bytes, std::uint64_t{1} << 20U);
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_EQ(configuration.diagnostics[0].code, DiagnosticCode::kVariableUnusable);
  EXPECT_THAT(configuration.diagnostics[0].why,
              HasSubstr("found \"2G\", expected a number of MiB"));
}

TEST_F(ReadConfigurationTest, TakesAVariableThatCannotBeFollowedForNotSet) {
  Write("10.conf", "prefer = Npu");
  for (const std::string value : {"relative", "/no-such-directory", "/dev/null"}) {
    const Configuration configuration = Read({{"BACKPLANE_CONFIGURATION_DIR", value}});
    EXPECT_EQ(configuration.directory, drop_ins_.GetPath());
    EXPECT_EQ(configuration.preferred.size(), 1U);
    ASSERT_EQ(configuration.diagnostics.size(), 1U) << value;
    EXPECT_EQ(configuration.diagnostics[0].code, DiagnosticCode::kVariableUnusable);
    EXPECT_THAT(configuration.diagnostics[0].why,
                AllOf(HasSubstr('"' + value + '"'), HasSubstr(drop_ins_.GetPath() + " holds")));
  }
}

TEST_F(ReadConfigurationTest, MayHaveNoDirectoryOfDropIns) {
  const auto unset = [](const char*) -> const char* { return nullptr; };
  EXPECT_THAT(ReadConfiguration({}, {unset, "", "/lib", "/no-such-directory"}).diagnostics,
              IsEmpty());
  const Configuration configuration = ReadConfiguration({}, {unset, "", "/lib", "/dev/null"});
  ASSERT_EQ(configuration.diagnostics.size(), 1U);
  EXPECT_EQ(configuration.diagnostics[0].code, DiagnosticCode::kConfigurationDirectoryUnusable);
  EXPECT_EQ(configuration.diagnostics[0].subject.name, "/dev/null");
}

}  // namespace
}  // namespace backplane::configuration
