#include "support/greedy_transfers.hpp"

#include <algorithm>

namespace backplane::test {
namespace {

class GreedyPlanner {
 public:
  GreedyPlanner(const GreedyNetwork& network, const GreedyOptions& options)
      : network_(network), options_(options), edges_of_(network.tensors.size()) {
    for (const GreedyLayer& layer : network.layers) backends_.push_back(layer.backend);
    for (std::uint32_t i = 0; i < network.edges.size(); ++i) {
      edges_of_[network.edges[i].tensor].push_back(i);
    }
    for (std::uint32_t i = 0; i < network.tensors.size(); ++i) {
      const bool is_read = !edges_of_[i].empty();
      if (RoleOfMaker(i) == GreedyRole::kInput && is_read) {
        backends_[network.tensors[i].layer] = backends_[Reader(edges_of_[i].front())];
      }
    }
  }

  GreedyPlan Plan() {
    plan_.transfers.resize(network_.edges.size());
    for (std::uint32_t tensor = 0; tensor < network_.tensors.size(); ++tensor) {
      const bool is_input = RoleOfMaker(tensor) == GreedyRole::kInput;
      plan_.factories.push_back(is_input ? ChooseForInput(tensor) : Choose(tensor));
      for (const std::uint32_t edge : edges_of_[tensor]) Transfer(tensor, edge);
      if (is_input) CountInput(tensor);
    }
    return plan_;
  }

 private:
  using Factories = std::vector<std::uint32_t>;

  std::uint32_t Reader(std::uint32_t edge) const { return network_.edges[edge].layer; }
  std::uint32_t Maker(std::uint32_t tensor) const { return network_.tensors[tensor].layer; }
  GreedyRole RoleOfMaker(std::uint32_t tensor) const { return network_.layers[Maker(tensor)].role; }
  bool IsOutput(std::uint32_t edge) const {
    return network_.layers[Reader(edge)].role == GreedyRole::kOutput;
  }
  const GreedyFactory& Get(std::uint32_t factory) const { return network_.factories[factory]; }
  const Factories& PreferencesOf(std::uint32_t layer) const {
    return network_.backends[backends_[layer]].preferences;
  }

  bool CanImport(std::uint32_t from, std::uint32_t to) const {
    return (Get(from).exports & Get(to).imports) != 0;
  }

  // The factory that the most readers could use. Where two are equal, the one that was ahead.
  std::uint32_t ChooseForInput(std::uint32_t tensor) const {
    if (PreferencesOf(Maker(tensor)).empty()) return kNoGreedyFactory;
    std::vector<std::uint32_t> times_seen(network_.factories.size(), 0);
    std::uint32_t best = kNoGreedyFactory;
    for (const std::uint32_t edge : edges_of_[tensor]) {
      for (const std::uint32_t factory : PreferencesOf(Reader(edge))) {
        const bool is_usable =
            options_.import_enabled ? Get(factory).imports != 0 : Get(factory).maps;
        if (!is_usable) continue;
        ++times_seen[factory];
        if (best == kNoGreedyFactory || times_seen[factory] > times_seen[best]) best = factory;
      }
    }
    return best;
  }

  // The factory with the fewest readers of which some preference would need a copy.
  std::uint32_t Choose(std::uint32_t tensor) const {
    std::uint32_t best = kNoGreedyFactory;
    std::uint32_t best_count = 0;
    for (const std::uint32_t factory : PreferencesOf(Maker(tensor))) {
      if (!IsCandidate(tensor, factory)) continue;
      const std::uint32_t count = CountReadersWithCopies(tensor, factory);
      if (best != kNoGreedyFactory && count >= best_count) continue;
      best = factory;
      best_count = count;
    }
    return best;
  }

  bool IsCandidate(std::uint32_t tensor, std::uint32_t factory) const {
    if (!options_.export_enabled) return Get(factory).maps;
    const auto& edges = edges_of_[tensor];
    const bool is_output =
        std::any_of(edges.begin(), edges.end(), [&](std::uint32_t e) { return IsOutput(e); });
    return !is_output || HasForeignInput(Maker(tensor)) || Get(factory).exports != 0;
  }

  bool HasForeignInput(std::uint32_t layer) const {
    const auto is_foreign = [&](const GreedyEdge& edge) {
      return edge.layer == layer && backends_[Maker(edge.tensor)] != backends_[layer];
    };
    return std::any_of(network_.edges.begin(), network_.edges.end(), is_foreign);
  }

  std::uint32_t CountReadersWithCopies(std::uint32_t tensor, std::uint32_t factory) const {
    const auto needs_copy = [&](std::uint32_t other) {
      return other != factory && !CanImport(factory, other);
    };
    std::uint32_t count = 0;
    for (const std::uint32_t edge : edges_of_[tensor]) {
      const Factories& others = PreferencesOf(Reader(edge));
      if (std::any_of(others.begin(), others.end(), needs_copy)) ++count;
    }
    return count;
  }

  GreedyTransfer FindTransfer(std::uint32_t tensor, std::uint32_t edge) const {
    const std::uint32_t factory = plan_.factories[tensor];
    const Factories& others = PreferencesOf(Reader(edge));
    if (factory == kNoGreedyFactory || others.empty()) {
      const bool is_same_backend = backends_[Maker(tensor)] == backends_[Reader(edge)];
      return is_same_backend ? GreedyTransfer::kDirect : GreedyTransfer::kCopy;
    }
    const auto is_any = [&others](const auto& rule) {
      return std::any_of(others.begin(), others.end(), rule);
    };
    if (IsOutput(edge)) return GreedyTransfer::kDirect;
    if (is_any([&](auto other) { return other == factory; })) return GreedyTransfer::kDirect;
    if (options_.import_enabled && is_any([&](auto other) { return CanImport(factory, other); })) {
      return GreedyTransfer::kImport;
    }
    if (Get(factory).maps && is_any([&](auto other) { return Get(other).maps; })) {
      return GreedyTransfer::kCopy;
    }
    return GreedyTransfer::kImpossible;
  }

  // Each edge has a copy or an import of its own.
  void Transfer(std::uint32_t tensor, std::uint32_t edge) {
    const GreedyTransfer transfer = FindTransfer(tensor, edge);
    plan_.transfers[edge] = transfer;
    if (transfer == GreedyTransfer::kImport) ++plan_.num_imports;
    if (transfer == GreedyTransfer::kImpossible) ++plan_.num_impossible;
    if (transfer == GreedyTransfer::kCopy) {
      ++plan_.num_copies;
      plan_.copied_bytes += network_.tensors[tensor].size_bytes;
    }
    if (IsOutput(edge)) CountOutput(tensor);
  }

  bool ImportsFromApplication(std::uint32_t tensor) const {
    const std::uint32_t factory = plan_.factories[tensor];
    return factory != kNoGreedyFactory &&
           (Get(factory).imports & ToFlags(MemorySource::kMalloc)) != 0;
  }

  void CountInput(std::uint32_t tensor) {
    if (!options_.import_enabled || !ImportsFromApplication(tensor)) CountApplicationCopy(tensor);
  }

  // Only what nothing else reads is written into the application's memory at once.
  void CountOutput(std::uint32_t tensor) {
    const bool is_imported = options_.export_enabled && ImportsFromApplication(tensor) &&
                             edges_of_[tensor].size() == 1 &&
                             RoleOfMaker(tensor) != GreedyRole::kInput;
    if (!is_imported) CountApplicationCopy(tensor);
  }

  void CountApplicationCopy(std::uint32_t tensor) {
    ++plan_.num_application_copies;
    plan_.application_copied_bytes += network_.tensors[tensor].size_bytes;
  }

  const GreedyNetwork& network_;
  const GreedyOptions& options_;
  std::vector<std::uint32_t> backends_;               // for each layer
  std::vector<std::vector<std::uint32_t>> edges_of_;  // for each tensor
  GreedyPlan plan_;
};

}  // namespace

GreedyPlan PlanGreedily(const GreedyNetwork& network, const GreedyOptions& options) {
  return GreedyPlanner(network, options).Plan();
}

}  // namespace backplane::test
