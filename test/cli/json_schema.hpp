#pragma once

/// Holds what the commands write as JSON against the published schemas.

#include <string>
#include <vector>

namespace backplane::test {

struct SchemaVerdict {
  bool is_checked = false;  // false: the validator is not installed
  std::string breaches;     // where the output is not as the schema says; "" when it is
};

/// Validates a text against docs/<command>.schema.json.
SchemaVerdict CheckAgainstSchema(const std::string& command, const std::string& json);

/// Fails the test when a command that was asked for JSON wrote it in another form than published.
/// Says so when that cannot be checked.
void ExpectPublishedForm(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& out);

}  // namespace backplane::test
