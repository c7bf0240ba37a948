#pragma once

/// Constants in the layouts that kernels want.

#include "constants/packed_table.hpp"
#include "graph/graph.hpp"
#include "layout/layout.hpp"
#include "threads/threads.hpp"

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

/// What kernels of one graph made of its constants, or hold of them. Keeps each as long as a kernel
/// does, so that programs for different numbers of threads share them, and graphs that share the
/// table. Constants may go meanwhile, and others may come to lie at their address.
///
/// Threads: any.
class PackedConstants {
 public:
  using Content = PackedTable::Content;

  /// `on_packed` is called with each content of which there is another form now. Null: nobody is
  /// told.
  using OnPacked = std::function<void(const Content& content)>;
  explicit PackedConstants(std::shared_ptr<PackedTable> table = std::make_shared<PackedTable>(),
                           OnPacked on_packed = nullptr)
      : table_(std::move(table)), on_packed_(std::move(on_packed)) {}

  /// The content of a constant in another layout. The same content and layouts give the same
  /// memory while a kernel holds it.
  /// Errors: Threads::RequireTime, when it is packed and not found.
  Content Pack(const GraphTensor& constant, const dnnl::memory::desc& from,
               const dnnl::memory::desc& to, const Threads& threads = Threads());

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
  struct Held {
    WeakContent content;
    std::uint64_t size_bytes = 0;
  };

  void Note(const Content& content, std::uint64_t size_bytes);
  /// Now and then forgets what has gone.
  void Sweep();

  const std::shared_ptr<PackedTable> table_;
  const OnPacked on_packed_;
  mutable std::mutex mutex_;
  std::map<const void*, Held> held_;  // by the address of the content
  std::size_t num_after_sweep_ = 0;
};

}  // namespace cpuacc
}  // namespace backplane
