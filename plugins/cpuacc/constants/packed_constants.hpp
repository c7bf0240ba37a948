#pragma once

/// Constants in the layouts that kernels want.

#include "graph/graph.hpp"
#include "layout/layout.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Keeps each packed constant as long as a kernel does, so that programs for different numbers of
/// threads share them. For one graph, whose constants outlive this.
///
/// Threads: any.
class PackedConstants {
 public:
  /// The content of a constant in another layout. The same content and layouts give the same
  /// memory while a kernel holds it.
  std::shared_ptr<const void> Pack(const GraphTensor& constant, const dnnl::memory::desc& from,
                                   const dnnl::memory::desc& to);

  /// What a kernel makes of several constants for itself. The same contents and `purpose`, which
  /// says in which form, give the same memory while a kernel holds it.
  std::shared_ptr<const void> Share(const std::vector<const void*>& contents,
                                    const std::string& purpose,
                                    const std::function<std::shared_ptr<const void>()>& make);

  /// The content of a constant as it is, for longer than it is borrowed.
  std::shared_ptr<const void> Keep(const GraphTensor& constant);

 private:
  struct Packed {
    dnnl::memory::desc from;
    dnnl::memory::desc to;
    std::weak_ptr<const void> content;
  };

  std::mutex mutex_;
  std::map<const void*, std::vector<Packed>> packed_;
  /// By address and size: constants may begin at the same address.
  std::map<std::pair<const void*, std::uint64_t>, std::weak_ptr<const void>> kept_;
  std::map<std::pair<std::vector<const void*>, std::string>, std::weak_ptr<const void>> shared_;
};

}  // namespace cpuacc
}  // namespace backplane
