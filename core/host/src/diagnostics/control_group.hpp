#pragma once

#include <string>

namespace backplane::diagnostics {

/// The file of this process's control group: `of_controller` where the controller has a hierarchy
/// of its own, else `of_group`. "": neither is there.
std::string FindGroupFile(const std::string& controller, const std::string& of_controller,
                          const std::string& of_group);

}  // namespace backplane::diagnostics
