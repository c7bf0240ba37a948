#pragma once

#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {

/// A copy of the content, never null.
std::shared_ptr<const void> CopyContent(const ConstTensor& constant);

/// The constants of a sub-graph that is offered, shared with the host. When nothing here holds one
/// any more, while the offer lasts, the host is told. Where an exception is on its way the host
/// needs them still.
class OfferedConstants {
 public:
  /// Calls `note` with each content that is given, and the constant that it is. Borrows the
  /// arguments. The end of the object is that of the offer.
  using Note =
      std::function<void(const std::shared_ptr<const void>& content, const ConstTensor& constant)>;
  explicit OfferedConstants(const OptimizeSubgraphArgs& args, Note note = nullptr);
  ~OfferedConstants();
  OfferedConstants(const OfferedConstants&) = delete;
  OfferedConstants& operator=(const OfferedConstants&) = delete;

  /// Tells the host, as long as the offer lasts, that a constant was packed: what it shares is not
  /// read again soon.
  std::function<void(const std::shared_ptr<const void>& content)> GetRelease() const;

  /// The constant that a layer reads; never null. Layers that read the same one share it.
  std::shared_ptr<const void> Share(LayerId layer, std::uint32_t input,
                                    const ConstTensor& constant);

 private:
  /// Who reads a constant.
  using Readers = std::vector<std::pair<LayerId, std::uint32_t>>;
  struct Known {
    std::weak_ptr<const void> content;
    std::shared_ptr<Readers> readers;
  };
  struct Offer {
    void Release(const Readers& readers) const;

    ISubgraphBuilder* builder;           // null when it is over
    std::map<const void*, Known> known;  // by address
  };

  const OptimizeSubgraphArgs& args_;
  const Note note_;
  std::shared_ptr<Offer> offer_;
};

}  // namespace cpuacc
}  // namespace backplane
