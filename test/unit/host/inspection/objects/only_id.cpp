#include <backplane/api/backend.hpp>

const char* GetBackendId() {
  return "OnlyId";
}
