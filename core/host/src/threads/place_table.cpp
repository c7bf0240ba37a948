#include "threads/place_table.hpp"

#include <sys/mman.h>

#include <map>
#include <mutex>

namespace backplane::threads {
namespace {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(sizeof(PlaceTable) < ~std::uint32_t{0}, "offsets have 32 bits");

std::atomic<PlaceTable*> the_table{nullptr};

/// The parts of the room that are given away. Never destroyed: a thread may end after all else.
struct Room {
  std::mutex mutex;
  std::map<std::size_t, std::size_t> taken;  // size by begin
};

Room& GetRoom() {
  static auto* const room = new Room;
  return *room;
}

/// The memory is zero, which is what an empty table is.
PlaceTable* MakeTable(int sharing) {
  void* const memory = mmap(nullptr, sizeof(PlaceTable), PROT_READ | PROT_WRITE,
                            sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const made = static_cast<PlaceTable*>(memory);
  made->is_shared.store(sharing == MAP_SHARED ? 1 : 0);
  the_table.store(made, std::memory_order_release);
  return made;
}

/// The first gap that is large enough; kRoomBytes when there is none.
std::size_t FindGap(const Room& room, std::size_t size_bytes) {
  std::size_t begin = 0;
  for (const auto& [taken, taken_bytes] : room.taken) {
    if (taken - begin >= size_bytes) return begin;
    begin = taken + taken_bytes;
  }
  return PlaceTable::kRoomBytes - begin >= size_bytes ? begin : PlaceTable::kRoomBytes;
}

}  // namespace

PlaceTable* FindTable() {
  return the_table.load(std::memory_order_acquire);
}

PlaceTable* FindTableInUse() {
  PlaceTable* const table = FindTable();
  return table != nullptr && table->num_on.load(std::memory_order_relaxed) != 0 ? table : nullptr;
}

PlaceTable* FindOrMakeTable() {
  const std::lock_guard<std::mutex> lock(GetRoom().mutex);
  PlaceTable* const found = FindTable();
  return found != nullptr ? found : MakeTable(MAP_PRIVATE);
}

PlaceTable* MakeSharedTable() {
  const std::lock_guard<std::mutex> lock(GetRoom().mutex);
  return FindTable() == nullptr ? MakeTable(MAP_SHARED) : nullptr;
}

std::shared_ptr<void> AllocateRoom(std::size_t size_bytes) {
  constexpr std::size_t kLineBytes = 64;
  PlaceTable* const table = FindTable();
  if (table == nullptr || size_bytes == 0 || size_bytes > PlaceTable::kRoomBytes) return nullptr;
  const std::size_t whole_bytes = (size_bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
  Room& room = GetRoom();
  const std::lock_guard<std::mutex> lock(room.mutex);
  const std::size_t begin = FindGap(room, whole_bytes);
  if (begin == PlaceTable::kRoomBytes) return nullptr;
  room.taken.emplace(begin, whole_bytes);
  const auto give_back = [&room, begin](void* /*memory*/) {
    const std::lock_guard<std::mutex> lock_again(room.mutex);
    room.taken.erase(begin);
  };
  return {table->room + begin, give_back};
}

std::uint32_t ToOffset(const PlaceTable& table, const void* address) {
  if (address == nullptr) return 0;
  return static_cast<std::uint32_t>(static_cast<const unsigned char*>(address) -
                                    reinterpret_cast<const unsigned char*>(&table));
}

}  // namespace backplane::threads
