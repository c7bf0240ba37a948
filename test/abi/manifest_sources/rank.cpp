#include <backplane/api/backend.hpp>

BACKPLANE_MANIFEST("Noted", "Vendor", "1.0", "MIT", "", 5 * 20);
