#include "backend/host_table.hpp"

#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

namespace backplane::backend {
namespace {

// The functions tell backends apart that use the same key.
using Key = std::tuple<std::uint64_t, std::uint64_t, std::string, void (*)(void*)>;

struct Entry {
  std::mutex mutex;  // held while it is made
  std::weak_ptr<const void> content;
  std::uint64_t num_bytes = 0;
};

struct Shares {
  std::mutex mutex;
  std::map<Key, std::shared_ptr<Entry>> entries;
};

Shares& GetShares() {
  static auto* const shares = new Shares;  // what shares it may end after static objects
  return *shares;
}

}  // namespace

PackedShare SharePacked(const bp_packed_args& args, bp_error* error) {
  std::shared_ptr<Entry> entry;
  {
    Shares& shares = GetShares();
    const std::lock_guard<std::mutex> lock(shares.mutex);
    auto& found = shares.entries[{args.identity[0], args.identity[1], args.key, args.destroy}];
    if (!found) found = std::make_shared<Entry>();
    entry = found;
  }
  const std::lock_guard<std::mutex> lock(entry->mutex);
  PackedShare share;
  share.content = entry->content.lock();
  if (!share.content) {
    void* packed = nullptr;
    share.status = static_cast<Status>(args.make(args.data, &packed, &entry->num_bytes, error));
    if (share.status != Status::kSuccess) return share;
    share.content = std::shared_ptr<const void>(
        packed, [destroy = args.destroy](const void* data) { destroy(const_cast<void*>(data)); });
    entry->content = share.content;
  }
  share.num_bytes = entry->num_bytes;
  return share;
}

}  // namespace backplane::backend
