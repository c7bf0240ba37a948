#pragma once

/// What the process in which the backend runs tells the one that watches it: memory that both have
/// mapped, which nothing that a backend does to its descriptors can lose.

#include "spawn/shared_text.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane::check_backend {

/// Something that a rule does not allow.
struct Finding {
  std::uint64_t case_index = 0;
  std::string done;      // the case: what was done
  std::string seen;      // what came of it
  std::string expected;  // what should have
};

struct SharedRecord {
  /// The case that goes on; kNoCase before the first.
  static constexpr std::uint64_t kNoCase = ~std::uint64_t{0};
  std::atomic<std::uint64_t> case_index{kNoCase};
  std::atomic<std::uint64_t> num_cases{0};     // that were begun
  std::atomic<std::uint64_t> num_signs{0};     // of life: grows while a case makes progress
  std::atomic<std::uint64_t> num_findings{0};  // those that did not fit included
  std::atomic<std::uint32_t> has_finished{0};  // the rule has returned
  std::atomic<std::uint32_t> is_end_known{0};  // written by the process that waits
  std::atomic<std::int32_t> end_status{0};
  spawn::SharedText<4096> done;
  spawn::SharedText<4096> skipped;  // why the rule cannot be applied; "": it can
  spawn::SharedText<1024> fault;    // what is known of the address that was touched in vain
  spawn::SharedText<(std::size_t{1} << 18)> findings;  // JSON, one in each line
  spawn::SharedText<(std::size_t{1} << 18)>
      notes;  // likewise: what is worth telling beside the verdict
  spawn::SharedText<(std::size_t{1} << 16)> code;  // C++ that repeats the case, when asked for
};

/// Mapped for this process and those that it forks.
/// Errors: std::bad_alloc.
std::shared_ptr<SharedRecord> MapSharedRecord();

/// The form of a finding in SharedRecord::findings, with the newline.
std::string ToLine(const Finding& finding);

/// What was written whole.
std::vector<Finding> ReadFindings(const std::string& lines);

}  // namespace backplane::check_backend
