#pragma once

#include <backplane/host/diagnostic.hpp>

#include <string>

namespace backplane::configuration {

/// A warning about something that was set outside the program.
Diagnostic Warn(DiagnosticCode code, Subject subject, std::string what, std::string why,
                std::string fix);

}  // namespace backplane::configuration
