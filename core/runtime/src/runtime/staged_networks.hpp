#pragma once

#include "runtime/network_table.hpp"
#include "staging/staged_network.hpp"
#include "staging/staged_transfers.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace backplane {

/// The loaded networks of which plans are made when they run, by id. The networks of their stages
/// are in the table of all others.
///
/// Threads: any.
class StagedNetworks {
 public:
  struct Entry {
    std::shared_ptr<StagedNetwork> network;
    std::shared_ptr<staging::StagedTransfers> transfers;
  };

  void Add(NetworkId id, Entry entry);
  /// Null network: there is none.
  Entry Find(NetworkId id) const;
  void Remove(NetworkId id);
  std::vector<NetworkId> GetIds() const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<NetworkId, Entry> entries_;
};

/// What the stages of a network tell together. `table` has their networks.
MemoryReport AddUpMemory(const StagedNetworks::Entry& entry, const NetworkTable& table);
TransferReport AddUpTransfers(const StagedNetworks::Entry& entry, const NetworkTable& table);
CheckReport AddUpChecks(const StagedNetworks::Entry& entry, const NetworkTable& table);
std::vector<PlanReport> DescribePlans(const StagedNetworks::Entry& entry,
                                      const NetworkTable& table);

}  // namespace backplane
