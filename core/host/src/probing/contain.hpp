#pragma once

#include "probing/candidate_ladder.hpp"

#include <cxxabi.h>

#include <exception>
#include <string>

namespace backplane::probing {

/// Describes what the host itself threw while it was busy with one candidate.
Diagnostic DescribeExaminationFailure(const std::string& path, Stage stage,
                                      const std::string& thrown);

/// Runs what is done for one candidate. What the host throws meanwhile, as memory that is refused,
/// is an error of that candidate, in its current stage: others go on.
/// False: something was thrown.
template <typename Part>
bool Contain(const Candidate& candidate, CandidateLadder& ladder, const Part& part) {
  std::string thrown;
  try {
    part();
    return true;
  } catch (const abi::__forced_unwind&) {
    throw;  // the application ends this thread
  } catch (const std::exception& exception) {
    thrown = exception.what();
  } catch (...) {
    thrown = "something that is no std::exception";
  }
  ladder.Report(DescribeExaminationFailure(candidate.path, ladder.GetStage(), thrown));
  return false;
}

}  // namespace backplane::probing
