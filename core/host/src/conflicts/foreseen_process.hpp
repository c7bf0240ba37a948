#pragma once

#include "conflicts/clash.hpp"
#include "conflicts/process.hpp"

#include <memory>
#include <optional>
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
  /// What was checked last. [after Check]
  const Arrival& GetArrival() const { return *arrival_; }
  /// What was checked last stays.
  void Admit();

 private:
  Process process_;
  std::vector<std::unique_ptr<ClashRule>> rules_;
  std::optional<Arrival> arrival_;
};

}  // namespace backplane::conflicts
