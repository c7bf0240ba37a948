#pragma once

/// What was packed of constants, for all networks of a runtime.

#include "layout/layout.hpp"

#include <cstddef>
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

/// Finds again what kernels made of constants, as long as one of them holds it. Plans of a network
/// for several shapes have their constants in common, and so what is packed of them.
///
/// Threads: any.
class PackedTable {
 public:
  using Content = std::shared_ptr<const void>;

  /// ConstTensor::identity: two constants with an equal one have the same content.
  using Identity = std::pair<std::uint64_t, std::uint64_t>;

  /// What the host says of a constant, as long as it is shared. Without it, what was packed of a
  /// constant is found again only as long as that constant is held.
  void NoteIdentity(const Content& content, const Identity& identity);
  /// None: nothing was said of it.
  Identity GetIdentity(const Content& content);

  /// What was made of these contents in this form, or what `make` gives now.
  Content Find(const std::vector<Content>& contents, const std::string& form,
               const std::function<Content()>& make);

  /// What was packed of a constant from one layout to another, or what `make` gives now.
  Content Find(const Content& constant, const dnnl::memory::desc& from,
               const dnnl::memory::desc& to, const std::function<Content()>& make);

 private:
  using WeakContent = std::weak_ptr<const void>;
  /// The identity of a content; else 0 and its address.
  using Key = Identity;
  struct Known {
    WeakContent content;
    Identity identity;
  };
  struct Packed {
    WeakContent source;
    dnnl::memory::desc from;
    dnnl::memory::desc to;
    WeakContent content;
  };
  struct Made {
    std::vector<WeakContent> sources;
    WeakContent content;
  };

  Key GetKey(const Content& content) const;
  /// Whether another constant lies at the address.
  static bool IsGone(const Key& key, const WeakContent& source) {
    return key.first == 0 && source.expired();
  }
  /// Now and then forgets what has gone.
  void Sweep();

  std::mutex mutex_;
  std::size_t num_added_ = 0;  // since the last sweep
  std::map<const void*, Known> known_;
  std::map<Key, std::vector<Packed>> packed_;
  std::map<std::pair<std::vector<Key>, std::string>, Made> made_;
};

}  // namespace cpuacc
}  // namespace backplane
