#pragma once

/// What the functions of a lying backend share: its lies, its objects, and how it fails.

#include "table_lies.hpp"

#include <backplane/c/backend.h>

#include <cstdlib>
#include <cstring>

// Each is known by its address.
struct LyingObject {
  const char* sort;
};
struct bp_instance : LyingObject {};
struct bp_context : LyingObject {};
struct bp_model : LyingObject {};
struct bp_compiled : LyingObject {};
struct bp_builder : LyingObject {};
struct bp_loaded : LyingObject {};
struct bp_workload : LyingObject {};
struct bp_state : LyingObject {};
struct bp_profiler : LyingObject {
  bp_sink* sink;
};

namespace backplane::fuzz {

/// Those that are told now. Not null once SetLies was called.
const TableLies& GetLies();
/// No object of a backend may be alive.
void SetLies(std::uint64_t seed);

/// Ends the process, and says what the host did that it may not, whatever it was told: also in the
/// file that BACKPLANE_TABLE_COMPLAINTS names.
[[noreturn]] void Complain(const char* what, const char* sort);

/// From here on the host owns an object, until it gives it back.
void Hand(const void* object, const char* sort);
/// Complains of what the host does not own.
void TakeBack(const void* object, const char* sort);
/// Complains of objects that the host still owns.
void ExpectNothingLeft();

template <typename Object>
void Free(Object* object, const char* sort) {
  TakeBack(object, sort);
  delete object;
}

/// What `function` returns: success, but for a lie. A failure is said with words, or with none.
bp_status Finish(TableLie function, const bp_host* host, bp_error* error);

/// The same for a function that gives an object. One that fails gives an address that is none; one
/// with the lie `none` succeeds with null.
template <typename Object>
bp_status Give(TableLie function, TableLie none, const char* sort, const bp_host* host,
               Object** given, bp_error* error) {
  const bp_status status = Finish(function, host, error);
  if (status != BP_STATUS_SUCCESS) {
    *given = reinterpret_cast<Object*>(std::uintptr_t{64});
    return status;
  }
  if (GetLies().Tells(none)) return status;
  *given = new Object;
  (*given)->sort = sort;
  Hand(*given, sort);
  return status;
}

/// A copy of a struct or a list with much behind it that is 0, so that the host may read what it is
/// told is there.
template <typename Item>
class Room {
 public:
  explicit Room(const Item& item) : Room(&item, 1) {}
  Room(const Item* items, std::size_t count)
      : items_(static_cast<Item*>(std::calloc(1, kNumBytes))) {
    std::memcpy(static_cast<void*>(items_), items, count * sizeof(Item));
  }
  ~Room() { std::free(items_); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  Item* operator->() const { return items_; }
  Item* Get() const { return items_; }

 private:
  static constexpr std::size_t kNumBytes = std::size_t{2} << 20U;
  Item* items_;
};

/// A struct of backend.h with its size, all else 0.
template <typename Struct>
Struct MakeStruct() {
  Struct made{};
  made.size_bytes = sizeof made;
  return made;
}

}  // namespace backplane::fuzz
