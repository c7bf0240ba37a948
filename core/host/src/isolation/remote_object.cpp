#include "isolation/remote_object.hpp"

#include <backplane/host/plugin_object.hpp>

namespace backplane::isolation {

RemoteObject::~RemoteObject() {
  try {
    link_->Destroy(id_, step_);
  } catch (...) {
    plugin_call::ReportDestructorException(link_->GetBackendId());
  }
}

}  // namespace backplane::isolation
