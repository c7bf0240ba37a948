#include "files/trust_diagnostics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::files {
namespace {

using ::testing::HasSubstr;

Finding MakeFinding(DiagnosticCode code, const std::string& path, StepKind kind, mode_t mode) {
  Finding finding{code, Severity::kNote, {path, kind, {}}};
  finding.step.status.st_mode = mode;
  finding.step.status.st_uid = 4321;
  finding.step.status.st_gid = 100;
  return finding;
}

TEST(TrustDiagnostics, NameEveryStepWithOneCodeOnce) {
  const Finding file =
      MakeFinding(DiagnosticCode::kForeignOwner, "/b/x.so", StepKind::kFile, S_IFREG | 0644);
  const Finding directory =
      MakeFinding(DiagnosticCode::kForeignOwner, "/b", StepKind::kHolder, S_IFDIR | 0755);
  const auto found = DescribeFindings("/a/x.so", {file, directory, directory}, {1000, {}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].subject.name, "/a/x.so");
  EXPECT_EQ(found[0].why,
            "found /b/x.so with owner 4321, the directory /b with owner 4321; expected root or "
            "user 1000, who runs this");
  EXPECT_THAT(found[0].fix, HasSubstr("chown -h root /b/x.so /b"));
}

TEST(TrustDiagnostics, NameModeAndGroup) {
  const auto found = DescribeFindings("/a/x.so",
                                      {MakeFinding(DiagnosticCode::kGroupWritable, "/a/my dir",
                                                   StepKind::kHolder, S_IFDIR | 02775)},
                                      {0, {}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].why, HasSubstr("the directory /a/my dir with mode 2775 and group 100"));
  EXPECT_THAT(found[0].fix, HasSubstr("chmod g-w '/a/my dir'"));
}

TEST(TrustDiagnostics, DoNotTellToCloseASharedDirectory) {
  const Finding shared = MakeFinding(DiagnosticCode::kDirectoryWritableByOthers, "/tmp",
                                     StepKind::kPassage, S_IFDIR | 01777);
  EXPECT_EQ(DescribeFindings("/tmp/x.so", {shared}, {0, {}})[0].fix,
            "keep backends where only root or the user may write");
}

TEST(TrustDiagnostics, SayInARefusalWhatToDoInstead) {
  Finding finding =
      MakeFinding(DiagnosticCode::kForeignOwner, "/b", StepKind::kHolder, S_IFDIR | 0755);
  finding.severity = Severity::kError;
  EXPECT_EQ(DescribeFindings("/b/x.so", {finding}, {0, {}})[0].fix,
            "keep backends elsewhere, or run: chown -h root /b");
}

TEST(TrustDiagnostics, GiveACommandThatAShellTakesLiterally) {
  const Diagnostic found =
      DescribeDigestNotListed("/a/x.so", "/a/it's $HOME.so", std::string(64, 'a'), {"/l", {}}, {});
  EXPECT_THAT(found.fix, HasSubstr("sha256sum '/a/it'\\''s $HOME.so' >> /l"));
}

TEST(TrustDiagnostics, NameTheListedDigestOfTheFileALinkLeadsTo) {
  DigestList list;
  list.Read(std::string(64, 'b') + "  x.so.1\n");
  const Diagnostic found =
      DescribeDigestNotListed("/a/x.so", "/a/x.so.1", std::string(64, 'a'), {"/l", {}}, list);
  EXPECT_EQ(found.why, "found SHA-256 " + std::string(64, 'a') + ", expected for x.so.1 is " +
                           std::string(64, 'b'));
}

TEST(TrustDiagnostics, NameEveryPlaceOfDigestsAndTheLineToAdd) {
  const std::string digest(64, 'a');
  const Diagnostic both = DescribeDigestNotListed("/x.so", "/x.so", digest, {"/l", {"/c"}}, {});
  EXPECT_THAT(both.what, HasSubstr("not in the list of allowed digests /l or /c"));
  EXPECT_THAT(both.fix, HasSubstr(">> /l"));
  const Diagnostic drop_ins =
      DescribeDigestNotListed("/x.so", "/x.so", digest, {"", {"/c", "/d"}}, {});
  EXPECT_THAT(drop_ins.what, HasSubstr("digests /c or /d"));
  EXPECT_THAT(drop_ins.fix, HasSubstr("add to /c the line: digest = " + digest));
}

}  // namespace
}  // namespace backplane::files
