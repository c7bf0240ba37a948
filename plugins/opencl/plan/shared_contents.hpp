#pragma once

/// Bytes for the device that plans have in common.

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace backplane {
namespace opencl {

using Bytes = std::vector<unsigned char>;

/// What was made of constants of networks, as long as a plan has it. A network with open extents
/// has a plan for each shape, and its constants in all of them.
///
/// Threads: any.
class SharedContents {
 public:
  /// What was made of a constant in the form that `form` names, or what `make` gives now. It is
  /// nobody else's when the constant has no identity.
  std::shared_ptr<const Bytes> Find(const ConstTensor& constant, const std::string& form,
                                    const std::function<Bytes()>& make);

 private:
  using Key = std::tuple<std::uint64_t, std::uint64_t, std::string>;

  std::mutex mutex_;
  std::map<Key, std::weak_ptr<const Bytes>> known_;
  std::size_t num_added_ = 0;  // since those that have gone were forgotten
};

}  // namespace opencl
}  // namespace backplane
