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

/// What kernels made of the constants of one graph, or hold of them. Keeps each as long as a kernel
/// does, so that programs for different numbers of threads share them. Constants may go meanwhile,
/// and others may come to lie at their address.
///
/// Threads: any.
class PackedConstants {
 public:
  using Content = std::shared_ptr<const void>;

  /// The content of a constant in another layout. The same content and layouts give the same
  /// memory while a kernel holds it.
  Content Pack(const GraphTensor& constant, const dnnl::memory::desc& from,
               const dnnl::memory::desc& to);

  /// What a kernel makes of several constants for itself. The same contents and `purpose`, which
  /// says in which form, give the same memory while a kernel holds it.
  Content Share(const std::vector<Content>& contents, const std::string& purpose,
                const std::function<Content()>& make);

  /// The content of a constant as it is.
  Content Keep(const GraphTensor& constant);

  /// The memory that is held of all that was given, each once.
  std::uint64_t CountBytes() const;

 private:
  using WeakContent = std::weak_ptr<const void>;
  struct Packed {
    WeakContent source;  // gone: another constant lies there
    dnnl::memory::desc from;
    dnnl::memory::desc to;
    WeakContent content;
  };
  struct Shared {
    std::vector<WeakContent> sources;
    WeakContent content;
  };
  struct Held {
    WeakContent content;
    std::uint64_t size_bytes = 0;
  };

  void Note(const Content& content, std::uint64_t size_bytes);

  mutable std::mutex mutex_;
  std::map<const void*, std::vector<Packed>> packed_;
  std::map<std::pair<std::vector<const void*>, std::string>, Shared> shared_;
  std::map<const void*, Held> held_;  // by the address of the content
};

}  // namespace cpuacc
}  // namespace backplane
