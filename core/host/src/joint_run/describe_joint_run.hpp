#pragma once

#include "joint_run/joint_clash.hpp"

#include <backplane/host/load_report.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace backplane::joint_run {

/// The error of the backend that stays out because of a clash, and the warning of one that does
/// not. `others` are the paths of the other backends that clash. `order` says which comes first, as
/// in "the rank of A is 1, that of B is 2".
Diagnostic DescribeLeftOut(const JointClash& clash, const std::string& path,
                           const std::vector<std::string>& others, const std::string& order);
Diagnostic DescribeStays(const JointClash& clash, const std::string& path,
                         const std::string& left_out, const std::vector<std::string>& others,
                         const std::string& order);

/// The warning that backends were not run together, for a reason that the first of them has.
Diagnostic DescribeNotRun(const Candidate& first);
/// The warning that they were run without the program's libraries, because `library` of them cannot
/// be opened in another process, as `at_library` says.
Diagnostic DescribeLibrary(const std::string& library, const Candidate& at_library);
/// The warning that a bad end, as `last` says, did not come again, or not in so many runs.
Diagnostic DescribeUndecided(const Candidate& last, std::size_t num_runs);

}  // namespace backplane::joint_run
