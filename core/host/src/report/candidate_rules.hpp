#pragma once

/// What holds for every candidate that the stages wrote, so that a record of one that was changed
/// since, by accident or by the code that ran, is not believed.

#include <backplane/host/load_report.hpp>

#include <string>

namespace backplane::report {

/// What a candidate, whose code ran in a process of its own, says that cannot be: "it is loaded and
/// has no identity". "": nothing.
std::string FindContradiction(const Candidate& candidate);

/// The same for a text that is shown, or kept, whoever wrote it. `name` is what it is.
std::string FindFaultInText(const std::string& name, const std::string& text);

}  // namespace backplane::report
