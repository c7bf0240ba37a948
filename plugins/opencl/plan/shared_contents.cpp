#include "plan/shared_contents.hpp"

namespace backplane {
namespace opencl {

std::shared_ptr<const Bytes> SharedContents::Find(const ConstTensor& constant,
                                                  const std::string& form,
                                                  const std::function<Bytes()>& make) {
  if (constant.identity[0] == 0 && constant.identity[1] == 0) {
    return std::make_shared<const Bytes>(make());
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  std::weak_ptr<const Bytes>& known = known_[{constant.identity[0], constant.identity[1], form}];
  if (auto content = known.lock()) return content;
  auto content = std::make_shared<const Bytes>(make());
  known = content;
  if (++num_added_ < known_.size() / 2) return content;
  num_added_ = 0;
  for (auto one = known_.begin(); one != known_.end();) {
    one = one->second.expired() ? known_.erase(one) : std::next(one);
  }
  return content;
}

}  // namespace opencl
}  // namespace backplane
