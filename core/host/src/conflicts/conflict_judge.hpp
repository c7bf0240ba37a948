#pragma once

/// Judges backends together: each by what its file says, beside those that come before it and the
/// program that will open them.

#include "conflicts/clash.hpp"
#include "conflicts/pending_opening.hpp"
#include "conflicts/process.hpp"

#include <backplane/host/load_report.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane::conflicts {

/// A process as it will be, as far as one foresees it, and what the rules remember of it.
class ForeseenProcess {
 public:
  ForeseenProcess(HostProcess host, Foresight foresight);

  const Process& GetProcess() const { return process_; }

  /// How a file that arrives would clash with those that stay. `candidate` must stay until Admit.
  std::vector<Clash> Check(const Candidate& candidate, std::shared_ptr<const FileAccount> account,
                           FileIdentity identity);
  /// The file that was checked last. [after Check]
  const Arrival& GetArrival() const { return *arrival_; }
  /// The file that was checked last stays.
  void Admit();

 private:
  Process process_;
  std::vector<std::unique_ptr<ClashRule>> rules_;
  std::optional<Arrival> arrival_;
};

/// When candidates are opened.
enum class OpeningOrder {
  kOfTheScan,  // each when it was judged: of two that cannot be together, the first stays
  kOfUse,      // later, in an order that nobody knows: of such two, each may come to stay
};

/// The candidates of one scan, in the order in which they would be opened.
///
/// Threads: one at a time; but for ReadAccount, any.
class ConflictJudge {
 public:
  ConflictJudge(HostProcess host, OpeningOrder order);

  const HostProcess& GetHost() const { return certain_.GetProcess().GetHost(); }

  /// What the file of a candidate says. The format stage accepted it.
  std::shared_ptr<const FileAccount> ReadAccount(const elf::File& elf,
                                                 const std::string& canonical_path) const;

  /// What speaks against opening a candidate beside those that stay; an error: it must not be.
  /// Writes down in it, and later in the others, whom it clashes with. `candidate` must stay until
  /// Admit, or the next call. Null: of a file without `account` nothing is known.
  std::vector<Diagnostic> Judge(Candidate& candidate, std::shared_ptr<const FileAccount> account,
                                FileIdentity identity);

  /// As Judge, of one that is opened next if nothing speaks against it, in this process: also
  /// beside what others opened since this scan began, or are about to open.
  std::vector<Diagnostic> JudgeToOpen(Candidate& candidate, const PendingOpening& opening);

  /// The candidate that was judged last was opened, or will be, and stays.
  void Admit();

  /// Tells the others of a report with whom each clashed that came behind them.
  void Conclude(LoadReport& report);

 private:
  struct Remark {
    ClashRecord record;
    Diagnostic diagnostic;
  };

  /// A candidate that stays.
  struct Stay {
    Candidate candidate;  // as far as rules look at it
    OpeningFile file;
  };

  std::vector<Clash> CheckPossible();
  Diagnostic Report(const Clash& clash, Candidate& candidate);
  /// Whether others opened files that were not judged here.
  bool HasMissed(const PendingOpening& opening);

  OpeningOrder order_;
  std::uint64_t num_known_openings_;  // that had ended, the first in this process counted first
  ForeseenProcess certain_;
  std::optional<ForeseenProcess> possible_;  // nothing: the same, as far as was judged
  const Candidate* judged_ = nullptr;        // last; null: it brings nothing
  OpeningFile judged_file_;
  std::vector<Stay> stays_;
  std::set<std::string> ids_;                                     // of those that stay
  std::unordered_map<std::string, std::vector<Remark>> remarks_;  // by the path of a candidate
};

}  // namespace backplane::conflicts
