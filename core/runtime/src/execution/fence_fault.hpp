#pragma once

#include <backplane/api/fence.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>
#include <string>

namespace backplane {

/// Why a fence that a step gave cannot be waited for.
struct FenceFault {
  enum class Kind : std::uint8_t {
    kNone,
    kUnknownKind,
    kNoDescriptor,  // a file or event without one
    kNotPolled,     // poll does not wait for the descriptor
    kNotWaitedFor,  // WaitForFence did not answer kSuccess
  };

  Kind kind = Kind::kNone;
  Status answer = Status::kSuccess;  // of WaitForFence
  FenceView fence;
};

/// Looks at a fence without waiting for it.
FenceFault::Kind FindFaultOf(const FenceView& fence);

/// What was found and what was expected. Not for kNone. `maker`: the layer that gave the fence.
std::string DescribeFault(const FenceFault& fault, const std::string& maker);

}  // namespace backplane
