#include <backplane/api/permissions.hpp>

BACKPLANE_MANIFEST_WITH("Noted", "Vendor", "1.0", "MIT", "", 0, "", "acme/Gelu");
