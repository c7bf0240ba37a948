#pragma once

/// Whose files may become backends. docs/trust.md says how to set it up.

#include <backplane/host/export.hpp>

#include <string>

namespace backplane {

enum class TrustPolicy {
  kOwner,   // refuses what any user may write; notes other owners and what a group may write
  kStrict,  // refuses also those; for the file and every directory on the way to it
  kOff,     // does not look
};

/// "owner", "strict" or "off". Static storage. [any thread]
BACKPLANE_HOST_API const char* GetTrustPolicyName(TrustPolicy policy);

struct TrustOptions {
  /// In secure execution (set-user-ID programs and the like) it is always kStrict.
  TrustPolicy policy = TrustPolicy::kOwner;
  /// A file as sha256sum writes it. When set, only files whose SHA-256 digest is in it are opened;
  /// when it cannot be read, none. Empty: every digest is allowed, unless drop-in files list some.
  std::string digest_list{};
};

}  // namespace backplane
