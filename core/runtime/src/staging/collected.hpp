#pragma once

#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <memory>

namespace backplane::staging {

/// What the rounds of a loop give, one behind the other.
class Collected {
 public:
  /// Errors: kStageFailed for one that is not like those before.
  void Add(const IStageOperation& operation, const StageValue& value, IStageRunner& runner);

  /// All of them, with a new axis. `stated` is what each is when there are none; open extents are
  /// 0.
  /// Errors: kStageFailed for an axis that the result has not, and where it would have too many.
  StageValue Finish(const IStageOperation& operation, const TensorInfo& stated, std::int64_t axis,
                    bool is_reversed, IStageRunner& runner) const;

 private:
  void Grow(IStageRunner& runner);

  TensorInfo info_;
  std::int64_t count_ = 0;
  std::int64_t room_ = 0;
  std::shared_ptr<void> data_;
};

}  // namespace backplane::staging
