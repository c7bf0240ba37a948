#include "files/trust_policy.hpp"

namespace backplane {

const char* GetTrustPolicyName(TrustPolicy policy) {
  switch (policy) {
    case TrustPolicy::kOwner:
      return "owner";
    case TrustPolicy::kStrict:
      return "strict";
    case TrustPolicy::kOff:
      return "off";
  }
  return "unknown";
}

namespace files {
namespace {

bool IsDirectory(const Step& step) {
  return step.kind == StepKind::kHolder || step.kind == StepKind::kPassage;
}

/// Who may write a directory may exchange what is in it, unless the sticky bit leaves that to the
/// owners. Strict does not rely on those.
bool CanBeExchangedBy(mode_t writers, TrustPolicy policy, const Step& step) {
  if ((step.status.st_mode & writers) == 0) return false;
  return !IsDirectory(step) || policy == TrustPolicy::kStrict ||
         (step.status.st_mode & S_ISVTX) == 0;
}

bool HasForeignOwner(const Step& step, const User& user) {
  return step.status.st_uid != 0 && step.status.st_uid != user.id;
}

/// Further up, `owner` looks only for what any user may write: whole trees often belong to whoever
/// mounted or unpacked them.
bool IsNoted(TrustPolicy policy, const Step& step) {
  return policy == TrustPolicy::kStrict || step.kind != StepKind::kPassage;
}

bool IsGroupTrusted(TrustPolicy policy, gid_t group, const User& user) {
  return policy == TrustPolicy::kOwner && user.is_private_group(group);
}

}  // namespace

TrustPolicy EffectivePolicy(TrustPolicy asked, bool is_secure_execution) {
  return is_secure_execution ? TrustPolicy::kStrict : asked;
}

std::vector<Finding> Judge(TrustPolicy policy, const Step& step, const User& user) {
  std::vector<Finding> findings;
  if (policy == TrustPolicy::kOff) return findings;
  const Severity severity = policy == TrustPolicy::kStrict ? Severity::kError : Severity::kNote;
  // The mode of a link means nothing: every link has all rights.
  const bool has_mode = step.kind != StepKind::kLink;
  if (has_mode && CanBeExchangedBy(S_IWOTH, policy, step)) {
    findings.push_back({IsDirectory(step) ? DiagnosticCode::kDirectoryWritableByOthers
                                          : DiagnosticCode::kWritableByOthers,
                        Severity::kError, step});
  } else if (has_mode && IsNoted(policy, step) && CanBeExchangedBy(S_IWGRP, policy, step) &&
             !IsGroupTrusted(policy, step.status.st_gid, user)) {
    findings.push_back({DiagnosticCode::kGroupWritable, severity, step});
  }
  if (IsNoted(policy, step) && HasForeignOwner(step, user)) {
    findings.push_back({DiagnosticCode::kForeignOwner, severity, step});
  }
  return findings;
}

}  // namespace files
}  // namespace backplane
