#include <backplane/api/dlopen_note.hpp>

BACKPLANE_DLOPEN("liba.so.1", "a \"b\"", "required");
