#include <backplane/api/backend.hpp>

constexpr char kId[] = "Noted";
BACKPLANE_MANIFEST(kId, "Vendor", "1.0", "MIT", "", 0);
