/// Runs with a value that a layer cannot have: they fail, no backend is blamed, and the next run is
/// right. Where CpuAcc is not built, CpuRef is alone.

#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <backplane/api/descriptors/gather.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace backplane::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Rows of a table that the network has, taken by the indices that a run gives it, on one backend
/// before another.
class RefusedValues : public ::testing::TestWithParam<std::tuple<const char*, Isolation>> {
 protected:
  void SetUp() override {
    const std::string first = std::get<0>(GetParam());
    const std::string second = first == "CpuRef" ? "CpuAcc" : "CpuRef";
    for (const std::string& name : {first, second}) {
      const fs::path file =
          fs::path(InBuildTree(BACKPLANE_BACKENDS_FOLDER)) / ("Backplane_" + name + "_backend.so");
      if (!fs::exists(file)) continue;
      fs::copy(file, directory_.GetPath());
      preferences_.push_back(name);
    }
    if (preferences_.empty() || preferences_[0] != first) GTEST_SKIP() << first << " is not built";
    CreationOptions options;
    options.dynamic_backends_path = directory_.GetPath();
    options.isolation.rules = {{"*", std::get<1>(GetParam())}};
    runtime_ = IRuntime::Create(options);
  }

  NetworkId Load() const {
    const std::unique_ptr<INetwork> network = INetwork::Create("rows");
    const std::vector<float> table = {1, 2, 3, 4, 5, 6};
    const OutputSlot values = network->AddConstantLayer(
        {{3, 2}, DataType::kFloat32}, CopyConstantData(table.data(), 24), "table");
    const OutputSlot indices = network->AddInputLayer(indices_, "indices");
    const LayerId layer =
        AddLayer<LayerType::kGather>(*network, GatherDescriptor(), {values, indices}, "lookup");
    network->AddOutputLayer({layer, 0}, "y");
    OptimizerOptions options;
    options.on_failure = FailurePolicy::kPlaceElsewhere;
    return runtime_->LoadNetwork(
        Optimize(*network, preferences_, runtime_->GetDeviceSpec(), options));
  }

  Status Run(NetworkId id, std::int64_t index) {
    const std::vector<std::int64_t> x = {1, index};
    y_.assign(4, -77);
    failure_.reset();
    return runtime_->EnqueueWorkload(id, {{0, {indices_, x.data()}}}, {{0, y_.data(), 16}},
                                     &failure_);
  }

  const TensorInfo indices_{{2}, DataType::kInt64};
  MockDirectory directory_;
  std::vector<std::string> preferences_;
  std::unique_ptr<IRuntime> runtime_;
  std::vector<float> y_;
  std::optional<Diagnostic> failure_;
};

TEST_P(RefusedValues, FailTheirRunAndNothingElse) {
  const NetworkId id = Load();
  for (const std::int64_t index : {std::int64_t{3}, std::int64_t{-4}, INT64_MAX, INT64_MIN}) {
    EXPECT_EQ(Run(id, index), Status::kInvalidArgument);
    ASSERT_TRUE(failure_);
    EXPECT_EQ(failure_->code, DiagnosticCode::kValueRefused) << ToText(*failure_);
    EXPECT_THAT(ToText(*failure_), HasSubstr("\"lookup\""));
    EXPECT_THAT(failure_->why, HasSubstr("found " + std::to_string(index) +
                                         " as element 1 of the indices; expected -3 to 2"));
    EXPECT_TRUE(failure_->causes.empty());
    EXPECT_EQ(Run(id, -1), Status::kSuccess);
    EXPECT_EQ(y_, (std::vector<float>{3, 4, 5, 6}));
  }
  const FallbackReport report = runtime_->GetFallbackReport(id);
  EXPECT_FALSE(report.outcome) << ToText(*report.outcome);
  EXPECT_EQ(report.placement.layers.at(0).backend_id, std::get<0>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, RefusedValues,
                         ::testing::Combine(::testing::Values("CpuRef", "CpuAcc"),
                                            ::testing::Values(Isolation::kInProcess,
                                                              Isolation::kProcess)),
                         [](const auto& row) {
                           const bool is_isolated = std::get<1>(row.param) == Isolation::kProcess;
                           return std::string(std::get<0>(row.param)) +
                                  (is_isolated ? "Isolated" : "InProcess");
                         });

}  // namespace
}  // namespace backplane::test
