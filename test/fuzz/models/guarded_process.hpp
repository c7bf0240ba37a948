#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace backplane::fuzz {

/// What a process of its own may take for its items.
struct Limits {
  std::uint64_t more_bytes = 0;  // of address space, beyond what it begins with; 0: any number
  unsigned seconds_per_item = 20;
};

/// An item at which the process ended, and how.
struct Death {
  std::size_t item = 0;
  std::string how;  // "signal 11 (Segmentation fault)", "exit status 1"
};

struct GuardedRun {
  std::vector<Death> deaths;
  std::size_t num_true = 0;  // items for which the work gave true
};

/// Does the work for the items from 0 on, in a process of its own. Where that ends, another goes on
/// behind the item at which it did.
GuardedRun RunGuarded(std::size_t num_items, const Limits& limits,
                      const std::function<bool(std::size_t)>& work);

}  // namespace backplane::fuzz
