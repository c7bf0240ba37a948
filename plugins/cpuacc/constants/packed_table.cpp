#include "constants/packed_table.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {

void PackedTable::NoteIdentity(const Content& content, const Identity& identity) {
  if (identity == Identity()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  known_[content.get()] = {content, identity};
}

PackedTable::Identity PackedTable::GetIdentity(const Content& content) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Key key = GetKey(content);
  return key.first != 0 ? key : Identity();
}

PackedTable::Content PackedTable::Find(const std::vector<Content>& contents,
                                       const std::string& form,
                                       const std::function<Content()>& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Key> keys;
  for (const Content& content : contents) keys.push_back(GetKey(content));
  Made& known = made_[{keys, form}];
  bool is_of_these = known.sources.size() == keys.size();
  for (std::size_t i = 0; is_of_these && i < keys.size(); ++i) {
    is_of_these = !IsGone(keys[i], known.sources[i]);
  }
  Content content = known.content.lock();
  if (content && is_of_these) return content;
  content = make();
  known.sources.assign(contents.begin(), contents.end());
  known.content = content;
  Sweep();
  return content;
}

PackedTable::Content PackedTable::Find(const Content& constant, const dnnl::memory::desc& from,
                                       const dnnl::memory::desc& to,
                                       const std::function<Content()>& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Key key = GetKey(constant);
  for (const Packed& packed : packed_[key]) {
    if (packed.from != from || packed.to != to || IsGone(key, packed.source)) continue;
    if (Content kept = packed.content.lock()) return kept;
  }
  Content content = make();
  packed_[key].push_back({constant, from, to, content});
  Sweep();
  return content;
}

PackedTable::Key PackedTable::GetKey(const Content& content) const {
  const auto found = known_.find(content.get());
  const bool is_known = found != known_.end() && !found->second.content.expired();
  return is_known ? found->second.identity
                  : Key(0, reinterpret_cast<std::uintptr_t>(content.get()));
}

void PackedTable::Sweep() {
  constexpr std::size_t kBetween = 256;
  if (++num_added_ < kBetween) return;
  num_added_ = 0;
  for (auto place = known_.begin(); place != known_.end();) {
    place = place->second.content.expired() ? known_.erase(place) : std::next(place);
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
