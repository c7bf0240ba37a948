#include <backplane/api/backend.hpp>

BACKPLANE_MANIFEST("", "Vendor", "1.0", "MIT", "", 0);
