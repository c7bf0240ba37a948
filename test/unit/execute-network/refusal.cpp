#include "refusal.hpp"

#include <gtest/gtest.h>

namespace backplane::execute_network::test {

void ExpectRefusal(const std::function<void()>& call, DiagnosticCode code,
                   const std::vector<std::string>& words) {
  try {
    call();
  } catch (const DiagnosticException& exception) {
    const Diagnostic& diagnostic = exception.GetDiagnostic();
    EXPECT_EQ(GetDiagnosticId(diagnostic.code), GetDiagnosticId(code));
    EXPECT_FALSE(diagnostic.fix.empty());
    const std::string text = ToText(diagnostic);
    for (const std::string& word : words) {
      EXPECT_NE(text.find(word), std::string::npos) << "\"" << word << "\" is not in:\n" << text;
    }
    return;
  }
  ADD_FAILURE() << "nothing was thrown";
}

void ExpectUnreadable(const std::function<void()>& call, const std::vector<std::string>& words) {
  ExpectRefusal(call, DiagnosticCode::kTensorFileUnreadable, {"the/file cannot be read"});
  ExpectRefusal(call, DiagnosticCode::kTensorFileUnreadable, words);
}

}  // namespace backplane::execute_network::test
