#include <backplane/api/backend.hpp>

BACKPLANE_MANIFEST("Noted", "A \"quoted\" name", "1.0", "MIT", "", 0);
