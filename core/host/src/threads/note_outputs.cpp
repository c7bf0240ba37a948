#include "threads/notes.hpp"

#include "wire/file_descriptor.hpp"

#include <backplane/host/diagnostic.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace backplane::threads {
namespace {

/// A descriptor, and the file that it leads to: a backend may have closed it, and another file may
/// have its number now.
struct KeptFile {
  std::atomic<bool> is_taken{false};
  std::atomic<int> descriptor{-1};
  std::atomic<dev_t> device{0};
  std::atomic<ino_t> inode{0};

  bool IsSameAs(const KeptFile& other) const {
    return device.load() == other.device.load() && inode.load() == other.inode.load();
  }
  bool IsThere() const {
    struct stat found {};
    const int number = descriptor.load(std::memory_order_acquire);
    return number >= 0 && fstat(number, &found) == 0 && found.st_dev == device.load() &&
           found.st_ino == inode.load();
  }
};

constexpr int kMaxFiles = 16;
KeptFile kept_files[kMaxFiles];
KeptFile kept_error;

[[noreturn]] void ThrowUnwritable(const std::string& path, const std::string& why) {
  throw DiagnosticException(
      {DiagnosticCode::kCrashFileUnwritable,
       Severity::kError,
       {SubjectKind::kFile, path},
       "the file for crash notes, " + path + ", cannot be written",
       why,
       "give the absolute path of a file that this process may write, in a directory that exists"});
}

/// Far from where backends close descriptors.
int MoveFarAway(int descriptor) {
  for (const int least : {800, 100}) {
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
    if (moved < 0) continue;
    close(descriptor);
    return moved;
  }
  return descriptor;
}

void Keep(int descriptor, KeptFile& file) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0) return;
  file.device.store(found.st_dev);
  file.inode.store(found.st_ino);
  file.descriptor.store(descriptor, std::memory_order_release);
}

int FindFreePlace() {
  for (int place = 0; place < kMaxFiles; ++place) {
    if (!kept_files[place].is_taken.exchange(true)) return place;
  }
  return -1;
}

/// Keeps the signals that writing raises, where nobody reads or the file is as large as it may be,
/// from ending the process before its time.
class WithoutSignalsOfWriting {
 public:
  WithoutSignalsOfWriting() {
    sigset_t pending;
    sigpending(&pending);
    sigemptyset(&raised_);
    sigemptyset(&blocked_);
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
      sigaddset(&blocked_, signal);
      if (sigismember(&pending, signal) == 0) sigaddset(&raised_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &blocked_, &former_);
  }
  ~WithoutSignalsOfWriting() {
    constexpr timespec kAtOnce{};
    while (sigtimedwait(&raised_, nullptr, &kAtOnce) > 0) continue;
    pthread_sigmask(SIG_SETMASK, &former_, nullptr);
  }
  WithoutSignalsOfWriting(const WithoutSignalsOfWriting&) = delete;
  WithoutSignalsOfWriting& operator=(const WithoutSignalsOfWriting&) = delete;

 private:
  sigset_t blocked_;
  sigset_t raised_;  // those that were not pending before
  sigset_t former_;
};

bool IsWrittenBefore(int place) {
  return std::any_of(kept_files, kept_files + place, [place](const KeptFile& earlier) {
    return earlier.IsThere() && earlier.IsSameAs(kept_files[place]);
  });
}

}  // namespace

NoteFile::NoteFile(const std::string& path) {
  if (path.empty()) return;
  if (path.front() != '/') ThrowUnwritable(path, "found a relative path; expected an absolute one");
  const int opened = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0644);
  if (opened < 0) ThrowUnwritable(path, std::string("opening it failed: ") + std::strerror(errno));
  place_ = FindFreePlace();
  if (place_ < 0) {
    close(opened);
    ThrowUnwritable(path, "found " + std::to_string(kMaxFiles) +
                              " files for crash notes in this process; expected fewer");
  }
  Keep(MoveFarAway(opened), kept_files[place_]);
}

NoteFile::~NoteFile() {
  if (place_ < 0) return;
  KeptFile& file = kept_files[place_];
  const bool is_there = file.IsThere();
  const int descriptor = file.descriptor.exchange(-1);
  if (is_there) close(descriptor);
  file.is_taken.store(false);
}

void KeepStandardError() {
  const int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
  if (copy < 0) return;
  const int former = kept_error.IsThere() ? kept_error.descriptor.load() : -1;
  Keep(copy, kept_error);
  if (former >= 0) close(former);
}

void WriteLine(SmallText& line) {
  line.EndLine();
  const WithoutSignalsOfWriting scope;
  const bool is_written = wire::WriteAll(STDERR_FILENO, line.Get());
  if (!is_written && kept_error.IsThere()) {
    wire::WriteAll(kept_error.descriptor.load(), line.Get());
  }
  for (int place = 0; place < kMaxFiles; ++place) {
    if (!kept_files[place].IsThere() || IsWrittenBefore(place)) continue;
    wire::WriteAll(kept_files[place].descriptor.load(), line.Get());
  }
}

}  // namespace backplane::threads
