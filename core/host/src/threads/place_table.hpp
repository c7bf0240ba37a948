#pragma once

/// Places of threads, as they lie in memory and as words.

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace backplane::threads {

/// The kinds of frames on a thread's stack of places.
enum class FrameKind : std::uint32_t { kNone, kRun, kCall };

/// One place of a thread, inside of the one before. All that one thread writes and others read is
/// atomic. Offsets are from the begin of the table; 0 is none.
struct Frame {
  static constexpr std::size_t kNumWords = 30;
  static constexpr std::size_t kMaxTextBytes = kNumWords * sizeof(std::uint64_t);

  std::atomic<FrameKind> kind;
  std::atomic<std::uint32_t> network;           // kRun: offset of its NetworkBlock
  std::atomic<std::uint32_t> cell;              // kRun: offset of its StepCell
  std::atomic<std::uint32_t> binding;           // kRun: 1 and the index of a binding; 0: at none
  std::atomic<std::uint64_t> words[kNumWords];  // kCall: the text, ended by a zero
};

/// The places of one thread.
struct alignas(64) ThreadSlot {
  static constexpr std::uint32_t kMaxDepth = 4;

  std::atomic<std::int32_t> thread;  // 0: the slot is free
  std::atomic<std::uint32_t> depth;
  std::atomic<std::uint32_t> has_written;
  Frame frames[kMaxDepth];
};

/// The words of one network. Its texts follow, each ended by a zero: of the network, of its steps,
/// of its bindings.
struct NetworkBlock {
  std::uint32_t size_bytes;  // with the texts
  std::uint32_t num_steps;
};

/// Where the code of a library or of the program lies.
struct LibraryRange {
  static constexpr std::size_t kMaxNameBytes = 112;

  std::uint64_t begin;
  std::uint64_t end;
  char name[kMaxNameBytes];
};

struct LibraryList {
  static constexpr std::uint32_t kMaxLibraries = 512;

  std::uint32_t size;
  LibraryRange ranges[kMaxLibraries];
};

/// All of it: one piece of memory that stays where it is until the process ends. A backend may
/// overwrite it; readers take nothing in it for granted.
struct PlaceTable {
  static constexpr std::uint32_t kNumSlots = 1024;
  static constexpr std::size_t kRoomBytes = std::size_t{32} << 20U;  // taken when it is used

  std::atomic<std::int32_t> process;     // whose threads these are
  std::atomic<std::uint32_t> num_on;     // how often crash notes were turned on
  std::atomic<std::uint32_t> libraries;  // which of the two lists holds
  std::atomic<std::uint32_t> is_shared;  // with processes that were forked
  LibraryList lists[2];
  ThreadSlot slots[kNumSlots];
  alignas(64) unsigned char room[kRoomBytes];
};

/// Null: crash notes were never on in this process. [async-signal-safe]
PlaceTable* FindTable();

/// Null: crash notes are off. [async-signal-safe]
PlaceTable* FindTableInUse();

/// Null: there is no memory for it.
PlaceTable* FindOrMakeTable();

/// Makes one that forked processes share.
/// Null: there is one already, or no memory for it.
PlaceTable* MakeSharedTable();

/// The id of the calling thread in the system. [async-signal-safe]
inline std::int32_t GetOwnThread() {
  return static_cast<std::int32_t>(syscall(SYS_gettid));
}

/// The slot of this thread, taken at the first call and given back when the thread ends. With it
/// the thread gets a stack for handlers of signals, unless it has one.
/// Null: no table, no free slot, a thread that ends, or a process that was forked from the one
/// whose table it shares.
ThreadSlot* GetOwnSlot();

/// The library or program in which an address lies, as NoteLibraries saw it last.
/// Null: it lies in none. [async-signal-safe]
const LibraryRange* FindLibrary(const PlaceTable& table, std::uint64_t address);

/// Room in the table, at a cache line of its own.
/// Null: there is none, or no table.
std::shared_ptr<void> AllocateRoom(std::size_t size_bytes);

/// The place of an address in the table; 0 for null.
std::uint32_t ToOffset(const PlaceTable& table, const void* address);

/// An object of the table, if all of it lies there.
/// Null: it does not.
template <typename Object>
const Object* FindAt(const PlaceTable& table, std::uint32_t offset) {
  const bool is_inside = offset >= offsetof(PlaceTable, room) && offset % alignof(Object) == 0 &&
                         offset <= sizeof(PlaceTable) - sizeof(Object);
  return is_inside ? reinterpret_cast<const Object*>(
                         reinterpret_cast<const unsigned char*>(&table) + offset)
                   : nullptr;
}

/// Text in a buffer of its own; what does not fit is left out. Every function of it may be called
/// in a handler of a signal.
class SmallText {
 public:
  static constexpr std::size_t kMaxBytes = 1024;

  void Clear() { size_ = 0; }
  SmallText& Add(const char* text) { return Add(text, std::strlen(text)); }
  /// Control characters become '?'.
  SmallText& Add(const char* text, std::size_t size_bytes);
  SmallText& AddNumber(std::uint64_t number, int base = 10);
  /// There is always room for it.
  void EndLine();

  std::string_view Get() const { return {data_, size_}; }

 private:
  char data_[kMaxBytes] = {};
  std::size_t size_ = 0;
};

/// Adds where a thread is: `in layer "a" (Activation) of network "n" on backend "X"`.
/// Errors: false when it is in none; nothing is added then. [async-signal-safe]
bool AddPlace(const PlaceTable& table, const ThreadSlot& slot, SmallText& text);

}  // namespace backplane::threads
