#pragma once

#include "conflicts/process.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane::conflicts {

/// A file that this process will have open when nothing speaks against it.
struct OpeningFile {
  std::string path;
  std::shared_ptr<const FileAccount> account;  // null: nothing is known of it
  FileIdentity identity;
};

/// Says that a thread is about to open a file: from before it is judged until it is open, or will
/// not be. Of two threads that open files at once, the one that says so later judges its own beside
/// that of the other. Nobody waits: the loader runs constructors with its own lock held, and they
/// may do anything, so that a lock around it could stop for ever.
///
/// Threads: any.
class PendingOpening {
 public:
  explicit PendingOpening(OpeningFile file);
  ~PendingOpening();
  PendingOpening(const PendingOpening&) = delete;
  PendingOpening& operator=(const PendingOpening&) = delete;

  const OpeningFile& GetFile() const { return file_; }

  /// What was pending when this one began.
  const std::vector<OpeningFile>& GetOthers() const { return others_; }

  /// How many had ended when this one began.
  std::uint64_t GetNumEndedBefore() const { return num_ended_before_; }

  /// How many have ended in this process.
  static std::uint64_t CountEnded();

 private:
  const OpeningFile file_;
  std::vector<OpeningFile> others_;
  std::uint64_t num_ended_before_ = 0;
};

}  // namespace backplane::conflicts
