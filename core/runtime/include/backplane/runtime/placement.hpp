#pragma once

/// The plan of an optimised network as data: who runs what, who refused and why, and which layer
/// reads which tensor.

#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/api/tensor_info.hpp>
#include <backplane/host/configuration.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/export.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// Why a backend did not get a layer.
struct LayerRefusal {
  std::string backend_id;
  std::string reason;
  bool is_of_backend = true;  // it refused the layer; else it was passed over
};

struct LayerPlacement {
  LayerId layer = 0;
  std::string name;
  LayerType type = LayerType::kUndefined;
  std::string backend_id;
  std::string hint;                    // the backend asked for, or ""
  std::vector<LayerRefusal> refusals;  // in the order in which they were asked
};

/// What a backend made of a part of a network that it was offered.
enum class SubgraphOutcome {
  kUntouched,  // its layers run as they are
  kReplaced,   // other layers of the backend run in its place
  kDeleted,    // nothing needs to run
  kFailed,     // the backend cannot run these layers after all; others have them now
};

/// A part of a network that was offered to its backend.
struct PlacedSubgraph {
  std::string backend_id;
  std::uint32_t turn = 0;  // from 1; the next turn is for layers that failed in this one
  SubgraphOutcome outcome = SubgraphOutcome::kUntouched;
  std::vector<LayerId> layers;            // of the network
  std::vector<std::string> replacements;  // the names of the layers that run in its place
};

/// The use that a backend made of OptimizerOptions::compiled_cache when a part of a network was
/// offered to it.
struct PlacedCacheUse {
  std::string backend_id;
  std::uint64_t num_layers = 0;  // of the part
  std::uint32_t num_hits = 0;    // how often what the backend asked for was there
  std::uint32_t num_misses = 0;  // how often it was not
  std::uint32_t num_kept = 0;    // what it gave to be kept
  std::uint64_t hit_bytes = 0;
  std::uint64_t kept_bytes = 0;
  double cache_ms = 0;  // to find and read what was there, and to keep the rest
  double offer_ms = 0;  // of the whole offer, cache and compiling
};

/// A layer of the plan that no backend runs: an input, an output or a constant of the network.
struct PlacedEndpoint {
  LayerId layer = 0;
  std::string name;
  LayerType type = LayerType::kUndefined;  // kInput, kOutput or kConstant
};

/// A tensor on its way from the layer that makes it to one that reads it.
struct PlacedEdge {
  LayerId from = 0;
  LayerId to = 0;
  std::uint32_t output = 0;  // of `from`
  std::uint32_t input = 0;   // of `to`
  TensorInfo tensor;
};

/// How a tensor gets into another kind of memory.
enum class TransferStrategy {
  kImport,      // the reader uses the memory that the other side exports; nothing is copied
  kDeviceCopy,  // a backend copies
  kMapCopy,     // both sides are mapped, and the core copies
};

/// From one kind of tensor memory, known by the id of its factory, to another.
struct TransferStep {
  TransferStrategy strategy = TransferStrategy::kMapCopy;
  std::string from_factory;  // "" for memory of the application
  std::string to_factory;    // "" for memory of the application
  std::string backend_id;    // whose workload copies; "" for the core
  std::uint64_t bytes = 0;   // that are copied
  bool is_shared = false;    // another transfer does it; there it is counted
};

/// A tensor that one backend makes and another reads; or the application makes or reads it.
struct PlacedTransfer {
  LayerId from = 0;                 // of the network
  std::uint32_t output = 0;         // of `from`
  std::string layer;                // the name of what makes it, in the plan that is run
  std::string tensor;               // its data type and shape
  std::string from_backend;         // "" for the application
  std::string to_backend;           // "" for the application
  std::string factory;              // the kind of memory in which it is read
  std::vector<TransferStep> steps;  // in their order; none when the memory is shared
  std::uint64_t copied_bytes = 0;   // by steps that are not shared
  std::string reason;               // why it could not be shared; "" when it is
};

/// A layer that would need no work where its tensors lie otherwise, but is run.
struct PlacedMove {
  std::string layer;
  LayerType type = LayerType::kUndefined;
  std::string backend_id;
  std::uint64_t bytes = 0;
  std::string reason;
};

struct Placement {
  std::string network;
  std::vector<std::string> preferences;    // as given; empty: every backend by rank
  std::vector<Setting> preferred;          // without preferences: who came before rank, and why
  std::vector<LayerPlacement> layers;      // operators, in the order of the network
  std::vector<PlacedSubgraph> subgraphs;   // in the order in which they were offered
  std::vector<PlacedCacheUse> cache_uses;  // likewise; none without a cache
  std::vector<PlacedEndpoint> endpoints;
  std::vector<PlacedEdge> edges;          // by the layer that reads, then by its input
  std::vector<PlacedTransfer> transfers;  // tensors that cross, in the order of the network
  std::vector<PlacedMove> moves;          // reshapes, concats and splits that are not free
  std::uint64_t copied_bytes = 0;         // in one run, of all transfers
  std::uint64_t num_copies = 0;           // in one run
  /// Answers of backends that could not be used, and what they threw when they were offered
  /// sub-graphs: kInvalidOptimization, kBackendThrew and kOutOfMemory; what of
  /// OptimizerOptions::compiled_cache could not be used or kept: kCompiledEntryRefused and
  /// kCompiledCacheUnusable. The network runs all the same.
  std::vector<Diagnostic> warnings;
};

/// As a table for people: a line for each layer, and more where there is more to say of it. Below
/// it a line for each sub-graph that its backend did not leave as it is, and for what each had of
/// the cache.
/// [any thread]
BACKPLANE_RUNTIME_API std::string ToText(const Placement& placement);

/// As a JSON array of {"layer","type","backend","hint","refusals":[{"backend","reason"}]}; the hint
/// is null for a layer without.
/// [any thread]
BACKPLANE_RUNTIME_API std::string ToJson(const Placement& placement);

/// The transfers as a table for people: how each tensor crosses, and why it is not shared; below it
/// the moves and the totals. "" when there are neither transfers nor moves.
/// [any thread]
BACKPLANE_RUNTIME_API std::string TransfersToText(const Placement& placement);

/// {"copied_bytes","num_copies","transfers":[{"layer","output","tensor","from","to","factory",
/// "bytes","reason","steps":[{"strategy","from","to","backend","bytes","shared"}]}],
/// "moves":[{"layer","type","backend","bytes","reason"}]}; a strategy is "import", "device copy" or
/// "map and copy"; the application and its memory are null, and so is the backend of a step that
/// the core does.
/// [any thread]
BACKPLANE_RUNTIME_API std::string TransfersToJson(const Placement& placement);

/// The sub-graphs as a JSON array of {"backend","turn","outcome","layers","replacements"}; the
/// outcome is "untouched", "replaced", "deleted" or "failed".
/// [any thread]
BACKPLANE_RUNTIME_API std::string SubgraphsToJson(const Placement& placement);

/// The uses of the cache, as a JSON array of {"backend","layers","hits","misses","kept",
/// "hit_bytes","kept_bytes","cache_ms","offer_ms"}.
/// [any thread]
BACKPLANE_RUNTIME_API std::string CacheUsesToJson(const Placement& placement);

/// As a graph for the programs of Graphviz: layers in the colour of their backend, which a legend
/// names; inputs, outputs and constants; tensors with data type and shape; a frame around the
/// layers for which their backend runs others. Edges on which bytes are copied or memory is
/// imported have a colour each. Hints, refusals and how a tensor crosses are in the tooltips, which
/// a picture as SVG shows.
/// [any thread]
BACKPLANE_RUNTIME_API std::string ToDot(const Placement& placement);

}  // namespace backplane
