#pragma once

/// A backend linked into the test, with a device: a thread of its own that does the work, and
/// reports it to the profiling of the runtime.

#include <backplane/api/static_backend.hpp>

#include <cstdint>

namespace backplane::test {

constexpr char kMeasuredBackend[] = "MockMeasured";

/// Its entry points.
StaticEntryPoints GetMeasuredBackend();

}  // namespace backplane::test
