#include "crash_notes/write_note.hpp"

#include "crash_notes/culprit.hpp"
#include "crash_notes/note_outputs.hpp"
#include "thread_places/own_thread.hpp"
#include "thread_places/place_table.hpp"
#include "thread_places/place_text.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace backplane::crash_notes {
namespace {

using thread_places::PlaceTable;
using thread_places::SmallText;
using thread_places::ThreadSlot;

// Holds the lines of a signal's note: stacks of handlers are small.
SmallText signal_line;

void BeginLine(SmallText& text) {
  text.Clear();
  text.Add("backplane: ");
}

ThreadSlot* FindSlot(PlaceTable& table, std::int32_t thread) {
  for (ThreadSlot& slot : table.slots) {
    if (slot.thread.load(std::memory_order_relaxed) == thread) return &slot;
  }
  return nullptr;
}

/// sigabbrev_np need not be safe here.
const char* GetName(int signal) {
  static constexpr std::pair<int, const char*> kNames[] = {
      {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"}, {SIGFPE, "SIGFPE"},
      {SIGABRT, "SIGABRT"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"}};
  for (const auto& [number, name] : kNames) {
    if (number == signal) return name;
  }
  return "a signal";
}

/// What the kernel says of the cause.
void AddCause(int signal, const siginfo_t& info, const MachineContext& context, SmallText& text) {
  constexpr int kHighestSent = 0;  // SI_USER; those below were sent as well
  if (info.si_code <= kHighestSent) {
    if (info.si_pid == getpid()) return text.Add(", raised in this process");
    text.Add(", sent by process ");
    return text.AddNumber(static_cast<std::uint64_t>(info.si_pid));
  }
  if (signal == SIGSYS) {
    text.Add(", for system call ");
    return text.AddNumber(static_cast<std::uint64_t>(info.si_syscall));
  }
  const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
  text.Add(" at address ");
  text.AddAddress(address);
  if (signal == SIGSEGV && IsBelowStack(context, address)) text.Add(", its stack is used up");
}

void AddThread(std::int32_t thread, SmallText& text) {
  text.Add("thread ");
  text.AddNumber(static_cast<std::uint64_t>(thread));
}

/// The one that calls.
void AddOwnThread(SmallText& text) {
  char name[16] = {};
  AddThread(thread_places::GetOwnThread(), text);
  if (prctl(PR_GET_NAME, name) != 0) return;
  text.Add(" (");
  text.Add(name, static_cast<std::size_t>(std::find(name, name + sizeof(name), '\0') - name));
  text.Add(")");
}

/// A line for this thread; true when it is in a backend.
bool WriteOwnPlace(PlaceTable& table, SmallText& text) {
  ThreadSlot* const slot =
      getpid() == table.process.load() ? FindSlot(table, thread_places::GetOwnThread()) : nullptr;
  BeginLine(text);
  AddOwnThread(text);
  text.Add(" was ");
  const bool is_in_backend = slot != nullptr && AddPlace(table, *slot, text);
  if (is_in_backend) slot->has_written.store(1);
  if (!is_in_backend)
    text.Add("in no run and no call that is noted; a backend may have started it");
  text.EndLine();
  WriteToOutputs(text);
  return is_in_backend;
}

bool IsAnyInBackend(const PlaceTable& table) {
  return std::any_of(table.slots, table.slots + PlaceTable::kNumSlots, [](const ThreadSlot& slot) {
    return slot.thread.load(std::memory_order_relaxed) != 0 &&
           slot.depth.load(std::memory_order_relaxed) != 0;
  });
}

/// A line for each thread that is in a backend, but this one.
void WriteOtherPlaces(const PlaceTable& table, SmallText& text) {
  const std::int32_t own = thread_places::GetOwnThread();
  for (const ThreadSlot& slot : table.slots) {
    const std::int32_t thread = slot.thread.load(std::memory_order_relaxed);
    if (thread == 0 || thread == own) continue;
    BeginLine(text);
    AddThread(thread, text);
    text.Add(" was ");
    if (!AddPlace(table, slot, text)) continue;
    text.EndLine();
    WriteToOutputs(text);
  }
}

void WriteForked(const PlaceTable& table, SmallText& text) {
  if (getpid() == table.process.load()) return;
  BeginLine(text);
  text.Add("this is a copy of the process, made by fork; the process itself:");
  text.EndLine();
  WriteToOutputs(text);
}

void WriteDeath(const PlaceTable& table, int signal, const siginfo_t& info,
                const MachineContext& machine, SmallText& text) {
  BeginLine(text);
  text.Add(GetName(signal));
  AddCause(signal, info, machine, text);
  AddCulprit(table, machine, text);
  text.EndLine();
  WriteToOutputs(text);
}

}  // namespace

void WriteSignalNote(int signal, const siginfo_t& info, const ucontext_t& context) {
  PlaceTable* const table = thread_places::FindTable();
  if (table == nullptr) return;
  WriteDeath(*table, signal, info, ReadContext(context), signal_line);
  WriteOwnPlace(*table, signal_line);
  WriteForked(*table, signal_line);
  WriteOtherPlaces(*table, signal_line);
}

void WriteExitNote() {
  PlaceTable* const table = thread_places::FindTable();
  if (table == nullptr || getpid() != table->process.load() || !IsAnyInBackend(*table)) return;
  SmallText text;
  BeginLine(text);
  text.Add("the process ends by exit while threads are in backends; exit was called by this one:");
  text.EndLine();
  WriteToOutputs(text);
  WriteOwnPlace(*table, text);
  WriteOtherPlaces(*table, text);
}

}  // namespace backplane::crash_notes
