#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>

namespace backplane {
namespace opencl {

/// Keeps a value for each key, as long as somebody has it.
///
/// Threads: any.
template <typename Key, typename Value, typename Less = std::less<Key>>
class WeakTable {
 public:
  /// Gives the value of the key; `make` makes it when there is none.
  std::shared_ptr<Value> Find(const Key& key, const std::function<std::shared_ptr<Value>()>& make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::weak_ptr<Value>& known = known_[key];
    if (auto value = known.lock()) return value;
    auto value = make();
    known = value;
    if (++num_added_ >= known_.size() / 2) ForgetGone();
    return value;
  }

 private:
  void ForgetGone() {
    num_added_ = 0;
    for (auto one = known_.begin(); one != known_.end();) {
      one = one->second.expired() ? known_.erase(one) : std::next(one);
    }
  }

  std::mutex mutex_;
  std::map<Key, std::weak_ptr<Value>, Less> known_;
  std::size_t num_added_ = 0;  // since those that have gone were forgotten
};

}  // namespace opencl
}  // namespace backplane
