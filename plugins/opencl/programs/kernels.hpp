#pragma once

/// Kernels of programs, which are used again.

#include "library/library.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {

/// Makes kernels, and keeps those that nobody has any more: to release one, a driver may look at
/// all kernels of its program. Made by std::make_shared.
///
/// Threads: any.
class Kernels : public std::enable_shared_from_this<Kernels> {
 public:
  /// Borrows the library.
  explicit Kernels(const Library& library) : library_(library) {}

  /// A kernel with any arguments. It comes back with its last owner.
  /// Errors: OpenClError.
  Owned<cl_kernel> Make(const Owned<cl_program>& program, const std::string& name);

 private:
  using Key = std::pair<cl_program, std::string>;

  struct Made {
    std::size_t count = 0;
    std::vector<Owned<cl_kernel>> unused;  // has room for all. Each keeps its program
  };

  Owned<cl_kernel> Take(const Owned<cl_program>& program, const std::string& name);

  const Library& library_;
  std::mutex mutex_;
  std::map<Key, Made> made_;
};

}  // namespace opencl
}  // namespace backplane
