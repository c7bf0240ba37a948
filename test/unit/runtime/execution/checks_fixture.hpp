#pragma once

#include "execution/runs_fixture.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <vector>

namespace backplane {

/// A checked runtime of the backends A and B. Layers add 1.
class ChecksFixture : public RunsFixture {
 protected:
  explicit ChecksFixture(CheckFlags checks = kAllChecks) { Start(checks); }

  void Start(CheckFlags checks) {
    options_.checks = checks;
    runtime_ = MakeRuntime({a_, b_}, options_);
  }

  CheckReport GetReport(NetworkId id) const { return runtime_->GetCheckReport(id); }

  /// A copies, and sets one element.
  void SetElement(std::size_t element, float value) const {
    a_->execute = [element, value](const ExecuteArgs& args) {
      const float* const from = args.GetInput(0).Get<float>();
      std::copy(from, from + 4, args.GetOutput(0).Get<float>());
      args.GetOutput(0).Get<float>()[element] = value;
      return Status::kSuccess;
    };
  }

  CreationOptions options_;
};

}  // namespace backplane
