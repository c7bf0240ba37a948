#include <backplane/host/crash_notes.hpp>

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/system_refusal.hpp>
#include <backplane/host/thread_places.hpp>

#include "threads/notes.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace backplane {
namespace {

using threads::PlaceTable;
using threads::SmallText;
using threads::ThreadSlot;

std::mutex notes_mutex;

[[noreturn]] void ThrowNoTable() {
  Diagnostic diagnostic = DescribeOutOfMemory("crash notes cannot be turned on");
  diagnostic.why = "the places of threads take " + std::to_string(sizeof(PlaceTable)) +
                   " bytes of addresses; " + diagnostic.why;
  diagnostic.fix += ", or leave crash notes off";
  throw DiagnosticException(std::move(diagnostic));
}

void FollowExit() {
  static const bool kIsFollowed =
      std::atexit(&threads::WriteExitNote) == 0 && at_quick_exit(&threads::WriteExitNote) == 0;
  static_cast<void>(kIsFollowed);
}

/// One user who has the notes turned on.
class HandlerRegistration {
 public:
  explicit HandlerRegistration(const CrashNotes& notes) : file_(notes.file) {
    const std::lock_guard<std::mutex> lock(notes_mutex);
    PlaceTable* const table = threads::FindOrMakeTable();
    if (table == nullptr) ThrowNoTable();
    table->process.store(getpid());
    threads::KeepStandardError();
    FollowExit();
    threads::InstallHandlers();
    table->num_on.fetch_add(1);
  }
  ~HandlerRegistration() {
    const std::lock_guard<std::mutex> lock(notes_mutex);
    if (threads::FindTable()->num_on.fetch_sub(1) == 1) threads::RestoreHandlers();
  }
  HandlerRegistration(const HandlerRegistration&) = delete;
  HandlerRegistration& operator=(const HandlerRegistration&) = delete;

 private:
  threads::NoteFile file_;
};

}  // namespace

std::shared_ptr<void> TurnOnCrashNotes(const CrashNotes& notes) {
  auto use = std::make_shared<HandlerRegistration>(notes);
  // The thread that turns them on gets its stack for handlers, whatever it does before a backend.
  static_cast<void>(threads::GetOwnSlot());
  NoteLibraries();
  return use;
}

bool ShareThreadPlaces() {
  return threads::MakeSharedTable() != nullptr;
}

std::vector<ThreadPlace> GetThreadPlaces() {
  std::vector<ThreadPlace> places;
  const PlaceTable* const table = threads::FindTable();
  if (table == nullptr) return places;
  for (const ThreadSlot& slot : table->slots) {
    const std::int32_t thread = slot.thread.load(std::memory_order_relaxed);
    SmallText text;
    if (thread == 0 || !AddPlace(*table, slot, text)) continue;
    places.push_back({thread, slot.has_written.load() != 0, std::string(text.Get())});
  }
  std::stable_partition(places.begin(), places.end(),
                        [](const ThreadPlace& place) { return place.has_written; });
  return places;
}

}  // namespace backplane
