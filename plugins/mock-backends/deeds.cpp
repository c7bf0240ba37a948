#include "deeds.hpp"

namespace backplane::mock {

void Do(Deed deed) {
  switch (deed) {
    case Deed::kNothing:
      return;
#define BACKPLANE_DEED(name) \
  case Deed::k##name:        \
    return deeds::name();
#include "deeds.def"
#undef BACKPLANE_DEED
  }
}

}  // namespace backplane::mock
