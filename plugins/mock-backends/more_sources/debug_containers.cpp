/// A source built with other settings than the rest of its backend: containers differ in layout.

#define _GLIBCXX_DEBUG 1
#include <backplane/api/backend.hpp>
