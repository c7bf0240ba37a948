// Constants, where a backend in another process can read them.
#pragma once

#include "messages/api_values.hpp"

#include <backplane/api/tensor_info.hpp>
#include <backplane/host/shared_memory.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace backplane::isolation {

struct SharedConstants {
  std::vector<std::shared_ptr<SharedArea>> areas;              // in which they lie
  std::vector<std::optional<messages::ConstantPlace>> places;  // as they were asked for
};

/// Has constants lie where others can read them: those that do not lie in an area are copied into
/// one that others can only read. Null stands for no constant.
/// Errors: as SharedArea::Make.
SharedConstants ShareConstants(const std::vector<const ConstTensor*>& constants);

}  // namespace backplane::isolation
