/// A manifest that needs what no processor has.

#include <backplane/api/manifest.hpp>

BACKPLANE_MANIFEST(BACKPLANE_MOCK_NAME, "Mock Works", "3.2.1", "MIT", "quantum", 0);
