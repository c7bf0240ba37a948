#pragma once

/// Keeping what backends compile from networks, so that the next process need not compile it again.

#include <backplane/api/status.hpp>
#include <backplane/runtime/export.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// A place for compiled sub-graphs, given with OptimizerOptions::compiled_cache. Implemented by
/// applications with storage of their own; else see MakeCompiledNetworkCache.
///
/// A key is 64 hexadecimal digits in lower case, and stands for all that the content depends on:
/// backend and its build, options, layers, tensors, constants. The content carries a digest: what
/// is not as it was stored is found out by the core, and counts as absent.
class BACKPLANE_RUNTIME_API ICompiledNetworkCache {
 public:
  virtual ~ICompiledNetworkCache();

  /// Reads what was stored under a key.
  /// Errors: kNotFound when there is nothing. Any other status, and anything thrown, counts as that
  /// and is reported.
  /// [any thread]
  virtual Status Load(const std::string& key, std::vector<std::uint8_t>& content) = 0;

  /// Stores content under a key, instead of what was there.
  /// Ownership: the content is borrowed until the call returns.
  /// Errors: any status but kSuccess, and anything thrown, is reported; the network is optimised
  /// all the same.
  /// [any thread]
  virtual Status Store(const std::string& key, const std::vector<std::uint8_t>& content) = 0;
};

struct CompiledCacheOptions {
  /// What all entries together may have. The ones that were not used for the longest time go first.
  std::uint64_t max_bytes = std::uint64_t{1} << 30U;
};

/// A cache in a directory, with one file for each entry. Several processes may use one directory at
/// the same time: a file is there whole or not at all. The directory is made, with those above it,
/// for this user alone.
/// Errors: DiagnosticException with kCompiledCacheUnusable when the directory cannot be made, does
/// not belong to this user, or can be written by others. Of its functions: kInvalidArgument for
/// what is not a key; DiagnosticException with kCompiledEntryRefused for a file that others may
/// have written, or that cannot be read, and with kCompiledCacheUnusable for content that cannot be
/// written.
/// [any thread]
BACKPLANE_RUNTIME_API std::shared_ptr<ICompiledNetworkCache> MakeCompiledNetworkCache(
    const std::string& directory, CompiledCacheOptions options = {});

}  // namespace backplane
