#include "minimal_backend.hpp"

BACKPLANE_BACKEND(MinimalBackend, "Minimal");
