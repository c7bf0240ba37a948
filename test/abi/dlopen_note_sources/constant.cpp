#include <backplane/api/dlopen_note.hpp>

constexpr const char* kName = "liba.so.1";

BACKPLANE_DLOPEN(kName, "", "required");
