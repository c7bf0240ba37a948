/// Models on backends with kinds of tensor memory: every scenario alone, and every two in turn,
/// compute to the bit what the reference backend computes, or there is no way between them.

#include "mock_models.hpp"
#include "support/build_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

namespace backplane::test {
namespace {

using ::testing::AnyOfArray;
using ::testing::HasSubstr;

struct ScenarioOfTest {
  std::string name;
  std::vector<std::string> preferences;
};

const std::vector<ScenarioOfTest>& GetScenarios() {
  static const std::vector<ScenarioOfTest> scenarios{
#define BACKPLANE_SCENARIO(name, habit, ...) {#name, __VA_ARGS__},
#define BACKPLANE_KIND(...)
#include <memory/scenarios.def>
#undef BACKPLANE_SCENARIO
#undef BACKPLANE_KIND
  };
  return scenarios;
}

void PrintTo(const ScenarioOfTest& scenario, std::ostream* stream) {
  *stream << scenario.name;
}

using MakeNetwork = std::unique_ptr<INetwork> (*)();

/// What the reference backend computes alone.
const Bytes& GetReference(MakeNetwork make) {
  static std::map<MakeNetwork, Bytes> results;
  Bytes& result = results[make];
  if (result.empty()) {
    const auto runtime = CreateRuntime(test::InBuildTree(BACKPLANE_BACKENDS_FOLDER));
    result = LoadedModel(*runtime, *make(), {"CpuRef"}).Run().bytes;
  }
  return result;
}

/// A runtime with the files of some rows and no others. The row "CpuRef" is the reference backend.
class Machine {
 public:
  explicit Machine(const std::vector<std::string>& rows) {
    for (const std::string& row : rows) {
      const bool is_reference = row == "CpuRef";
      ids_.push_back(is_reference ? row : GetMockRow(row).id);
      if (!is_reference) {
        directory_.Add(row);
        continue;
      }
      std::filesystem::copy(
          test::InBuildTree(BACKPLANE_BACKENDS_FOLDER) + "/Backplane_CpuRef_backend.so",
          directory_.GetPath());
    }
    runtime_ = CreateRuntime(directory_.GetPath());
  }

  /// With the operators on the backends in turn.
  /// Errors: DiagnosticException as Optimize and IRuntime::LoadNetwork.
  std::unique_ptr<LoadedModel> Load(MakeNetwork make, const OptimizerOptions& options = {}) const {
    const auto network = make();
    std::size_t next = 0;
    for (const NetworkOperator& layer : network->GetOperators()) {
      network->SetBackendHint(layer.id, ids_[next++ % ids_.size()]);
    }
    return std::make_unique<LoadedModel>(*runtime_, *network, ids_, options);
  }

 private:
  const MockDirectory directory_;
  std::vector<std::string> ids_;
  std::unique_ptr<IRuntime> runtime_;
};

/// Loads a model and runs it twice: the second run finds the working memory of the first.
RunResult LoadAndRun(const Machine& machine, MakeNetwork make) {
  try {
    const auto model = machine.Load(make);
    const RunResult first = model->Run();
    if (first.failure) return first;
    RunResult second = model->Run();
    EXPECT_EQ(first.bytes, second.bytes);
    return second;
  } catch (const DiagnosticException& exception) {
    return {{}, exception.GetDiagnostic()};
  }
}

void ExpectFailure(const RunResult& result, DiagnosticCode code, const std::string& word) {
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->code, code);
  EXPECT_THAT(ToText(*result.failure), HasSubstr(word));
}

void ExpectReference(const RunResult& result, MakeNetwork make) {
  ASSERT_FALSE(result.failure.has_value()) << ToText(*result.failure);
  EXPECT_EQ(result.bytes, GetReference(make));
}

class EveryScenario : public ::testing::TestWithParam<ScenarioOfTest> {};

TEST_P(EveryScenario, AloneComputesWhatTheReferenceComputes) {
  const std::string& name = GetParam().name;
  const Machine machine({name});
  for (const MakeNetwork make : {&MakeConvolutionalModel, &MakeHalfPrecisionModel}) {
    const RunResult result = LoadAndRun(machine, make);
    if (name == "FdExporter") {
      ExpectFailure(result, DiagnosticCode::kNoTransfer, "MockFdExporter");  // nothing gets in
    } else if (name == "Throws") {
      ExpectFailure(result, DiagnosticCode::kTransferFailed, "MockThrows");
    } else {
      ExpectReference(result, make);
    }
  }
}

TEST_P(EveryScenario, HasItsTensorsInTheMemoryThatItPrefers) {
  if (GetParam().name == "FdExporter") return;
  std::vector<std::string> kinds = GetParam().preferences;
  if (kinds.empty()) kinds.push_back(kHostTensorHandleFactoryId);
  const Machine machine({GetParam().name});
  const auto model = machine.Load(&MakeConvolutionalModel);
  int num_inputs = 0;
  for (const PlacedTransfer& transfer : model->GetPlacement().transfers) {
    if (transfer.to_backend.empty()) continue;
    EXPECT_THAT(transfer.factory, AnyOfArray(kinds));
    ++num_inputs;
  }
  EXPECT_GT(num_inputs, 0);
}

/// What others can read but not write, and what can read others but not be read.
bool IsOneWay(const std::string& scenario) {
  static const std::set<std::string> one_way{"Importer", "FailingImport", "FdExporter"};
  return one_way.count(scenario) != 0;
}

void ExpectInTurn(const std::string& first, const std::string& second) {
  SCOPED_TRACE(first + " and " + second);
  const RunResult result = LoadAndRun(Machine({first, second}), &MakeConvolutionalModel);
  if (IsOneWay(first) || IsOneWay(second)) {
    ExpectFailure(result, DiagnosticCode::kNoTransfer, "cannot get from");
  } else if (first == "Throws" || second == "Throws") {
    ExpectFailure(result, DiagnosticCode::kTransferFailed, "MockThrows");
  } else {
    ExpectReference(result, &MakeConvolutionalModel);
  }
}

TEST_P(EveryScenario, InTurnWithAnotherComputesWhatTheReferenceComputes) {
  for (const ScenarioOfTest& other : GetScenarios()) {
    if (other.name != GetParam().name) ExpectInTurn(GetParam().name, other.name);
  }
  ExpectInTurn(GetParam().name, "CpuRef");
  ExpectInTurn("CpuRef", GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EveryScenario, ::testing::ValuesIn(GetScenarios()),
                         [](const auto& row) { return row.param.name; });

// The kind is not its own, although it has the id: its handles would be taken for others.
TEST(MockModels, AnIdThatAnotherBackendHasIsNotPreferred) {
  const Machine machine({"UnifiedA", "Clash"});
  const auto model = machine.Load(&MakeConvolutionalModel);
  bool is_read = false;
  for (const PlacedTransfer& transfer : model->GetPlacement().transfers) {
    if (transfer.to_backend != "MockClash") continue;
    EXPECT_EQ(transfer.factory, kHostTensorHandleFactoryId);
    is_read = true;
  }
  EXPECT_TRUE(is_read);
}

TEST(MockModels, AnImportThatFailsWithoutAnotherWayFailsTheRunAndNotTheNext) {
  OptimizerOptions options;
  options.model_options = {{"MockFailingImport", {{"fail_imports", 1}}}};
  const Machine machine({"FailingImport"});
  const auto model = machine.Load(&MakeConvolutionalModel, options);
  ExpectFailure(model->Run(), DiagnosticCode::kTransferFailed, "MockFailingImport");
  ExpectReference(model->Run(), &MakeConvolutionalModel);
}

TEST(MockModels, AnImportThatFailsIsACopyWhereTheMemoryCanBeMapped) {
  OptimizerOptions options;
  options.model_options = {{"MockFailingImportMaps", {{"fail_imports", 1}}}};
  const Machine machine({"FailingImportMaps"});
  const auto model = machine.Load(&MakeConvolutionalModel, options);
  for (int run = 0; run < 2; ++run) ExpectReference(model->Run(), &MakeConvolutionalModel);
  const BindingTransfers input = model->GetTransfers().inputs[0];
  EXPECT_EQ(input.copied_runs, 1U);
  EXPECT_EQ(input.imported_runs, 1U);
  EXPECT_NE(input.reason, "");
}

TEST(MockModels, AnImportBetweenBackendsThatFailsFailsTheRunAndNotTheNext) {
  OptimizerOptions options;
  options.model_options = {{"MockFailingImportMaps", {{"fail_imports", 1}}}};
  const Machine machine({"Exporter", "FailingImportMaps"});
  const auto model = machine.Load(&MakeChainModel, options);
  ExpectFailure(model->Run(), DiagnosticCode::kImportRefused, "MockFailingImportMaps");
  ExpectReference(model->Run(), &MakeChainModel);
}

TEST(MockModels, WhatThrowsIsNamedWithItsWords) {
  const std::string words = "the mock's memory cannot be mapped";
  for (const bool is_first : {true, false}) {  // at an input, and between backends
    const Machine machine(is_first ? std::vector<std::string>{"Throws", "Exporter"}
                                   : std::vector<std::string>{"Exporter", "Throws"});
    const auto model = machine.Load(&MakeChainModel);
    ExpectFailure(model->Run(), DiagnosticCode::kTransferFailed, "MockThrows");
    ExpectFailure(model->Run(), DiagnosticCode::kTransferFailed, words);
  }
}

}  // namespace
}  // namespace backplane::test
