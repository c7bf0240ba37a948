#pragma once

/// Backends of the folder `languages` in the build tree, and the networks that they run.

#include "mock_rows.hpp"
#include "support/build_tree.hpp"
#include "support/temporary_directory.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace backplane::test {

struct Language {
  const char* name;
  const char* id;
  const char* refusal_of_sigmoid;
  const char* nan_option;      // of networks: a run fails that meets NaN; null: there is none
  const char* failure_by_nan;  // of the third of six elements
  const char* vendor = "Example";
};

inline void PrintTo(const Language& language, std::ostream* stream) {
  *stream << language.vendor << ' ' << language.id;
}

inline TensorInfo Float(const TensorShape& shape) {
  return {shape, DataType::kFloat32};
}

/// Numbers of all sorts.
inline std::vector<float> MakeInput(const TensorShape& shape, int turn = 0) {
  std::vector<float> values(static_cast<std::size_t>(shape.GetNumElements()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(turn)) % 13) / 3.0F - 2.0F;
  }
  const float special[] = {-0.0F, std::numeric_limits<float>::quiet_NaN(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::denorm_min(), -1e-40F};
  for (std::size_t i = 0; i < std::size(special) && i < values.size(); ++i) values[i] = special[i];
  return values;
}

class Network {
 public:
  explicit Network(const TensorShape& shape)
      : shape_(shape),
        network_(INetwork::Create("net")),
        last_(network_->AddInputLayer(Float(shape), "x")) {}

  Network& Activate(ActivationFunction function = ActivationFunction::kRelu) {
    ActivationDescriptor descriptor;
    descriptor.function = function;
    last_ = {AddLayer<LayerType::kActivation>(*network_, descriptor, {last_}, Name()), 0};
    return *this;
  }
  /// Adds a constant; as input 0 when `is_first`.
  Network& AddConstant(const TensorShape& shape, bool is_first = false) {
    std::vector<float> values(static_cast<std::size_t>(shape.GetNumElements()));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i % 5) / 7.0F - 0.3F;
    const OutputSlot constant = network_->AddConstantLayer(
        Float(shape), CopyConstantData(values.data(), values.size() * sizeof(float)), Name());
    return Sum(is_first ? constant : last_, is_first ? last_ : constant);
  }
  /// Keeps the tensor for AddKept.
  Network& Keep() {
    kept_ = last_;
    return *this;
  }
  Network& AddKept() { return Sum(last_, kept_); }
  /// Adds the tensor to itself.
  Network& Double() { return Sum(last_, last_); }
  /// The layer added last is for this backend.
  Network& On(const std::string& id) {
    network_->SetBackendHint(last_.layer, id);
    return *this;
  }
  const INetwork& Finish() {
    network_->AddOutputLayer(last_, "y");
    return *network_;
  }
  const TensorShape& GetShape() const { return shape_; }

 private:
  Network& Sum(OutputSlot a, OutputSlot b) {
    last_ = {AddLayer<LayerType::kElementwiseBinary>(*network_, ElementwiseBinaryDescriptor(),
                                                     {a, b}, Name()),
             0};
    return *this;
  }
  std::string Name() { return "layer " + std::to_string(num_layers_++); }

  TensorShape shape_;
  std::unique_ptr<INetwork> network_;
  OutputSlot last_;
  OutputSlot kept_;
  int num_layers_ = 0;
};

struct RunOutcome {
  Status status = Status::kSuccess;
  std::string failure;
  std::vector<float> output;
};

inline RunOutcome RunOnce(IRuntime& runtime, NetworkId id, const TensorShape& shape,
                          const std::vector<float>& input) {
  RunOutcome outcome;
  outcome.output.assign(input.size(), -77.0F);
  std::optional<Diagnostic> failure;
  outcome.status = runtime.EnqueueWorkload(
      id, {{0, {Float(shape), input.data()}}},
      {{0, outcome.output.data(), outcome.output.size() * sizeof(float)}}, &failure);
  if (failure) outcome.failure = ToText(*failure);
  return outcome;
}

inline bool HaveSameBytes(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

inline void ExpectSameBytes(const RunOutcome& found, const RunOutcome& expected) {
  EXPECT_EQ(found.status, Status::kSuccess) << found.failure;
  EXPECT_EQ(expected.status, Status::kSuccess) << expected.failure;
  EXPECT_TRUE(HaveSameBytes(found.output, expected.output))
      << ::testing::PrintToString(found.output) << "\n"
      << ::testing::PrintToString(expected.output);
}

/// A folder with one backend of a language and CpuRef.
class LanguageRow {
 public:
  LanguageRow(const Language& language, Isolation isolation)
      : language_(language),
        isolation_(isolation),
        file_name_(std::string(language.vendor) + "_" + language.id + "_backend.so") {}

  /// Whether it was built; a test skips where it was not, and says why.
  bool Copy() {
    const std::string source = InBuildTree("languages/" + file_name_);
    if (!std::filesystem::exists(source)) return false;
    std::filesystem::copy(source, GetPath());
    const std::string reference = "Backplane_CpuRef_backend.so";
    std::filesystem::copy(InBuildTree(std::string(BACKPLANE_BACKENDS_FOLDER) + "/" + reference),
                          folder_ / reference);
    return true;
  }
  std::unique_ptr<IRuntime> Create(CreationOptions options = {}) const {
    options.dynamic_backends_path = folder_.GetPath();
    if (isolation_ == Isolation::kProcess) options.isolation.rules = {{language_.id, isolation_}};
    return IRuntime::Create(options);
  }
  std::string GetPath() const { return folder_ / file_name_; }
  bool IsIsolated() const { return isolation_ == Isolation::kProcess; }

 private:
  Language language_;
  Isolation isolation_;
  std::string file_name_;
  TemporaryDirectory folder_;
};

class Languages : public ::testing::TestWithParam<std::tuple<Language, Isolation>> {
 protected:
  void SetUp() override {
    if (!row_.Copy())
      GTEST_SKIP() << "not built: no C compiler, no rustc 1.78 or later, or no Python was found";
  }

  std::shared_ptr<const IOptimizedNetwork> OptimizeHere(
      IRuntime& runtime, const INetwork& network, const OptimizerOptions& options = {}) const {
    return Optimize(network, {id_, "CpuRef"}, runtime.GetDeviceSpec(), options);
  }
  NetworkId LoadHere(IRuntime& runtime, const INetwork& network,
                     const OptimizerOptions& options = {}) const {
    auto optimized = OptimizeHere(runtime, network, options);
    for (const LayerPlacement& layer : optimized->GetPlacement().layers) {
      EXPECT_EQ(layer.backend_id, layer.hint.empty() ? id_ : layer.hint)
          << ToText(optimized->GetPlacement());
    }
    return runtime.LoadNetwork(std::move(optimized));
  }
  static NetworkId LoadReference(IRuntime& runtime, const INetwork& network) {
    return runtime.LoadNetwork(Optimize(network, {"CpuRef"}, runtime.GetDeviceSpec()));
  }
  void ExpectAsCpuRef(IRuntime& runtime, Network& network) const {
    const INetwork& finished = network.Finish();
    const NetworkId id = LoadHere(runtime, finished);
    const NetworkId reference = LoadReference(runtime, finished);
    for (int turn = 0; turn < 3; ++turn) {
      const std::vector<float> input = MakeInput(network.GetShape(), turn);
      ExpectSameBytes(RunOnce(runtime, id, network.GetShape(), input),
                      RunOnce(runtime, reference, network.GetShape(), input));
    }
  }

  bool IsFusing() const { return id_.compare(0, 7, "Example") == 0 || id_ == "Fusing"; }

  const Language language_ = std::get<0>(GetParam());
  const std::string id_ = language_.id;
  LanguageRow row_{language_, std::get<1>(GetParam())};
};

inline std::string NameRow(const ::testing::TestParamInfo<Languages::ParamType>& info) {
  const bool is_isolated = std::get<1>(info.param) == Isolation::kProcess;
  return std::string(std::get<0>(info.param).name) + (is_isolated ? "Isolated" : "InProcess");
}

inline const auto kWays = ::testing::Values(Isolation::kInProcess, Isolation::kProcess);

}  // namespace backplane::test
