#pragma once

/// The pairs of company.def, as tests use them.

#include "mock_rows.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace backplane::test {

/// Two backends of one folder that clash.
struct CompanyPair {
  std::string name;    // of the second row
  std::string folder;  // absolute
  std::string first;   // path; empty: the clash is with what the program has
  std::string second;  // path
  DiagnosticCode code{};
  std::vector<std::string> words;
};

/// What GoogleTest shows for a pair.
inline void PrintTo(const CompanyPair& pair, std::ostream* stream) {
  *stream << pair.name;
}

/// All pairs, in the order of the table.
const std::vector<CompanyPair>& GetCompanyPairs();

/// The pair whose second row has this name; ends the test program when there is none.
const CompanyPair& GetCompanyPair(const std::string& name);

/// The path of a backend that is in no pair; ends the test program when there is none.
const std::string& GetCompanyMember(const std::string& name);

}  // namespace backplane::test
