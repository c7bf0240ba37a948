#pragma once

/// Contents that are on the device, each once for all networks.

#include "library/library.hpp"
#include "plan/shared_contents.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace backplane {
namespace opencl {

/// The buffer of a content, as long as a workload has it.
///
/// Threads: any.
class SharedBuffers {
 public:
  /// The buffer that has the content, or what `make` gives now.
  Owned<cl_mem> Find(const std::shared_ptr<const Bytes>& content,
                     const std::function<Owned<cl_mem>()>& make);

 private:
  struct Known {
    std::weak_ptr<const Bytes> content;  // another may come to lie at its address
    std::weak_ptr<std::remove_pointer_t<cl_mem>> buffer;
  };

  std::mutex mutex_;
  std::map<const Bytes*, Known> known_;
  std::size_t num_added_ = 0;  // since those that have gone were forgotten
};

}  // namespace opencl
}  // namespace backplane
