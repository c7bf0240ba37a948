#pragma once

#include <backplane/host/diagnostic.hpp>

#include <string>
#include <vector>

namespace backplane::onnx {

/// An error, ready to be thrown or to be the cause of another.
Diagnostic MakeError(DiagnosticCode code, Subject subject, std::string what, std::string why,
                     std::string fix, std::vector<Diagnostic> causes = {});

[[noreturn]] void ThrowError(DiagnosticCode code, Subject subject, std::string what,
                             std::string why, std::string fix, std::vector<Diagnostic> causes = {});

/// The text of another library as a cause, word for word.
Diagnostic MakeVerbatimCause(DiagnosticCode code, Subject subject, std::string text);

/// "did you mean Conv? ", or "" when no candidate is near.
std::string SuggestNearest(const std::string& name, const std::vector<std::string>& candidates);

/// "1 node", "3 nodes".
std::string Count(std::size_t count, const std::string& singular);

}  // namespace backplane::onnx
