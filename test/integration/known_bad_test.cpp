/// Builds that drop-in files call bad are not opened, and say why.

#include "mock_rows.hpp"

#include <backplane/host/digest.hpp>
#include <backplane/host/scan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string ComputeDigestOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  Sha256 digest;
  digest.Add(content.data(), content.size());
  return digest.Finish();
}

class KnownBad : public ::testing::Test {
 protected:
  Candidate ScanWith(const KnownBadBackend& bad) const {
    ScanOptions options;
    options.files = {path_};
    options.configuration.known_bad = {bad};
    options.before_opening = [](const std::string& path) { ADD_FAILURE() << path << " is opened"; };
    if (!is_bad_) options.before_opening = nullptr;
    return Scan(options).candidates.at(0);
  }

  void ExpectBad(const KnownBadBackend& bad, const std::string& which) {
    is_bad_ = true;
    const Candidate candidate = ScanWith(bad);
    EXPECT_EQ(candidate.status, CandidateStatus::kRejected) << which;
    const Diagnostic* reason = GetHeadline(candidate);
    ASSERT_NE(reason, nullptr);
    EXPECT_EQ(reason->code, DiagnosticCode::kKnownBad);
    EXPECT_THAT(reason->what, HasSubstr("is known not to work: it hangs"));
    EXPECT_THAT(reason->why, AllOf(HasSubstr(which), HasSubstr("/etc/x/bad.conf:3")));
  }

  void ExpectGood(const KnownBadBackend& bad) {
    is_bad_ = false;
    EXPECT_EQ(ScanWith(bad).status, CandidateStatus::kLoaded) << bad.vendor << ' ' << bad.id;
  }

  static KnownBadBackend Name(const char* vendor, const char* id, const char* first,
                              const char* last) {
    return {"", vendor, id, first, last, "it hangs", "/etc/x/bad.conf:3"};
  }

  const MockDirectory directory_;
  const std::string path_ = directory_.Add("WithManifest");
  bool is_bad_ = false;
};

TEST_F(KnownBad, IsRejectedByWhatItsManifestStates) {
  const std::string which = "found MockWithManifest 3.2.1 of Mock Works";
  ExpectBad(Name("Mock Works", "MockWithManifest", "3.2.1", "3.2.1"), which);
  ExpectBad(Name("Mock Works", "MockWithManifest", "3.2", "3.10"), which);
  ExpectBad(Name("Mock Works", "MockWithManifest", "", ""), which);
  ExpectGood(Name("Mock Works", "MockWithManifest", "3.2.2", "4"));
  ExpectGood(Name("Mock Works", "MockWithManifest", "3", "3.2.0"));
  ExpectGood(Name("Mock Works", "Mock", "", ""));
  ExpectGood(Name("Mock", "MockWithManifest", "", ""));
}

TEST_F(KnownBad, IsRejectedByItsDigest) {
  KnownBadBackend bad;
  bad.text = "it hangs";
  bad.origin = "/etc/x/bad.conf:3";
  bad.digest = ComputeDigestOf(path_);
  ExpectBad(bad, "its SHA-256 digest " + bad.digest);
  bad.digest.back() = bad.digest.back() == '0' ? '1' : '0';
  ExpectGood(bad);
}

}  // namespace
}  // namespace backplane::test
