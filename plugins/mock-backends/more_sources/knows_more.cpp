/// A source that says of the Backend API that the backend knows more than its other sources say.

#define BP_KNOWS_MINOR 1
#include <backplane/api/backend.hpp>
