#include "crash_notes/culprit.hpp"

#include "thread_places/libraries.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

namespace backplane::crash_notes {
namespace {

using thread_places::LibraryRange;
using thread_places::PlaceTable;

/// Of memory that may not be there.
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

void AddName(const LibraryRange& library, thread_places::SmallText& text) {
  text.Add(library.name, strnlen(library.name, LibraryRange::kMaxNameBytes));
}

}  // namespace

void AddCulprit(const PlaceTable& table, const MachineContext& context,
                thread_places::SmallText& text) {
  const LibraryRange* library = FindLibrary(table, context.code);
  if (library != nullptr) {
    text.Add(", in ");
    AddName(*library, text);
    if (IsBackend(*library)) return;
  }
  if (context.stack == 0) return;
  const LibraryRange* caller = FindCaller(table, context.stack);
  if (caller == nullptr) return;
  text.Add(", called from ");
  AddName(*caller, text);
}

bool IsBelowStack(const MachineContext& context, std::uint64_t address) {
  constexpr std::uint64_t kAbove = 4096;
  constexpr std::uint64_t kBelow = std::uint64_t{1} << 20U;
  return context.stack != 0 && address < context.stack + kAbove && address + kBelow > context.stack;
}

}  // namespace backplane::crash_notes
