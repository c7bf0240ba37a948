#pragma once

#include "files/path_walk.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/trust.hpp>

#include <sys/types.h>

#include <functional>
#include <vector>

namespace backplane::files {

/// The policy that applies: a program with more rights than its caller takes nothing on trust.
TrustPolicy EffectivePolicy(TrustPolicy asked, bool is_secure_execution);

/// On whose behalf files are judged. Root is always trusted.
struct User {
  uid_t id = 0;
  /// Whether nobody but this user or root is in a group. Asked only for what a group may write.
  std::function<bool(gid_t)> is_private_group;
};

/// What is wrong with one step.
struct Finding {
  DiagnosticCode code;
  Severity severity = Severity::kError;
  Step step;
};

/// Judges the file itself, or something on the way to it.
std::vector<Finding> Judge(TrustPolicy policy, const Step& step, const User& user);

}  // namespace backplane::files
