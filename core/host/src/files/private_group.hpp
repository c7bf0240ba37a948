#pragma once

#include <sys/types.h>

namespace backplane::files {

/// Whether a group is there for one user only: it is the user's first group, has the user's name
/// and no other members, as on systems where each user has a group.
bool IsPrivateGroup(gid_t group, uid_t user);

}  // namespace backplane::files
