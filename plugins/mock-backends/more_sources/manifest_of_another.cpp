/// The manifest of another backend.

#include <backplane/api/manifest.hpp>

BACKPLANE_MANIFEST("MockSomebodyElse", "Mock Works", "3.2.1", "MIT", "", 0);
