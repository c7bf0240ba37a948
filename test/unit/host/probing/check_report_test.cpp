#include "probing/explain_account.hpp"
#include "probing/probe_account.hpp"
#include "probing/probe_request.hpp"

#include <gtest/gtest.h>

namespace backplane::probing {
namespace {

ProbeAccount MakeLoadedAccount() {
  ProbeAccount account;
  account.end = ProcessEnd::kExited;
  account.is_closed = true;
  account.stage = Stage::kCreate;
  PluginReport report;
  report.candidate.status = CandidateStatus::kLoaded;
  report.candidate.stage = Stage::kCreate;
  report.candidate.identity = BackendIdentity{"Npu", {1, 2}};
  account.report = std::move(report);
  return account;
}

std::string FindFault(ProbeAccount account, ProbeDepth depth, BackendVersion stated) {
  CheckReport(depth, stated, account);
  EXPECT_EQ(account.report.has_value(), account.report_fault.empty());
  return account.report_fault;
}

TEST(CheckReport, LeavesWhatAgrees) {
  EXPECT_EQ(FindFault(MakeLoadedAccount(), ProbeDepth::kCreate, {1, 2}), "");
  ProbeAccount account = MakeLoadedAccount();
  CheckReport(ProbeDepth::kCreate, std::nullopt, account);
  EXPECT_TRUE(account.report) << "a file without a note states no version";
}

TEST(CheckReport, TakesOutWhatDisagrees) {
  EXPECT_EQ(FindFault(MakeLoadedAccount(), ProbeDepth::kCreate, {1, 1}),
            "\"loaded\" with version 1.2, where the ABI note of the file says 1.1");
  ProbeAccount account = MakeLoadedAccount();
  account.stage = Stage::kIdentify;
  EXPECT_EQ(FindFault(account, ProbeDepth::kCreate, {1, 2}),
            "\"loaded\" in the stage \"create\", and the stage \"identify\" as the last that was "
            "begun");
  account.report->candidate.stage = Stage::kIdentify;
  EXPECT_EQ(FindFault(account, ProbeDepth::kCreate, {1, 2}),
            "\"loaded\" without the stage \"create\"");
  EXPECT_EQ(FindFault(account, ProbeDepth::kIdentify, {1, 2}), "") << "no more was asked for";
}

TEST(CheckReport, NamesFileFaultAndCure) {
  ProbeAccount account = MakeLoadedAccount();
  account.report.reset();
  account.report_fault = "this and that";
  const Diagnostic diagnostic = ExplainDeath(account, "/a/Mock_X_backend.so");
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kProbeReportInvalid);
  EXPECT_EQ(diagnostic.subject.name, "/a/Mock_X_backend.so");
  EXPECT_NE(diagnostic.why.find("found this and that, expected"), std::string::npos);
  EXPECT_NE(diagnostic.fix.find("BACKPLANE_DISABLE_BACKENDS=Mock_X_backend.so"), std::string::npos);
  account.is_worker = true;
  EXPECT_EQ(ExplainDeath(account, "/a/Mock_X_backend.so").code,
            DiagnosticCode::kProbeReportInvalid);
}

}  // namespace
}  // namespace backplane::probing
