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
  std::shared_ptr<SharedArea> area;                            // null: there is nothing in it
  std::vector<std::optional<messages::ConstantPlace>> places;  // as they were asked for
};

/// Copies constants into an area that others can only read. Null stands for no constant.
/// Errors: as SharedArea::Make.
SharedConstants ShareConstants(const std::vector<const ConstTensor*>& constants);

}  // namespace backplane::isolation
