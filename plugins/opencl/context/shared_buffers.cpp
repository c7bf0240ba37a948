#include "context/shared_buffers.hpp"

#include <iterator>

namespace backplane {
namespace opencl {

Owned<cl_mem> SharedBuffers::Find(const std::shared_ptr<const Bytes>& content,
                                  const std::function<Owned<cl_mem>()>& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Known& known = known_[content.get()];
  Owned<cl_mem> buffer = known.content.lock() == content ? known.buffer.lock() : nullptr;
  if (buffer != nullptr) return buffer;
  buffer = make();
  known = {content, buffer};
  if (++num_added_ < known_.size() / 2) return buffer;
  num_added_ = 0;
  for (auto one = known_.begin(); one != known_.end();) {
    one = one->second.buffer.expired() ? known_.erase(one) : std::next(one);
  }
  return buffer;
}

}  // namespace opencl
}  // namespace backplane
