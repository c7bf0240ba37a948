#pragma once

/// What CpuAcc keeps for the life of a runtime.

#include "constants/folded_nodes.hpp"
#include "constants/packed_table.hpp"
#include "memory/arena_pool.hpp"
#include "profiling/timeline.hpp"
#include "threads/thread_pool.hpp"

#include <backplane/api/i_backend_context.hpp>

#include <map>
#include <memory>
#include <mutex>

namespace backplane {
namespace cpuacc {

class BackendContext : public IBackendContext {
 public:
  Status OnNetworkEvent(const NetworkEvent& /*event*/) override { return Status::kSuccess; }

  /// Never null. Workloads may outlive the context.
  const std::shared_ptr<Timeline>& GetTimeline() const { return timeline_; }
  /// Never null. Networks may outlive the context.
  const std::shared_ptr<PackedTable>& GetPackedTable() const { return packed_table_; }
  /// Never null. Of what the table has.
  const std::shared_ptr<FoldedNodes>& GetFoldedNodes() const { return folded_nodes_; }
  /// Never null. Workloads may outlive the context.
  const std::shared_ptr<ArenaPool>& GetArenas() const { return arenas_; }
  /// The same for all networks with the same processors.
  std::shared_ptr<ThreadPool> GetThreads(const Processors& processors) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<ThreadPool>& threads = threads_[processors];
    if (!threads) threads = std::make_shared<ThreadPool>(processors);
    return threads;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<Processors, std::shared_ptr<ThreadPool>> threads_;
  std::shared_ptr<Timeline> timeline_ = std::make_shared<Timeline>();
  std::shared_ptr<PackedTable> packed_table_ = std::make_shared<PackedTable>();
  std::shared_ptr<FoldedNodes> folded_nodes_ = std::make_shared<FoldedNodes>(packed_table_);
  std::shared_ptr<ArenaPool> arenas_ = std::make_shared<ArenaPool>();
};

/// Of a context that the host passes on.
/// Null: there is no runtime; then nobody listens, either.
inline std::shared_ptr<Timeline> GetTimeline(const IBackendContext* context) {
  return context == nullptr ? std::make_shared<Timeline>()
                            : static_cast<const BackendContext*>(context)->GetTimeline();
}

/// Likewise; without a runtime it is that of one network.
inline std::shared_ptr<PackedTable> GetPackedTable(const IBackendContext* context) {
  return context == nullptr ? std::make_shared<PackedTable>()
                            : static_cast<const BackendContext*>(context)->GetPackedTable();
}

/// Likewise; without a runtime they are of one network, and of its `table`.
inline std::shared_ptr<FoldedNodes> GetFoldedNodes(const IBackendContext* context,
                                                   const std::shared_ptr<PackedTable>& table) {
  return context == nullptr ? std::make_shared<FoldedNodes>(table)
                            : static_cast<const BackendContext*>(context)->GetFoldedNodes();
}

/// Likewise; without a runtime they are those of one workload factory.
inline std::shared_ptr<ArenaPool> GetArenas(const IBackendContext* context) {
  return context == nullptr ? std::make_shared<ArenaPool>()
                            : static_cast<const BackendContext*>(context)->GetArenas();
}

/// Likewise.
inline std::shared_ptr<ThreadPool> GetThreads(const IBackendContext* context,
                                              const Processors& processors) {
  return context == nullptr ? std::make_shared<ThreadPool>(processors)
                            : static_cast<const BackendContext*>(context)->GetThreads(processors);
}

}  // namespace cpuacc
}  // namespace backplane
