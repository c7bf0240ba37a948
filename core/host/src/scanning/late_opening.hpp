#pragma once

#include "scanning/examination.hpp"

#include <backplane/host/contexts.hpp>
#include <backplane/host/late_backend.hpp>

namespace backplane::scanning {

/// What to register for a file that is to be opened at first use. It has passed the file stages,
/// with an ABI note, and its id is known: from its manifest, or from a process of its own.
/// `settings` are for its context.
BackendRegistration MakeLateRegistration(const Examination& examination,
                                         const ContextSettings& settings);

}  // namespace backplane::scanning
