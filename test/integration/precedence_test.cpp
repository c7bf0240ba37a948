/// The table "What wins over what" of docs/operators-guide.md, a test for each row.

#include "mock_rows.hpp"

#include <backplane/host/configuration.hpp>
#include <backplane/host/digest.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// With drop-in files of its own, and nothing that was compiled in.
class Precedence : public ::testing::Test {
 protected:
  Precedence() {
    Set("BACKPLANE_CONFIGURATION_DIR", drop_ins_.GetPath());
    Set("DYNAMIC_BACKEND_PATHS", "");
  }

  ~Precedence() override {
    for (const char* variable : variables_) ::unsetenv(variable);
  }

  void Set(const char* variable, const std::string& value) {
    variables_.push_back(variable);
    ASSERT_EQ(::setenv(variable, value.c_str(), 1), 0);
  }

  static std::string Write(const MockDirectory& directory, const std::string& name,
                           const std::string& text) {
    std::string path = directory.GetPath() + '/' + name;
    std::ofstream(path) << text;
    EXPECT_EQ(::chmod(path.c_str(), 0644), 0);
    return path;
  }

  std::string WriteDropIn(const std::string& name, const std::string& text) const {
    return Write(drop_ins_, name, text);
  }

  LoadReport Load(ScanOptions options = {}, const ConfigurationRequest& request = {}) {
    options.configuration = ReadConfiguration(request);
    return LoadBackends(options, registry_);
  }

  static std::vector<std::string> GetPaths(const LoadReport& report) {
    std::vector<std::string> paths;
    for (const SearchPathReport& path : report.search_paths) paths.push_back(path.path);
    return paths;
  }

  static std::string ComputeDigest(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    Sha256 digest;
    digest.Add(content.data(), content.size());
    return digest.Finish();
  }

  static DiagnosticCode GetReason(const LoadReport& report, const std::string& path) {
    return FindReason(*FindCandidate(report, path))->code;
  }

  std::vector<const char*> variables_;
  const MockDirectory drop_ins_;
  const MockDirectory first_;
  const MockDirectory second_;
  BackendRegistry registry_;
};

TEST_F(Precedence, APlaceThatIsToldWinsOverAllOthers) {
  first_.Add("ValidA");
  second_.Add("ValidB");
  Set("BACKPLANE_BACKENDS_PATH", first_.GetPath());
  WriteDropIn("10.conf", "path = " + first_.GetPath());
  ScanOptions told;
  told.search_paths = {{second_.GetPath(), PathSource::kOption}};
  EXPECT_THAT(GetPaths(Load(told)), ElementsAre(second_.GetPath()));
  EXPECT_THAT(registry_.GetBackendIds(), ElementsAre("MockValidB"));
  told.search_paths = {{"/no-such-directory", PathSource::kOption}};
  EXPECT_THAT(Load(told).candidates, IsEmpty()) << "nothing else stands in for it";
}

TEST_F(Precedence, PlacesAreSearchedInTheirOrder) {
  Set("BACKPLANE_BACKENDS_PATH", "/1:2::/4");
  Set("XDG_DATA_HOME", "/5");
  const std::string late = WriteDropIn("9.conf", "path = /8");
  const std::string early = WriteDropIn("10.conf", "path = /6\npath = 7\n");
  Set("DYNAMIC_BACKEND_PATHS", "/9");
  ConfigurationRequest request;
  request.user_backends = UserBackends::kSearch;
  const LoadReport report = Load({}, request);
  EXPECT_THAT(GetPaths(report),
              ElementsAre("/1", "2", "", "/4", "/5/backplane/backends", "/6", "7", "/8", "/9"));
  const std::pair<DiagnosticCode, std::string> faults[] = {
      {DiagnosticCode::kSearchPathNotFound, "BACKPLANE_BACKENDS_PATH, element 1"},
      {DiagnosticCode::kSearchPathNotAbsolute, "BACKPLANE_BACKENDS_PATH, element 2"},
      {DiagnosticCode::kSearchPathEmpty, "BACKPLANE_BACKENDS_PATH, element 3"},
      {DiagnosticCode::kSearchPathNotFound, "BACKPLANE_BACKENDS_PATH, element 4"},
      {DiagnosticCode::kSearchPathNotFound, "XDG_DATA_HOME"},
      {DiagnosticCode::kSearchPathNotFound, early + ":1"},
      {DiagnosticCode::kSearchPathNotAbsolute, early + ":2"},
      {DiagnosticCode::kSearchPathNotFound, late + ":1"},
      {DiagnosticCode::kSearchPathNotFound, "DYNAMIC_BACKEND_PATHS, element 1"}};
  ASSERT_EQ(report.search_paths.size(), std::size(faults));
  for (std::size_t i = 0; i < std::size(faults); ++i) {
    const SearchPathReport& path = report.search_paths[i];
    EXPECT_EQ(path.origin, faults[i].second);
    ASSERT_EQ(path.diagnostics.size(), 1U) << path.path;
    EXPECT_EQ(path.diagnostics[0].code, faults[i].first);
    EXPECT_THAT(path.diagnostics[0].why, HasSubstr("; " + faults[i].second + " names it"));
    const bool is_of_user = path.source == PathSource::kUser;
    EXPECT_EQ(path.diagnostics[0].severity, is_of_user ? Severity::kNote : Severity::kWarning);
  }
}

TEST_F(Precedence, TheVariableReplacesWhatWasCompiledIn) {
  ASSERT_EQ(::unsetenv("DYNAMIC_BACKEND_PATHS"), 0);
  WriteDropIn("10.conf", "path = /opt/npu");
  const Configuration compiled = ReadConfiguration();
  ASSERT_GT(compiled.search_paths.size(), 1U);
  EXPECT_EQ(compiled.search_paths.back().source, PathSource::kCompiledIn);
  Set("DYNAMIC_BACKEND_PATHS", "/instead");
  const Configuration replaced = ReadConfiguration();
  ASSERT_EQ(replaced.search_paths.size(), 2U);
  EXPECT_EQ(replaced.search_paths[0].path, "/opt/npu");
  EXPECT_EQ(replaced.search_paths[1].path, "/instead");
  EXPECT_EQ(replaced.search_paths[1].source, PathSource::kEnvironment);
}

TEST_F(Precedence, TheEarlierPlaceWinsAnId) {
  first_.Add("DuplicateFirst");
  const std::string winner = second_.Add("DuplicateSecond");
  WriteDropIn("10.conf", "path = " + first_.GetPath());
  Set("BACKPLANE_BACKENDS_PATH", second_.GetPath());
  Load();
  EXPECT_EQ(registry_.GetRegistration("MockDuplicate").source, winner);
}

TEST_F(Precedence, TheVariableReplacesTheDirectoryOfDropIns) {
  Write(first_, "10.conf", "prefer = Npu");
  WriteDropIn("10.conf", "prefer = Gpu");
  Set("BACKPLANE_CONFIGURATION_DIR", first_.GetPath());
  const Configuration configuration = ReadConfiguration();
  ASSERT_EQ(configuration.preferred.size(), 1U);
  EXPECT_EQ(configuration.preferred[0].value, "Npu");
}

TEST_F(Precedence, WhoIsDisabledAnywhereIsDisabled) {
  std::string digests;
  for (const char* row : {"ValidA", "ValidB", "ValidC", "Runs"}) {
    digests += "digest = " + ComputeDigest(first_.Add(row)) + '\n';
  }
  const std::string drop_in =
      WriteDropIn("10.conf", "disable = Mock_ValidB_*\nprefer = MockValidA\nprefer = MockValidB\n" +
                                 digests + "path = " + first_.GetPath());
  Set("BACKPLANE_DISABLE_BACKENDS", "MockValidA");
  ScanOptions options;
  options.disabled = {"MockValidC"};
  const LoadReport report = Load(options);
  EXPECT_THAT(registry_.GetBackendIds(), ElementsAre("MockRuns"));
  const Candidate* disabled = FindCandidate(report, first_.GetPath() + "/Mock_ValidB_backend.so");
  ASSERT_NE(disabled, nullptr);
  EXPECT_EQ(disabled->status, CandidateStatus::kSkipped);
  EXPECT_THAT(disabled->diagnostics.at(0).why, HasSubstr("of " + drop_in + ":1"));
  ASSERT_EQ(report.configuration.diagnostics.size(), 2U);
  const Diagnostic& preferred = report.configuration.diagnostics[0];
  EXPECT_EQ(preferred.code, DiagnosticCode::kPreferredBackendAbsent);
  EXPECT_EQ(preferred.severity, Severity::kNote);
  EXPECT_EQ(preferred.subject.name, "MockValidA");
  EXPECT_THAT(preferred.why, HasSubstr(drop_in + ":2 prefers it"));
  EXPECT_THAT(ToText(preferred), HasSubstr("BACKPLANE_DISABLE_BACKENDS"));
}

TEST_F(Precedence, DigestsAddUp) {
  const std::string in_drop_in = first_.Add("ValidA");
  const std::string in_list = first_.Add("ValidB");
  const std::string in_none = first_.Add("ValidC");
  const std::string drop_in = WriteDropIn("10.conf", "digest = " + ComputeDigest(in_drop_in));
  ScanOptions options;
  options.search_paths = {{first_.GetPath()}};
  const LoadReport alone = Load(options);
  EXPECT_THAT(registry_.GetBackendIds(), ElementsAre("MockValidA"));
  EXPECT_EQ(GetReason(alone, in_list), DiagnosticCode::kDigestNotListed);
  EXPECT_THAT(FindReason(*FindCandidate(alone, in_list))->what, HasSubstr(drop_in));

  options.trust.digest_list = Write(second_, "list", ComputeDigest(in_list));
  const LoadReport both = Load(options);
  EXPECT_THAT(registry_.GetBackendIds(), ElementsAre("MockValidA", "MockValidB"));
  EXPECT_EQ(GetReason(both, in_none), DiagnosticCode::kDigestNotListed);
}

TEST_F(Precedence, DropInsAreJudgedAsBackendsAre) {
  const std::string drop_in = WriteDropIn("10.conf", "prefer = Npu");
  ASSERT_EQ(::chmod(drop_in.c_str(), 0666), 0);
  EXPECT_THAT(ReadConfiguration().preferred, IsEmpty());
  ASSERT_EQ(ReadConfiguration().diagnostics.size(), 1U);
  EXPECT_EQ(ReadConfiguration().diagnostics[0].code, DiagnosticCode::kConfigurationFileDistrusted);
  EXPECT_EQ(ReadConfiguration({UserBackends::kLeave, TrustPolicy::kOff}).preferred.size(), 1U);
  ASSERT_EQ(::chmod(drop_in.c_str(), 0644), 0);
  EXPECT_EQ(ReadConfiguration().preferred.size(), 1U);
}

/// What no row says, but who writes one of these lines.
TEST_F(Precedence, APreferredBackendThatIsNowhereIsAWarning) {
  first_.Add("ValidA");
  const std::string drop_in =
      WriteDropIn("10.conf", "path = " + first_.GetPath() + "\nprefer = MockValdA\n");
  const LoadReport report = Load();
  ASSERT_EQ(report.configuration.diagnostics.size(), 1U);
  const Diagnostic& warning = report.configuration.diagnostics[0];
  EXPECT_EQ(warning.code, DiagnosticCode::kPreferredBackendAbsent);
  EXPECT_EQ(warning.severity, Severity::kWarning);
  EXPECT_EQ(warning.subject.name, "MockValdA");
  EXPECT_THAT(warning.why, HasSubstr(drop_in + ":2 prefers it"));
  EXPECT_THAT(warning.fix, HasSubstr("MockValidA"));

  ScanOptions told;
  told.files = {first_.GetPath() + "/Mock_ValidA_backend.so"};
  EXPECT_THAT(Load(told).configuration.diagnostics, IsEmpty()) << "others were not looked for";
}

}  // namespace
}  // namespace backplane::test
