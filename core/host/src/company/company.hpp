#pragma once

/// Judges backends together: each by what its file says, beside those that come before it and the
/// program that will open them.

#include "company/clash.hpp"
#include "company/process.hpp"

#include <backplane/host/load_report.hpp>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane::company {

/// When candidates are opened.
enum class OpeningOrder {
  kOfTheScan,  // each when it was judged: of two that cannot be together, the first stays
  kOfUse,      // later, in an order that nobody knows: of such two, each may come to stay
};

/// The candidates of one scan, in the order in which they would be opened.
///
/// Threads: one at a time; but for ReadAccount, any.
class Company {
 public:
  Company(HostProcess host, OpeningOrder order);

  const HostProcess& GetHost() const { return process_.GetHost(); }

  /// What the file of a candidate says. The format stage accepted it.
  std::shared_ptr<const FileAccount> ReadAccount(const inspection::ElfFile& elf,
                                                 const std::string& canonical_path) const;

  /// What speaks against opening a candidate beside those that stay; an error: it must not be.
  /// Writes down in it, and later in the others, whom it clashes with. `candidate` must stay until
  /// Admit, or the next call. Null: of a file without `account` nothing is known.
  std::vector<Diagnostic> Judge(Candidate& candidate, std::shared_ptr<const FileAccount> account,
                                FileIdentity identity);

  /// The candidate that was judged last was opened, or will be, and stays.
  void Admit();

  /// Tells the others of a report with whom each clashed that came behind them.
  void Conclude(LoadReport& report);

 private:
  struct Remark {
    ClashRecord record;
    Diagnostic diagnostic;
  };

  Diagnostic Report(const Clash& clash, Candidate& candidate);

  OpeningOrder order_;
  Process process_;
  std::vector<std::unique_ptr<ClashRule>> rules_;
  std::optional<Arrival> judged_;  // last; nothing: it brings nothing
  std::set<std::string> ids_;      // of those that stay
  std::unordered_map<std::string, std::vector<Remark>> remarks_;  // by the path of a candidate
};

}  // namespace backplane::company
