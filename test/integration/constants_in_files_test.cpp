/// Constants of networks that lie in the pages of a file.

#include "application_tensor.hpp"
#include "support/build_tree.hpp"
#include "support/resident_memory.hpp"
#include "support/temporary_directory.hpp"

#include <cstdlib>
#include <numeric>

namespace backplane::test {
namespace {

/// Rows "x0" of an open number times a matrix in a file give "y0", which is twice as much.
class ConstantsInFiles : public ::testing::TestWithParam<const char*> {
 protected:
  ConstantsInFiles() {
    Floats doubling(kWidth * kWidth, 0);
    for (std::size_t i = 0; i < doubling.size(); i += kWidth + 1) doubling[i] = 2;
    const std::size_t size_bytes = doubling.size() * sizeof(float);
    const TemporaryDirectory folder;
    const std::string path = folder.Write(
        "w.bin", std::string(reinterpret_cast<const char*>(doubling.data()), size_bytes));
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    matrix_ = MapConstantData(file, 0, size_bytes);
    close(file);
    CreationOptions options;
    options.dynamic_backends_path = InBuildTree(BACKPLANE_BACKENDS_FOLDER);
    runtime_ = IRuntime::Create(options);
  }

  void Load() {
    auto network = INetwork::Create("product");
    const OutputSlot x = network->AddInputLayer(Float({1, kOpenExtent, kWidth}), "x0");
    const OutputSlot matrix =
        network->AddConstantLayer(Float({1, kWidth, kWidth}), matrix_, "matrix");
    const LayerId product = AddLayer<LayerType::kBatchMatMul>(*network, BatchMatMulDescriptor(),
                                                              {x, matrix}, "product");
    network->AddOutputLayer({product, 0}, "y0");
    id_ = runtime_->LoadNetwork(
        Optimize(std::move(network), {GetParam()}, runtime_->GetDeviceSpec(), {}));
  }

  void Run(std::int64_t rows) {
    const TensorShape shape{1, rows, kWidth};
    Floats values(static_cast<std::size_t>(rows * kWidth));
    std::iota(values.begin(), values.end(), 0.0F);
    Buffer x(values);
    ResultTensor result;
    OutputTensor output;
    output.result = &result;
    ExpectRun(*runtime_, id_, {AsInput(0, x, shape)}, {output});
    const auto* const begin = static_cast<const float*>(result.data.get());
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(begin[i], 2 * values[i]) << i;
  }

  static constexpr std::int64_t kWidth = 512;
  std::shared_ptr<const void> matrix_;
  std::unique_ptr<IRuntime> runtime_;
  NetworkId id_ = 0;
};

TEST_P(ConstantsInFiles, AreReadAgainForEachPlanThatNeedsThem) {
  Load();
  for (const std::int64_t rows : {1, 7, 100, 7, 1}) Run(rows);
}

TEST_P(ConstantsInFiles, TakeNoMemoryBesideWhatWasPackedOfThem) {
  if (std::string(GetParam()) != "CpuAcc" || std::getenv("BACKPLANE_ISOLATE_BACKENDS") != nullptr) {
    GTEST_SKIP() << "packs nothing here";
  }
  Load();
  for (const std::int64_t rows : {1, 7, 100}) {
    Run(rows);
    EXPECT_EQ(CountResidentKib(matrix_.get()), 0) << rows;
  }
}

#ifdef BACKPLANE_HAS_CPUACC
INSTANTIATE_TEST_SUITE_P(Backends, ConstantsInFiles, ::testing::Values("CpuRef", "CpuAcc"),
                         [](const auto& test) { return std::string(test.param); });
#else
INSTANTIATE_TEST_SUITE_P(Backends, ConstantsInFiles, ::testing::Values("CpuRef"),
                         [](const auto& test) { return std::string(test.param); });
#endif

}  // namespace
}  // namespace backplane::test
