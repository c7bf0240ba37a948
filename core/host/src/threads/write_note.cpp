#include "threads/notes.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace backplane::threads {
namespace {

// Holds the lines of a signal's note: stacks of handlers are small.
SmallText signal_line;

SmallText& BeginLine(SmallText& text) {
  text.Clear();
  return text.Add("backplane: ");
}

SmallText& BeginLine(std::int32_t thread, SmallText& text) {
  return BeginLine(text).Add("thread ").AddNumber(static_cast<std::uint64_t>(thread));
}

ThreadSlot* FindSlot(PlaceTable& table, std::int32_t thread) {
  for (ThreadSlot& slot : table.slots) {
    if (slot.thread.load(std::memory_order_relaxed) == thread) return &slot;
  }
  return nullptr;
}

/// Whether an address that could not be reached lies where the stack would have grown.
bool IsBelowStack(const MachineContext& context, std::uint64_t address) {
  constexpr std::uint64_t kAbove = 4096;
  constexpr std::uint64_t kBelow = std::uint64_t{1} << 20U;
  return context.stack != 0 && address < context.stack + kAbove && address + kBelow > context.stack;
}

/// Adds what the kernel says of the cause.
SmallText& AddCause(const siginfo_t& info, const MachineContext& context, SmallText& text) {
  constexpr int kHighestSent = 0;  // SI_USER; those below were sent as well
  if (info.si_code <= kHighestSent) {
    if (info.si_pid == getpid()) return text.Add(", raised in this process");
    return text.Add(", sent by process ").AddNumber(static_cast<std::uint64_t>(info.si_pid));
  }
  if (info.si_signo == SIGSYS) {
    return text.Add(", for system call ").AddNumber(static_cast<std::uint64_t>(info.si_syscall));
  }
  const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
  text.Add(" at address 0x").AddNumber(address, 16);
  const bool is_used_up = info.si_signo == SIGSEGV && IsBelowStack(context, address);
  return text.Add(is_used_up ? ", its stack is used up" : "");
}

/// Reads memory that may not be there.
std::size_t ReadStack(std::uint64_t address, std::uint64_t* words, std::size_t num_words) {
  iovec here{words, num_words * sizeof(*words)};
  iovec there{reinterpret_cast<void*>(address), num_words * sizeof(*words)};
  const ssize_t read = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  return read > 0 ? static_cast<std::size_t>(read) / sizeof(*words) : 0;
}

/// Backends are called so.
bool IsBackend(const LibraryRange& library) {
  return std::strstr(library.name, "_backend.so") != nullptr;
}

/// The first on the stack; what lies there may be of a call that has returned.
const LibraryRange* FindCaller(const PlaceTable& table, std::uint64_t stack) {
  constexpr std::size_t kNumWords = 64;  // of one reading
  constexpr int kNumReadings = 64;
  static std::uint64_t words[kNumWords];  // stacks of handlers are small
  for (int reading = 0; reading < kNumReadings; ++reading) {
    const std::size_t num_words = ReadStack(stack, words, kNumWords);
    for (std::size_t i = 0; i < num_words; ++i) {
      const LibraryRange* library = FindLibrary(table, words[i]);
      if (library != nullptr && IsBackend(*library)) return library;
    }
    if (num_words < kNumWords) break;
    stack += sizeof(words);
  }
  return nullptr;
}

void AddLibrary(const char* how, const LibraryRange& library, SmallText& text) {
  text.Add(how).Add(library.name, strnlen(library.name, LibraryRange::kMaxNameBytes));
}

/// Adds the library whose code ran, and the backend from which it was called, as far as what lies
/// on the stack tells: `, in libc.so.6, called from Acme_Npu_backend.so`.
void AddCulprit(const PlaceTable& table, const MachineContext& context, SmallText& text) {
  const LibraryRange* library = FindLibrary(table, context.code);
  if (library != nullptr) {
    AddLibrary(", in ", *library, text);
    if (IsBackend(*library)) return;
  }
  if (context.stack == 0) return;
  const LibraryRange* caller = FindCaller(table, context.stack);
  if (caller != nullptr) AddLibrary(", called from ", *caller, text);
}

void BeginOwnLine(SmallText& text) {
  char name[16] = {};
  BeginLine(GetOwnThread(), text);
  if (prctl(PR_GET_NAME, name) != 0) return;
  text.Add(" (").Add(name, strnlen(name, sizeof(name))).Add(")");
}

/// A line for this thread.
void WriteOwnPlace(PlaceTable& table, SmallText& text) {
  ThreadSlot* const slot =
      getpid() == table.process.load() ? FindSlot(table, GetOwnThread()) : nullptr;
  BeginOwnLine(text);
  text.Add(" was ");
  if (slot != nullptr && AddPlace(table, *slot, text)) {
    slot->has_written.store(1);
  } else {
    text.Add("in no run and no call that is noted; a backend may have started it");
  }
  WriteLine(text);
}

bool IsAnyInBackend(const PlaceTable& table) {
  return std::any_of(table.slots, table.slots + PlaceTable::kNumSlots, [](const ThreadSlot& slot) {
    return slot.thread.load(std::memory_order_relaxed) != 0 &&
           slot.depth.load(std::memory_order_relaxed) != 0;
  });
}

/// A line for each thread that is in a backend, but this one.
void WriteOtherPlaces(const PlaceTable& table, SmallText& text) {
  const std::int32_t own = GetOwnThread();
  for (const ThreadSlot& slot : table.slots) {
    const std::int32_t thread = slot.thread.load(std::memory_order_relaxed);
    if (thread == 0 || thread == own) continue;
    BeginLine(thread, text).Add(" was ");
    if (!AddPlace(table, slot, text)) continue;
    WriteLine(text);
  }
}

void WriteForked(const PlaceTable& table, SmallText& text) {
  if (getpid() == table.process.load()) return;
  BeginLine(text).Add("this is a copy of the process, made by fork; the process itself:");
  WriteLine(text);
}

}  // namespace

void WriteSignalNote(const char* signal_name, const siginfo_t& info,
                     const MachineContext& context) {
  PlaceTable* const table = FindTable();
  if (table == nullptr) return;
  BeginLine(signal_line).Add(signal_name);
  AddCause(info, context, signal_line);
  AddCulprit(*table, context, signal_line);
  WriteLine(signal_line);
  WriteOwnPlace(*table, signal_line);
  WriteForked(*table, signal_line);
  WriteOtherPlaces(*table, signal_line);
}

void WriteExitNote() {
  PlaceTable* const table = FindTableInUse();
  if (table == nullptr || getpid() != table->process.load() || !IsAnyInBackend(*table)) return;
  SmallText text;
  BeginLine(text).Add(
      "the process ends by exit while threads are in backends; exit was called by this one:");
  WriteLine(text);
  WriteOwnPlace(*table, text);
  WriteOtherPlaces(*table, text);
}

}  // namespace backplane::threads
