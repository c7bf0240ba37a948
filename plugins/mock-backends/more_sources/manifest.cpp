/// A manifest that agrees with the backend.

#include <backplane/api/manifest.hpp>

BACKPLANE_MANIFEST(BACKPLANE_MOCK_NAME, "Mock Works", "3.2.1", "MIT", "", 0);
