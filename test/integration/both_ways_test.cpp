/// Every backend of the tree in the process of the program and in one of its own: what it computes,
/// and what is told of it, is the same.

#include "mock_models.hpp"
#include "support/build_tree.hpp"

#include <backplane/host/capabilities.hpp>
#include <backplane/host/options.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace backplane::test {
namespace {

struct BackendOfTree {
  std::string name;
  std::string id;
  std::string folder;
};

void PrintTo(const BackendOfTree& backend, std::ostream* stream) {
  *stream << backend.name;
}

/// What loads of the mocks, and the backends that compute for real. Not: what differs from process
/// to process by design, which is what those rows are for.
std::vector<BackendOfTree> FindBackends() {
  std::vector<BackendOfTree> backends{{"CpuRef", "CpuRef", InBuildTree(BACKPLANE_BACKENDS_FOLDER)}};
#ifdef BACKPLANE_HAS_CPUACC
  backends.push_back({"CpuAcc", "CpuAcc", InBuildTree(BACKPLANE_BACKENDS_FOLDER)});
#endif
  for (const MockRow& row : GetMockRows()) {
    const bool loads = row.status == CandidateStatus::kLoaded && !row.needs_child &&
                       !row.is_remark && !row.id.empty();
    if (loads) backends.push_back({row.name, row.id, row.folder});
  }
  return backends;
}

/// Says everything of a backend, a line for each thing.
class Account {
 public:
  explicit Account(const BackendOfTree& backend, Isolation isolation) : id_(backend.id) {
    CreationOptions options;
    options.dynamic_backends_path = backend.folder;
    options.probe = BackendProbe::kChild;
    if (isolation == Isolation::kProcess) options.isolation.rules = {{backend.id, isolation}};
    try {
      runtime_ = IRuntime::Create(options);
    } catch (const DiagnosticException& exception) {
      Tell("runtime", ToText(exception.GetDiagnostic()));
      return;
    }
    TellReport();
    TellBackend();
    for (const auto make : {&MakeConvolutionalModel, &MakeHalfPrecisionModel, &MakeChainModel}) {
      TellNetwork(*make());
    }
  }

  const std::string& GetText() const { return text_; }
  bool HasRun() const { return has_run_; }

 private:
  template <typename Value>
  void Tell(const std::string& what, const Value& value) {
    std::ostringstream line;
    line << what << ": " << value << "\n";
    text_ += line.str();
  }

  void TellReport() {
    for (const Candidate& candidate : runtime_->GetLoadReport().candidates) {
      if (!candidate.identity || candidate.identity->id != id_) continue;
      Tell("status", static_cast<int>(candidate.status));
      for (const Diagnostic& diagnostic : candidate.diagnostics) {
        if (diagnostic.code == DiagnosticCode::kIsolated) continue;
        Tell("diagnostic", ToText(diagnostic));
      }
      for (const std::string& factory : candidate.identity->tensor_handle_factories) {
        Tell("factory", factory);
      }
    }
  }

  void TellBackend() {
    const BackendRegistry& registry = runtime_->GetDeviceSpec().GetRegistry();
    if (!registry.IsBackendRegistered(id_)) return Tell("registered", "no");
    for (const BackendOption& capability : GetCapabilities(registry, id_)) {
      // How often the host asked for the backend's object; a process of its own keeps one.
      if (capability.name == "BackendsMade") continue;
      Tell("capability " + capability.name, ToText(capability.value));
    }
    for (const OptionSchema& option : GetOptionSchemas(registry, id_)) {
      Tell("option " + option.name,
           option.text + " " + ToText(option.default_value) + " " +
               (option.has_range != 0 ? ToText(option.minimum) + " to " + ToText(option.maximum)
                                      : ""));
      for (const std::string& allowed : option.allowed_strings) Tell("allowed", allowed);
    }
  }

  void TellNetwork(const INetwork& network) {
    try {
      const auto optimized = Optimize(network, {id_}, runtime_->GetDeviceSpec());
      const Placement& placement = optimized->GetPlacement();
      Tell("placement", ToJson(placement));
      Tell("sub-graphs", SubgraphsToJson(placement));
      Tell("transfers", TransfersToJson(placement));
      Tell("picture", ToDot(placement));
      for (const Diagnostic& warning : placement.warnings) Tell("warning", ToText(warning));
      const NetworkId loaded = runtime_->LoadNetwork(optimized);
      TellMemory(runtime_->GetMemoryReport(loaded));
      for (int run = 0; run < 2; ++run) Run(loaded, *optimized);
      const TransferReport report = runtime_->GetTransferReport(loaded);
      for (const auto& binding : report.inputs) TellBinding("input", binding);
      for (const auto& binding : report.outputs) TellBinding("output", binding);
      runtime_->UnloadNetwork(loaded);
    } catch (const DiagnosticException& exception) {
      Tell("failure", ToText(exception.GetDiagnostic()));
    }
  }

  void TellMemory(const MemoryReport& memory) {
    Tell("arenas", std::to_string(memory.arena_bytes) + " of " +
                       std::to_string(memory.lower_bound_bytes) + ", constants " +
                       std::to_string(memory.constants_bytes));
    for (const ArenaReport& arena : memory.arenas) {
      Tell("arena of " + arena.backend_id, arena.arena_bytes);
    }
  }

  void TellBinding(const std::string& what, const BindingTransfers& binding) {
    Tell(what + " " + binding.name, std::to_string(binding.imported_runs) + " imported, " +
                                        std::to_string(binding.copied_runs) + " copied, " +
                                        std::to_string(binding.copied_bytes) + " bytes, " +
                                        binding.reason);
  }

  void Run(NetworkId loaded, const IOptimizedNetwork& network) {
    const NetworkBinding input = network.GetInputs()[0];
    const NetworkBinding output = network.GetOutputs()[0];
    const auto from = runtime_->AllocateTensorMemory(input.info.GetSizeBytes());
    const auto to = runtime_->AllocateTensorMemory(output.info.GetSizeBytes());
    Fill(input.info, from.get());
    std::optional<Diagnostic> failure;
    const Status status =
        runtime_->EnqueueWorkload(loaded, {{input.id, {input.info, from.get()}}},
                                  {{output.id, to.get(), output.info.GetSizeBytes()}}, &failure);
    Tell("status of the run", static_cast<int>(status));
    if (failure) Tell("failure of the run", ToText(*failure));
    if (status != Status::kSuccess) return;
    has_run_ = true;
    const auto* const bytes = static_cast<const unsigned char*>(to.get());
    for (std::uint64_t i = 0; i < output.info.GetSizeBytes(); ++i) {
      Tell("byte", static_cast<int>(bytes[i]));
    }
  }

  /// Numbers of half precision are between 0.125 and 0.25.
  static void Fill(const TensorInfo& info, void* data) {
    const std::vector<float> numbers = MakeNumbers(info.shape.GetNumElements(), 0);
    if (info.data_type == DataType::kFloat32) {
      std::memcpy(data, numbers.data(), info.GetSizeBytes());
      return;
    }
    auto* const halves = static_cast<std::uint16_t*>(data);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      halves[i] = static_cast<std::uint16_t>(0x3000 + static_cast<int>(numbers[i] * 1000) % 1000);
    }
  }

  std::string id_;
  std::string text_;
  bool has_run_ = false;
  std::unique_ptr<IRuntime> runtime_;
};

class BothWays : public ::testing::TestWithParam<BackendOfTree> {};
INSTANTIATE_TEST_SUITE_P(Tree, BothWays, ::testing::ValuesIn(FindBackends()),
                         [](const auto& row) { return row.param.name; });

TEST_P(BothWays, GiveTheSameResultsAndReports) {
  const Account inside(GetParam(), Isolation::kInProcess);
  const Account outside(GetParam(), Isolation::kProcess);
  EXPECT_EQ(inside.GetText(), outside.GetText());
  EXPECT_FALSE(inside.GetText().empty());
}

// So that nobody takes two empty accounts for equal ones.
TEST(BothWaysTable, HasBackendsThatRun) {
  for (const BackendOfTree& backend : FindBackends()) {
    if (backend.name != "CpuRef" && backend.name != "CpuAcc" && backend.name != "UnifiedA")
      continue;
    EXPECT_TRUE(Account(backend, Isolation::kProcess).HasRun()) << backend.name;
  }
}

}  // namespace
}  // namespace backplane::test
