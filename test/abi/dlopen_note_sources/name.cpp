#include <backplane/api/dlopen_note.hpp>

BACKPLANE_DLOPEN("lib a.so.1", "", "required");
