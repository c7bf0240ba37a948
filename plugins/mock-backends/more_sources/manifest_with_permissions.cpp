/// A manifest that asks for more than a sandbox gives.

#include <backplane/api/permissions.hpp>

BACKPLANE_MANIFEST_WITH(BACKPLANE_MOCK_NAME, "Mock Works", "3.2.1", "MIT", "", 0,
                        "network processes read:/etc/passwd write:/tmp", "");
