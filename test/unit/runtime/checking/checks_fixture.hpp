#pragma once

#include "runs/runs_fixture.hpp"

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

  static float* GetData(ITensorHandle* handle) {
    return static_cast<float*>(handle->GetMemoryView()->data);
  }

  /// A copies, and sets one element.
  void SetElement(std::size_t element, float value) const {
    a_->execute = [element, value](const ExecuteArgs& args) {
      const float* const from = GetData(args.inputs[0]);
      std::copy(from, from + 4, GetData(args.outputs[0]));
      GetData(args.outputs[0])[element] = value;
      return Status::kSuccess;
    };
  }

  CreationOptions options_;
};

}  // namespace backplane
