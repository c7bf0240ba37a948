#pragma once

/// What was packed of constants, for all networks of a runtime.

#include "layout/layout.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Finds again what kernels made of constants, as long as one of them holds it. Plans of a network
/// for several shapes have their constants in common, and so what is packed of them.
///
/// Threads: any.
class PackedTable {
 public:
  using Content = std::shared_ptr<const void>;

  /// The host has the constant that lies at `owner`, and each offer of it shares it anew.
  void NoteOwner(const Content& owner);

  /// What was made of these contents in this form, or what `make` gives now.
  Content Find(const std::vector<Content>& contents, const std::string& form,
               const std::function<Content()>& make);

  /// What was packed of a constant from one layout to another, or what `make` gives now.
  Content Find(const Content& constant, const dnnl::memory::desc& from,
               const dnnl::memory::desc& to, const std::function<Content()>& make);

 private:
  using WeakContent = std::weak_ptr<const void>;
  struct Packed {
    WeakContent source;  // gone: another constant lies there
    dnnl::memory::desc from;
    dnnl::memory::desc to;
    WeakContent content;
  };
  struct Made {
    std::vector<WeakContent> sources;
    WeakContent content;
  };

  /// The host's own, where that is known.
  WeakContent FindSource(const Content& content) const;
  /// Now and then forgets what has gone.
  void Sweep();

  std::mutex mutex_;
  std::size_t num_added_ = 0;  // since the last sweep
  std::map<const void*, WeakContent> owners_;
  std::map<const void*, std::vector<Packed>> packed_;
  std::map<std::pair<std::vector<const void*>, std::string>, Made> made_;
};

}  // namespace cpuacc
}  // namespace backplane
