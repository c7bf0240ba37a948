#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::fuzz {

/// What came of reading bytes as every record that a probe, or a directory of verdicts, gives.
struct ReadRecords {
  std::size_t num_whole = 0;  // as how many kinds the bytes were taken
  std::string fault;          // what is wrong with one that was taken; "" unless the host is wrong
};

/// Reads the bytes as a plugin's report, as an account, as the body of one and as a kept verdict,
/// whose checksum is made right, and does with what is taken what a scan does.
ReadRecords ReadAsEveryRecord(std::string_view bytes);

/// Good ones of each kind, as they are written.
std::vector<std::string> MakeGoodRecords();

}  // namespace backplane::fuzz
