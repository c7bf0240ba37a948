#include <backplane/api/permissions.hpp>

BACKPLANE_MANIFEST_WITH_PERMISSIONS("Noted", "Vendor", "1.0", "MIT", "", 0, "network teleport");
