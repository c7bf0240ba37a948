/// The manifest of one of several files with one id.

#include <backplane/api/manifest.hpp>

// The row says otherwise; see defects.def.
#ifndef BACKPLANE_MOCK_RANK
#define BACKPLANE_MOCK_RANK 0
#endif
#ifndef BACKPLANE_MOCK_VENDOR
#define BACKPLANE_MOCK_VENDOR "Mock"
#endif
#ifndef BACKPLANE_MOCK_PRODUCT
#define BACKPLANE_MOCK_PRODUCT "1.0"
#endif
#ifndef BACKPLANE_MOCK_FEATURES
#define BACKPLANE_MOCK_FEATURES ""
#endif

BACKPLANE_MANIFEST(BACKPLANE_MOCK_NAME, BACKPLANE_MOCK_VENDOR, BACKPLANE_MOCK_PRODUCT, "MIT",
                   BACKPLANE_MOCK_FEATURES, BACKPLANE_MOCK_RANK);
