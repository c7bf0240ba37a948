#pragma once

/// Work on several candidates at once, before they are taken in order.

#include "scanning/scan_plan.hpp"
#include "spawn/processor_slots.hpp"

#include <backplane/host/scan.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::scanning {

class CandidateChecker;
struct Examination;

/// A piece of work that does not depend on others. It holds the slot of a processor.
using Task = std::function<void(spawn::HeldSlot& slot)>;

/// Does all of them, one for each processor at a time, and more while some of them sleep; returns
/// when all are done. What one throws, as memory that is refused, ends that one alone, silently.
void RunAhead(const std::vector<Task>& tasks);

/// Tells who scans which file is looked at. Threads: any.
class StepTeller {
 public:
  explicit StepTeller(const ScanOptions& options) : options_(options) {}

  /// Begins to count anew.
  void Begin(ScanDeed deed, std::size_t count) {
    const std::lock_guard<std::mutex> lock(mutex_);
    step_ = {deed, 0, count, {}};
  }
  void Tell(const std::string& path) {
    if (!options_.on_step) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    ++step_.number;
    step_.path = path;
    options_.on_step(step_);
  }

 private:
  const ScanOptions& options_;
  std::mutex mutex_;
  ScanStep step_;
};

/// Opens, reads and closes the first file of each family, with a few threads when there are many
/// files. One that several names lead to is read by one of them and opened by the others. For each
/// step of the plan, null where nothing was done; no step at all when one thread would do it, which
/// is then as well done when it is needed.
std::vector<std::unique_ptr<Examination>> ReadAhead(const ScanPlan& plan,
                                                    const CandidateChecker& checker,
                                                    StepTeller& steps);

}  // namespace backplane::scanning
