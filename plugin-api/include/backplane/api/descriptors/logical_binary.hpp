#pragma once

#include <backplane/api/descriptor.hpp>

#include <cstdint>

namespace backplane {

/// Numbers are never reused.
enum class LogicalOperation : std::uint32_t {
  kAnd = 1,
  kOr = 2,
  kXor = 3,
};

struct LogicalBinaryDescriptor : Descriptor<LogicalBinaryDescriptor> {
  LogicalOperation operation = LogicalOperation::kAnd;
};
BACKPLANE_CHECK_DESCRIPTOR(LogicalBinaryDescriptor, operation);

}  // namespace backplane
