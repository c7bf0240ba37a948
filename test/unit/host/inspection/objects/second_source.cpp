// Gives a backend a second ABI note.
#include <backplane/api/backend_version.hpp>
