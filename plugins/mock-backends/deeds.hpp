#pragma once

/// What a backend can do to the process that runs it, and where it does it.

namespace backplane::mock {

enum class Deed {
  kNothing,
#define BACKPLANE_DEED(name) k##name,
#include "deeds.def"
#undef BACKPLANE_DEED
};

enum class Place {
  kNowhere,
  kConstructor,
  kGetBackendId,
  kGetVersion,
  kFactory,
  kContext,
  kContextDestructor,
  kBackendDestructor,
  kClosing
};

void Do(Deed deed);

namespace deeds {

#define BACKPLANE_DEED(name) void name();
#include "deeds.def"
#undef BACKPLANE_DEED

}  // namespace deeds
}  // namespace backplane::mock
