#include <backplane/host/load_report.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace backplane {
namespace {

LoadReport MakeLoadReportJsonReport() {
  LoadReport report;
  report.search_paths.push_back({"/x", PathSource::kOption, true, {}});
  Candidate loaded;
  loaded.path = "/x/A_b_backend.so";
  loaded.canonical_path = "/x/A_b_backend.so.1";
  loaded.status = CandidateStatus::kLoaded;
  loaded.stage = Stage::kCreate;
  loaded.where = ProbedIn::kInProcess;
  loaded.identity = BackendIdentity{"b", {1, 0}, {{"Rank", 7}, {"Fast", true}, {"Unit", "x"}}};
  loaded.identity->vendor = "Acme\n";
  loaded.identity->version = "1.2";
  loaded.identity->tensor_handle_factories = {"Acme/b/Plain", "Acme/b/Tiled\n"};
  loaded.stages.push_back({Stage::kFormat, std::chrono::nanoseconds(12500), false});
  report.candidates.push_back(loaded);
  Candidate rejected;
  rejected.path = "/x/C_d\x01_backend.so";
  rejected.stage = Stage::kEntryPoints;
  Diagnostic diagnostic{DiagnosticCode::kMissingEntryPoint};
  diagnostic.what = "what";
  diagnostic.causes.push_back(Diagnostic{DiagnosticCode::kOpenFailed});
  rejected.diagnostics.push_back(diagnostic);
  report.candidates.push_back(rejected);
  return report;
}

TEST(LoadReportJson, HasTheDocumentedShape) {
  const auto json = nlohmann::json::parse(ToJson(MakeLoadReportJsonReport()));
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["backend_api"], "1.0");
  EXPECT_EQ(json["search_paths"][0]["source"], "option");
  EXPECT_EQ(json["search_paths"][0]["status"], "scanned");
  const auto& loaded = json["candidates"][0];
  EXPECT_EQ(loaded["status"], "loaded");
  EXPECT_EQ(loaded["stage"], "create");
  EXPECT_EQ(loaded["where"], "in-process");
  EXPECT_EQ(loaded["backend"]["id"], "b");
  EXPECT_EQ(loaded["backend"]["capabilities"]["Rank"], 7);
  EXPECT_EQ(loaded["backend"]["capabilities"]["Fast"], true);
  EXPECT_EQ(loaded["backend"]["capabilities"]["Unit"], "x");
  EXPECT_EQ(loaded["backend"]["tensor_handle_factories"][0], "Acme/b/Plain");
  EXPECT_EQ(loaded["backend"]["tensor_handle_factories"][1], "Acme/b/Tiled\\x0a");
  EXPECT_EQ(loaded["timings_us"]["format"], 12.5);
  const auto& rejected = json["candidates"][1];
  EXPECT_EQ(rejected["path"], "/x/C_d\\x01_backend.so");
  EXPECT_EQ(rejected["stage"], "entry points");
  EXPECT_TRUE(rejected["backend"].is_null());
  EXPECT_EQ(rejected["diagnostics"][0]["code"], "BP3004");
  EXPECT_EQ(rejected["diagnostics"][0]["name"], "missing-entry-point");
  EXPECT_EQ(rejected["diagnostics"][0]["severity"], "error");
  EXPECT_EQ(rejected["diagnostics"][0]["causes"][0]["code"], "BP4003");
  EXPECT_EQ(json["summary"]["loaded"], 1);
  EXPECT_EQ(json["summary"]["rejected"], 1);
  EXPECT_EQ(json["summary"]["shadowed"], 0);
}

TEST(LoadReport, HeadlineIsTheFirstErrorElseTheFirstWarning) {
  Candidate candidate;
  EXPECT_EQ(GetHeadline(candidate), nullptr);
  candidate.diagnostics.push_back(Diagnostic{DiagnosticCode::kSameFile, Severity::kNote});
  EXPECT_EQ(GetHeadline(candidate), nullptr);
  candidate.diagnostics.push_back(
      Diagnostic{DiagnosticCode::kBackendUnavailable, Severity::kWarning});
  candidate.diagnostics.push_back(Diagnostic{DiagnosticCode::kNotElf});
  candidate.diagnostics.push_back(Diagnostic{DiagnosticCode::kNoAbiNote});
  ASSERT_NE(GetHeadline(candidate), nullptr);
  EXPECT_EQ(GetHeadline(candidate)->code, DiagnosticCode::kNotElf);
  candidate.diagnostics.resize(2, Diagnostic{DiagnosticCode::kNotElf});
  EXPECT_EQ(GetHeadline(candidate)->code, DiagnosticCode::kBackendUnavailable);
}

}  // namespace
}  // namespace backplane
