// A second source file of the backend, which nothing refers to.
#include <backplane/api/tensor_info.hpp>
