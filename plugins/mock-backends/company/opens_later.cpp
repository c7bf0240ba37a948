/// Says which library the backend opens when it runs.

#include <backplane/api/dlopen_note.hpp>

BACKPLANE_DLOPEN(BACKPLANE_MOCK_OPENS, "", BACKPLANE_MOCK_PRIORITY);
