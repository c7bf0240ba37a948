#include "constants/packed_table.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

void PackedTable::NoteOwner(const Content& owner) {
  const std::lock_guard<std::mutex> lock(mutex_);
  owners_[owner.get()] = owner;
}

PackedTable::Content PackedTable::Find(const std::vector<Content>& contents,
                                       const std::string& form,
                                       const std::function<Content()>& make) {
  std::vector<const void*> addresses;
  for (const Content& content : contents) addresses.push_back(content.get());
  const std::lock_guard<std::mutex> lock(mutex_);
  Made& known = made_[{std::move(addresses), form}];
  const bool is_of_these = std::none_of(known.sources.begin(), known.sources.end(),
                                        [](const WeakContent& source) { return source.expired(); });
  Content content = known.content.lock();
  if (content && is_of_these) return content;
  content = make();
  known.sources.clear();
  for (const Content& one : contents) known.sources.push_back(FindSource(one));
  known.content = content;
  Sweep();
  return content;
}

PackedTable::Content PackedTable::Find(const Content& constant, const dnnl::memory::desc& from,
                                       const dnnl::memory::desc& to,
                                       const std::function<Content()>& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Packed& packed : packed_[constant.get()]) {
    if (packed.from != from || packed.to != to || packed.source.expired()) continue;
    if (Content kept = packed.content.lock()) return kept;
  }
  Content content = make();
  packed_[constant.get()].push_back({FindSource(constant), from, to, content});
  Sweep();
  return content;
}

PackedTable::WeakContent PackedTable::FindSource(const Content& content) const {
  const auto found = owners_.find(content.get());
  if (found == owners_.end() || found->second.expired()) return content;
  return found->second;
}

void PackedTable::Sweep() {
  constexpr std::size_t kBetween = 256;
  if (++num_added_ < kBetween) return;
  num_added_ = 0;
  for (auto place = owners_.begin(); place != owners_.end();) {
    place = place->second.expired() ? owners_.erase(place) : std::next(place);
  }
  for (auto place = made_.begin(); place != made_.end();) {
    place = place->second.content.expired() ? made_.erase(place) : std::next(place);
  }
  for (auto place = packed_.begin(); place != packed_.end();) {
    std::vector<Packed>& all = place->second;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [](const Packed& packed) { return packed.content.expired(); }),
              all.end());
    place = all.empty() ? packed_.erase(place) : std::next(place);
  }
}

}  // namespace cpuacc
}  // namespace backplane
