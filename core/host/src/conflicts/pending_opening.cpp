#include "conflicts/pending_opening.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace backplane::conflicts {
namespace {

/// Of the whole process, as what the loader has is.
struct AllPending {
  std::mutex mutex;  // not held while anything else is called
  std::vector<const PendingOpening*> openings;
  std::uint64_t num_ended = 0;
};

/// Never destroyed: threads may open files until the process is gone.
AllPending& GetAll() {
  static AllPending& all = *new AllPending;
  return all;
}

}  // namespace

PendingOpening::PendingOpening(OpeningFile file) : file_(std::move(file)) {
  AllPending& all = GetAll();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const PendingOpening* other : all.openings) others_.push_back(other->file_);
  num_ended_before_ = all.num_ended;
  all.openings.push_back(this);
}

PendingOpening::~PendingOpening() {
  AllPending& all = GetAll();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.openings.erase(std::find(all.openings.begin(), all.openings.end(), this));
  ++all.num_ended;
}

std::uint64_t PendingOpening::CountEnded() {
  AllPending& all = GetAll();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return all.num_ended;
}

}  // namespace backplane::conflicts
