#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace backplane {

/// The content of a constant. The graphs that are made of one network share it, so that it goes
/// from all of them when it is let go of.
struct ConstantContent {
  std::shared_ptr<const void> data;  // null when there are no elements, and when it is gone
  std::uint64_t identity = 0;        // as IdentifyContent; stays with copies, and when it is gone
  bool may_be_released = false;      // nobody but backends needs it
  std::string released_by;           // the backend that was the last to let go of it; "" before
};

}  // namespace backplane
