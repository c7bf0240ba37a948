#pragma once

#include "kernel.hpp"

#include <cstdint>

namespace backplane {
namespace reference {

/// int8_t or uint8_t elements.
struct Bytes {
  template <typename Visit>
  void VisitElements(Visit&& visit) const {
    if (is_signed) {
      visit(static_cast<const std::int8_t*>(data));
    } else {
      visit(static_cast<const std::uint8_t*>(data));
    }
  }

  const void* data = nullptr;
  bool is_signed = false;
};

}  // namespace reference
}  // namespace backplane
