#pragma once

/// Bytes for the device that plans have in common.

#include "plan/weak_table.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace backplane {
namespace opencl {

using Bytes = std::vector<unsigned char>;

/// Keeps what was made of constants, as long as a plan has it. A network with open extents
/// has a plan for each shape, and its constants in all of them.
///
/// Threads: any.
class SharedContents {
 public:
  /// Gives what was made of a constant in the form that `form` names; `make` makes it when it is
  /// not there. It is nobody else's when the constant has no identity.
  std::shared_ptr<const Bytes> Find(const ConstTensor& constant, const std::string& form,
                                    const std::function<Bytes()>& make) {
    const auto make_shared = [&] { return std::make_shared<const Bytes>(make()); };
    const std::uint64_t* const identity = constant.identity;
    if (identity[0] == 0 && identity[1] == 0) return make_shared();
    return known_.Find({identity[0], identity[1], form}, make_shared);
  }

 private:
  WeakTable<std::tuple<std::uint64_t, std::uint64_t, std::string>, const Bytes> known_;
};

}  // namespace opencl
}  // namespace backplane
