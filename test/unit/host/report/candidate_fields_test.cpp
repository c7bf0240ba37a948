#include "report/candidate_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace backplane::report {
namespace {

Diagnostic MakeDiagnostic() {
  Diagnostic diagnostic{DiagnosticCode::kMissingDependency, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kOption, "na\xffme"};
  diagnostic.what = "what \xc3(";
  diagnostic.why = "why";
  diagnostic.fix = std::string("f\0x", 3);
  diagnostic.causes.push_back(Diagnostic{DiagnosticCode::kOpenFailed});
  return diagnostic;
}

OptionSchema MakeSchema() {
  OptionSchema schema;
  schema.name = "Scale";
  schema.type = OptionType::kFloat;
  schema.default_value = OptionValue(std::numeric_limits<double>::infinity());
  schema.has_range = 1;
  schema.minimum = OptionValue(-0.0);
  schema.maximum = OptionValue(std::numeric_limits<double>::quiet_NaN());
  schema.allowed_strings = {"a", "\xff"};
  schema.text = "one sentence";
  return schema;
}

Candidate MakeCandidate() {
  Candidate candidate;
  candidate.status = CandidateStatus::kUnavailable;
  candidate.stage = Stage::kIdentify;
  candidate.stages.push_back({Stage::kOpen, std::chrono::nanoseconds(12), false});
  candidate.stages.push_back({Stage::kIdentify, std::chrono::nanoseconds(-1), true});
  BackendIdentity identity;
  identity.id = "N\xffpu";
  identity.api_version = {1, 7};
  identity.capabilities.emplace_back("Rank", OptionValue(std::int64_t{-9}));
  identity.capabilities.emplace_back("Unit", OptionValue("x\xfe"));
  identity.options.push_back(MakeSchema());
  identity.tensor_handle_factories = {"A/b/c"};
  candidate.identity = identity;
  candidate.diagnostics.push_back(MakeDiagnostic());
  candidate.changed_state = {"the umask", "\xff"};
  return candidate;
}

/// Through bytes, as it goes between processes.
std::optional<Candidate> SendAndRead(const Candidate& candidate) {
  return wire::ReadFields<Candidate>(wire::WriteFields(candidate));
}

TEST(CandidateFields, ADiagnosticComesBackAsItWas) {
  const Diagnostic expected = MakeDiagnostic();
  const auto read = wire::ReadFields<Diagnostic>(wire::WriteFields(expected));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->code, expected.code);
  EXPECT_EQ(read->severity, expected.severity);
  EXPECT_EQ(read->subject.kind, expected.subject.kind);
  EXPECT_EQ(read->subject.name, expected.subject.name);
  EXPECT_EQ(read->what, expected.what);
  EXPECT_EQ(read->why, expected.why);
  EXPECT_EQ(read->fix, expected.fix);
  ASSERT_EQ(read->causes.size(), 1U);
  EXPECT_EQ(read->causes[0].code, DiagnosticCode::kOpenFailed);
}

TEST(CandidateFields, ACandidateComesBackAsItWas) {
  const auto read = SendAndRead(MakeCandidate());
  ASSERT_TRUE(read && read->identity);
  EXPECT_EQ(read->status, CandidateStatus::kUnavailable);
  EXPECT_EQ(read->stage, Stage::kIdentify);
  ASSERT_EQ(read->stages.size(), 2U);
  EXPECT_EQ(read->stages[1].stage, Stage::kIdentify);
  EXPECT_EQ(read->stages[1].duration.count(), -1);
  EXPECT_TRUE(read->stages[1].has_failed);
  EXPECT_EQ(read->identity->id, "N\xffpu");
  EXPECT_EQ(read->identity->api_version.minor, 7U);
  ASSERT_EQ(read->identity->capabilities.size(), 2U);
  EXPECT_TRUE(read->identity->capabilities[0].value == OptionValue(std::int64_t{-9}));
  EXPECT_TRUE(read->identity->capabilities[1].value == OptionValue("x\xfe"));
  EXPECT_EQ(read->identity->tensor_handle_factories, std::vector<std::string>{"A/b/c"});
  EXPECT_EQ(read->diagnostics.size(), 1U);
  EXPECT_EQ(read->changed_state, (std::vector<std::string>{"the umask", "\xff"}));
}

TEST(CandidateFields, AnOptionComesBackAsItWas) {
  const auto read = SendAndRead(MakeCandidate());
  ASSERT_TRUE(read && read->identity && read->identity->options.size() == 1);
  const OptionSchema& schema = read->identity->options[0];
  EXPECT_EQ(schema.name, "Scale");
  EXPECT_EQ(schema.type, OptionType::kFloat);
  EXPECT_TRUE(std::isinf(schema.default_value.float_value));
  EXPECT_EQ(schema.has_range, 1U);
  EXPECT_TRUE(std::signbit(schema.minimum.float_value));
  EXPECT_TRUE(std::isnan(schema.maximum.float_value));
  EXPECT_EQ(schema.allowed_strings, (std::vector<std::string>{"a", "\xff"}));
  EXPECT_EQ(schema.text, "one sentence");
}

// A backend may say anything of its options; that is not a damaged record.
TEST(CandidateFields, KeepsTypesThatABackendMadeUp) {
  Candidate candidate = MakeCandidate();
  candidate.identity->options[0].type = OptionType::kInt;  // its default is of another type
  candidate.identity->capabilities[0].value.type = static_cast<OptionType>(77);
  const auto read = SendAndRead(candidate);
  ASSERT_TRUE(read && read->identity);
  EXPECT_EQ(read->identity->options[0].type, OptionType::kInt);
  EXPECT_EQ(read->identity->options[0].default_value.type, OptionType::kFloat);
  EXPECT_EQ(read->identity->capabilities[0].value.type, static_cast<OptionType>(77));
}

TEST(CandidateFields, WithoutAnIdentityHasNone) {
  const auto read = SendAndRead(Candidate());
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->identity);
}

TEST(CandidateFields, CutShortAnywhereAreNothing) {
  const std::string bytes = wire::WriteFields(MakeCandidate());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(wire::ReadFields<Candidate>(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(wire::ReadFields<Candidate>(bytes + 'x'));
}

TEST(CandidateFields, WithNumbersThatNameNothingAreNothing) {
  const auto expect_refused = [](const auto& change) {
    for (const int number : {-1, 1000}) {
      Candidate candidate = MakeCandidate();
      candidate.intrusions = {Intrusion::kUmask};
      EXPECT_TRUE(SendAndRead(candidate));
      change(candidate, number);
      EXPECT_FALSE(SendAndRead(candidate)) << number;
    }
  };
  expect_refused([](Candidate& c, int number) { c.status = static_cast<CandidateStatus>(number); });
  expect_refused([](Candidate& c, int number) { c.stage = static_cast<Stage>(number); });
  expect_refused([](Candidate& c, int number) { c.stages[1].stage = static_cast<Stage>(number); });
  expect_refused(
      [](Candidate& c, int number) { c.intrusions[0] = static_cast<Intrusion>(number); });
  expect_refused([](Candidate& c, int number) {
    c.diagnostics[0].code = static_cast<DiagnosticCode>(number);
  });
  expect_refused(
      [](Candidate& c, int number) { c.diagnostics[0].severity = static_cast<Severity>(number); });
  expect_refused([](Candidate& c, int number) {
    c.diagnostics[0].causes[0].subject.kind = static_cast<SubjectKind>(number);
  });
}

TEST(CandidateFields, WithEndlessCausesAreNothing) {
  const auto nest = [](int depth) {
    Diagnostic outer{DiagnosticCode::kOpenFailed};
    for (Diagnostic* inner = &outer; depth > 0; --depth) {
      inner = &inner->causes.emplace_back(Diagnostic{DiagnosticCode::kOpenFailed});
    }
    return wire::WriteFields(outer);
  };
  EXPECT_TRUE(wire::ReadFields<Diagnostic>(nest(16)));
  EXPECT_FALSE(wire::ReadFields<Diagnostic>(nest(1000)));
}

}  // namespace
}  // namespace backplane::report
