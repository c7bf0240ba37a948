#pragma once

#include <backplane/api/i_workload.hpp>

#include <cstdint>
#include <vector>

namespace backplane {

/// What the core's own steps keep for one working memory.
class CoreState final : public IExecutionState {
 public:
  ~CoreState() noexcept override = default;

  /// For each Import step of memory that stays where it is, whether it was imported.
  std::vector<std::uint8_t> is_imported;
};

}  // namespace backplane
