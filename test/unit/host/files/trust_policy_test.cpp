#include "files/trust_policy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::files {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uid_t kUser = 1000;
constexpr gid_t kOwnGroup = 1000;
constexpr uid_t kStranger = 2000;
constexpr gid_t kSharedGroup = 100;
constexpr uid_t kOutsideContainer = 65534;

User MakeUser() {
  return {kUser, [](gid_t group) { return group == kOwnGroup; }};
}

Step MakeStep(StepKind kind, mode_t mode, uid_t owner = kUser, gid_t group = kOwnGroup) {
  Step step{"/a/b", kind, {}};
  const bool is_directory = kind == StepKind::kHolder || kind == StepKind::kPassage;
  const mode_t type = is_directory ? S_IFDIR : S_IFREG;
  step.status.st_mode = (kind == StepKind::kLink ? S_IFLNK : type) | mode;
  step.status.st_uid = owner;
  step.status.st_gid = group;
  return step;
}

/// "code severity" of each finding.
std::vector<std::string> JudgeAs(TrustPolicy policy, const Step& step) {
  std::vector<std::string> texts;
  for (const Finding& finding : Judge(policy, step, MakeUser())) {
    EXPECT_EQ(finding.step.path, step.path);
    texts.push_back(std::string(GetDiagnosticName(finding.code)) + ' ' +
                    GetSeverityName(finding.severity));
  }
  return texts;
}

std::vector<std::string> JudgeOwner(const Step& step) {
  return JudgeAs(TrustPolicy::kOwner, step);
}

std::vector<std::string> JudgeStrict(const Step& step) {
  return JudgeAs(TrustPolicy::kStrict, step);
}

TEST(TrustPolicy, IsAsAskedUnlessInSecureExecution) {
  for (const TrustPolicy policy : {TrustPolicy::kOwner, TrustPolicy::kStrict, TrustPolicy::kOff}) {
    EXPECT_EQ(EffectivePolicy(policy, false), policy);
    EXPECT_EQ(EffectivePolicy(policy, true), TrustPolicy::kStrict);
  }
}

TEST(TrustPolicy, HasNames) {
  EXPECT_STREQ(GetTrustPolicyName(TrustPolicy::kOwner), "owner");
  EXPECT_STREQ(GetTrustPolicyName(TrustPolicy::kStrict), "strict");
  EXPECT_STREQ(GetTrustPolicyName(TrustPolicy::kOff), "off");
}

TEST(TrustPolicyOff, FindsNothing) {
  EXPECT_THAT(JudgeAs(TrustPolicy::kOff, MakeStep(StepKind::kFile, 0777, kStranger)), IsEmpty());
}

TEST(TrustPolicyOwner, TakesFilesOfTheUserAndOfRoot) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0755)), IsEmpty());
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0755, 0, 0)), IsEmpty());
}

TEST(TrustPolicyOwner, RefusesAFileThatAnyUserMayWrite) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0666, 0, 0)),
              ElementsAre("writable-by-others error"));
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0602)), ElementsAre("writable-by-others error"));
}

TEST(TrustPolicyOwner, DoesNotLetTheStickyBitExcuseAFile) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 01666)),
              ElementsAre("writable-by-others error"));
}

TEST(TrustPolicyOwner, RefusesADirectoryThatAnyUserMayWriteUnlessItIsSticky) {
  for (const StepKind kind : {StepKind::kHolder, StepKind::kPassage}) {
    EXPECT_THAT(JudgeOwner(MakeStep(kind, 0777, 0, 0)),
                ElementsAre("directory-writable-by-others error"));
    EXPECT_THAT(JudgeOwner(MakeStep(kind, 01777, 0, 0)), IsEmpty());
  }
}

TEST(TrustPolicyOwner, NotesAForeignOwner) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0644, kStranger)),
              ElementsAre("foreign-owner note"));
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kLink, 0777, kStranger)),
              ElementsAre("foreign-owner note"));
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kHolder, 01777, kStranger)),
              ElementsAre("foreign-owner note"));
}

TEST(TrustPolicyOwner, OnlyNotesAnOwnerFromOutsideTheContainer) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0644, kOutsideContainer, kOutsideContainer)),
              ElementsAre("foreign-owner note"));
}

TEST(TrustPolicyOwner, NotesWhatASharedGroupMayWrite) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0664, kUser, kSharedGroup)),
              ElementsAre("group-writable note"));
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kHolder, 0775, kUser, kSharedGroup)),
              ElementsAre("group-writable note"));
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kHolder, 01775, kUser, kSharedGroup)), IsEmpty());
}

TEST(TrustPolicyOwner, TakesWhatTheUsersOwnGroupMayWrite) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0664)), IsEmpty());
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kHolder, 0775)), IsEmpty());
}

TEST(TrustPolicyOwner, NotesNothingFurtherUp) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kPassage, 0775, kStranger, kSharedGroup)), IsEmpty());
}

TEST(TrustPolicyOwner, GivesEveryFindingOfOneStep) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0664, kStranger, kSharedGroup)),
              ElementsAre("group-writable note", "foreign-owner note"));
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kFile, 0666, kStranger)),
              ElementsAre("writable-by-others error", "foreign-owner note"));
}

TEST(TrustPolicyOwner, IgnoresTheModeOfALink) {
  EXPECT_THAT(JudgeOwner(MakeStep(StepKind::kLink, 0777)), IsEmpty());
}

TEST(TrustPolicyStrict, TakesWhatOnlyRootOrTheUserMayWrite) {
  for (const StepKind kind :
       {StepKind::kFile, StepKind::kLink, StepKind::kHolder, StepKind::kPassage}) {
    EXPECT_THAT(JudgeStrict(MakeStep(kind, 0755)), IsEmpty());
    EXPECT_THAT(JudgeStrict(MakeStep(kind, 0755, 0, 0)), IsEmpty());
  }
}

TEST(TrustPolicyStrict, RefusesAForeignOwnerAnywhere) {
  for (const StepKind kind :
       {StepKind::kFile, StepKind::kLink, StepKind::kHolder, StepKind::kPassage}) {
    EXPECT_THAT(JudgeStrict(MakeStep(kind, 0755, kStranger)), ElementsAre("foreign-owner error"));
  }
}

TEST(TrustPolicyStrict, RefusesWhatAnyGroupMayWriteAnywhere) {
  for (const StepKind kind : {StepKind::kFile, StepKind::kHolder, StepKind::kPassage}) {
    EXPECT_THAT(JudgeStrict(MakeStep(kind, 0775)), ElementsAre("group-writable error"));
    EXPECT_THAT(JudgeStrict(MakeStep(kind, 0775, 0, 0)), ElementsAre("group-writable error"));
  }
}

TEST(TrustPolicyStrict, DoesNotRelyOnTheStickyBit) {
  EXPECT_THAT(JudgeStrict(MakeStep(StepKind::kPassage, 01777, 0, 0)),
              ElementsAre("directory-writable-by-others error"));
  EXPECT_THAT(JudgeStrict(MakeStep(StepKind::kPassage, 01775, 0, 0)),
              ElementsAre("group-writable error"));
}

}  // namespace
}  // namespace backplane::files
