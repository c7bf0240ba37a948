#pragma once

/// The other side of the boundary: functions of the host that plugins call.

#include <backplane/api/status.hpp>

#include <new>

namespace backplane {

/// Does what a plugin asked for, and gives a status whatever happens: nothing that the host throws
/// goes through a plugin.
/// Errors: kOutOfMemory or kFailure for an exception; else what `action` gives.
template <typename Action>
Status AnswerPlugin(const Action& action) noexcept {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    return Status::kOutOfMemory;
  } catch (...) {
    return Status::kFailure;
  }
}

}  // namespace backplane
