#pragma once

/// Decisions as text, to be kept from one process to the next.

#include "decisions/decisions.hpp"

#include <optional>
#include <string>

namespace backplane {
namespace cpuacc {

/// What all decisions depend on besides their questions: the versions of CpuAcc's text and of
/// oneDNN, the instruction set, and the processor.
std::string DescribeMachine();

std::string WriteDecisions(const Answers& answers, const std::string& machine);

/// Nothing when the text was written on another machine, or is not what was written.
std::optional<Answers> ReadDecisions(const std::string& text, const std::string& machine);

}  // namespace cpuacc
}  // namespace backplane
