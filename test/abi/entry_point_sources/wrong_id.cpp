#include <backplane/api/entry_points.hpp>

int GetBackendId() {
  return 1;
}
