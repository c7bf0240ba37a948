#pragma once

#include <backplane/host/load_report.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace backplane::joint_run {

/// Backends that passed alone and come to a bad end together; none of them can be left out.
struct JointClash {
  bool is_whole = true;  // false: there are others too, but it would take too long to find them
  std::vector<std::size_t> participants;  // by their numbers, in rising order; one at least
  std::vector<std::size_t> common;        // of these, those without each of which the rest passes
  std::vector<std::string> libraries;     // of the program, which take part
  bool ends_process = true;               // false: one fails, and the process goes on
  std::string end;                        // as DescribeEnd has it
};

/// "A crashed in CreateBackendContext: SIGSEGV ...".
std::string DescribeEnd(const Candidate& candidate);

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
