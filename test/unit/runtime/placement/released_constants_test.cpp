#include "placement/answers.hpp"
#include "runtime/runtime_fixture.hpp"
#include "support/resident_memory.hpp"
#include "support/temporary_directory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace backplane {
namespace {

// A chain of sums with one constant, of which is known whether its memory has gone.
class ReleasedConstants : public RuntimeFixture {
 protected:
  // Networks read the constant until they go.
  ~ReleasedConstants() override { runtime_.reset(); }

  std::shared_ptr<const void> MakeData() {
    return std::shared_ptr<const void>(values_.data(), [this](const void*) { is_freed_ = true; });
  }

  // The layers get the ids from 2 on; input 1 of each is the constant.
  std::unique_ptr<INetwork> MakeSums(const std::vector<std::string>& names) {
    auto network = INetwork::Create("sums");
    OutputSlot last = network->AddInputLayer(Float({4}), "x");
    const OutputSlot one = network->AddConstantLayer(Float({4}), MakeData(), "one");
    for (const std::string& name : names) last = {AddSum(*network, last, one, name), 0};
    network->AddOutputLayer(last, "y");
    return network;
  }

  std::shared_ptr<const IOptimizedNetwork> GiveUp(std::unique_ptr<INetwork> network,
                                                  const OptimizerOptions& options = {}) {
    return Optimize(std::move(network), {"A", "B"}, runtime_->GetDeviceSpec(), options);
  }

  // Lets go of the constants of these layers, and then does `then`.
  template <typename Then>
  void ReleaseAndThen(const std::vector<LayerId>& layers, const Then& then) {
    a_->optimize = [this, layers, then](const OptimizeSubgraphArgs& args) {
      for (const LayerId layer : layers) {
        EXPECT_FALSE(is_freed_);
        EXPECT_EQ(args.builder->ReleaseConstant(layer, 1), Status::kSuccess);
      }
      return then(args);
    };
  }
  void ReleaseAndAnswer(const std::vector<LayerId>& layers, Deed deed) {
    ReleaseAndThen(layers, [this, deed](const OptimizeSubgraphArgs& args) {
      was_freed_in_call_ = is_freed_;
      return AnswerByLayer(a_, args, [deed](const LayerView&) { return deed; });
    });
  }

  const std::vector<float> values_{1, 1, 1, 1};
  bool is_freed_ = false;
  bool was_freed_in_call_ = false;
};

TEST_F(ReleasedConstants, GoAtOnceWhenTheNetworkIsGivenUp) {
  ReleaseAndAnswer({2, 3}, Deed::kCompile);
  const auto network = GiveUp(MakeSums({"one", "two"}));
  EXPECT_TRUE(was_freed_in_call_);
  EXPECT_EQ(RunChain(runtime_->LoadNetwork(network)), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(ReleasedConstants, StayWhenTheNetworkIsKept) {
  ReleaseAndAnswer({2, 3}, Deed::kLeave);
  const auto network = MakeSums({"one", "two"});
  const NetworkId id = runtime_->LoadNetwork(OptimizeFor(*network, {"A"}));
  EXPECT_FALSE(is_freed_);
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(ReleasedConstants, StayForFallbacks) {
  ReleaseAndAnswer({2, 3}, Deed::kCompile);
  OptimizerOptions options;
  options.on_failure = FailurePolicy::kPlaceElsewhere;
  const auto network = GiveUp(MakeSums({"one", "two"}), options);
  EXPECT_FALSE(is_freed_);
}

TEST_F(ReleasedConstants, StayUntilTheLastReaderLetsGo) {
  ReleaseAndAnswer({3}, Deed::kCompile);
  const auto network = GiveUp(MakeSums({"one", "two"}));
  EXPECT_FALSE(was_freed_in_call_);
  EXPECT_TRUE(is_freed_) << "nobody reads it when all layers are replaced";
}

TEST_F(ReleasedConstants, StayForReadersOnOtherBackends) {
  ReleaseAndAnswer({2}, Deed::kCompile);
  auto sums = MakeSums({"one", "two"});
  sums->SetBackendHint(3, "B");
  const NetworkId id = runtime_->LoadNetwork(GiveUp(std::move(sums)));
  EXPECT_FALSE(is_freed_);
  EXPECT_EQ(RunChain(id), (std::vector<float>{2, 3, 4, 5}));
}

TEST_F(ReleasedConstants, StayWhenTheyAreOutputs) {
  ReleaseAndAnswer({2}, Deed::kCompile);
  auto sums = MakeSums({"one"});
  sums->AddOutputLayer({1, 0}, "constant");
  const auto network = GiveUp(std::move(sums));
  EXPECT_FALSE(is_freed_);
}

TEST_F(ReleasedConstants, StayWhileTheyAreShared) {
  std::shared_ptr<const void> shared;
  a_->optimize = [&](const OptimizeSubgraphArgs& args) {
    EXPECT_EQ(args.reader->ShareConstant(2, 1, &shared), Status::kSuccess);
    EXPECT_EQ(shared.get(), values_.data());
    EXPECT_EQ(args.builder->ReleaseConstant(2, 1), Status::kSuccess);
    return AnswerByLayer(a_, args, [](const LayerView&) { return Deed::kCompile; });
  };
  auto network = GiveUp(MakeSums({"one"}));
  network.reset();
  EXPECT_FALSE(is_freed_);
  shared.reset();
  EXPECT_TRUE(is_freed_);
}

TEST_F(ReleasedConstants, AreAskedForByLayersAndInputsThatHaveThem) {
  a_->optimize = [&](const OptimizeSubgraphArgs& args) {
    std::shared_ptr<const void> shared;
    EXPECT_EQ(args.reader->ShareConstant(2, 1, nullptr), Status::kInvalidArgument);
    for (const auto& [layer, input, status] :
         {std::tuple(3U, 1U, Status::kNotFound), std::tuple(1U, 0U, Status::kNotFound),
          std::tuple(9000U, 0U, Status::kNotFound), std::tuple(2U, 0U, Status::kInvalidArgument),
          std::tuple(2U, 2U, Status::kInvalidArgument)}) {
      EXPECT_EQ(args.reader->ShareConstant(layer, input, &shared), status);
      EXPECT_EQ(args.builder->ReleaseConstant(layer, input), status);
    }
    EXPECT_EQ(shared, nullptr);
    EXPECT_EQ(args.builder->ReleaseConstant(2, 1), Status::kSuccess);
    EXPECT_EQ(args.builder->ReleaseConstant(2, 1), Status::kSuccess);
    EXPECT_FALSE(is_freed_) << "one reader counts once";
    return AnswerByLayer(a_, args, [](const LayerView&) { return Deed::kCompile; });
  };
  auto sums = MakeSums({"one", "two"});
  sums->SetBackendHint(3, "B");
  GiveUp(std::move(sums));
}

class LostConstants : public ReleasedConstants {
 protected:
  // Gives the cause that tells why.
  Diagnostic ExpectLost() {
    const Diagnostic diagnostic = CatchDiagnostic([&] { GiveUp(MakeSums({"one"})); });
    ExpectDiagnostic(diagnostic, DiagnosticCode::kConstantReleased, "one", "\"A\"", "");
    ExpectContains(diagnostic.fix, "keep the network");
    ExpectContains(diagnostic.what, "layer \"one\"");
    return diagnostic.causes.empty() ? Diagnostic{} : diagnostic.causes[0];
  }
};

TEST_F(LostConstants, OfLayersThatAreLeftAreNamed) {
  ReleaseAndAnswer({2}, Deed::kLeave);
  ExpectLost();
}

TEST_F(LostConstants, OfLayersThatAreFailedAreNamed) {
  ReleaseAndAnswer({2}, Deed::kFail);
  ExpectLost();
}

TEST_F(LostConstants, OfABackendThatThrowsAreNamedWithWhatItThrew) {
  ReleaseAndThen({2}, [](const OptimizeSubgraphArgs&) -> OptimizationViews {
    throw std::runtime_error("no memory for weights");
  });
  const Diagnostic cause = ExpectLost();
  EXPECT_EQ(cause.code, DiagnosticCode::kBackendThrew);
  ExpectContains(cause.why, "no memory for weights");
}

TEST_F(LostConstants, OfAnAnswerThatCannotBeUsedAreNamedWithWhatIsWrong) {
  ReleaseAndThen({2}, [](const OptimizeSubgraphArgs&) { return OptimizationViews(); });
  EXPECT_EQ(ExpectLost().code, DiagnosticCode::kInvalidOptimization);
}

TEST_F(ReleasedConstants, AreNotKeptInACacheUnderTheNameOfOthers) {
  class Cache : public ICompiledNetworkCache {
   public:
    Status Load(const std::string&, std::vector<std::uint8_t>&) override {
      return Status::kNotFound;
    }
    Status Store(const std::string&, const std::vector<std::uint8_t>&) override {
      ADD_FAILURE() << "stored";
      return Status::kSuccess;
    }
  };
  ReleaseAndThen({2}, [this](const OptimizeSubgraphArgs& args) {
    EXPECT_EQ(args.cache->Store("key", "content", 7), Status::kFailure);
    return AnswerByLayer(a_, args, [](const LayerView&) { return Deed::kCompile; });
  });
  OptimizerOptions options;
  options.compiled_cache = std::make_shared<Cache>();
  const auto network = GiveUp(MakeSums({"one"}), options);
  ASSERT_EQ(network->GetPlacement().warnings.size(), 1U);
  ExpectContains(network->GetPlacement().warnings[0].why, "constants that the backend had let go");
}

// Constants in the pages of a file, which is no longer open nor has a name.
class ConstantsInFiles : public ReleasedConstants {
 protected:
  ConstantsInFiles() {
    const test::TemporaryDirectory folder;
    const std::string path = folder.Write("w.bin", std::string(kBytes, '\1'));
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    data_ = MapConstantData(file, 0, kBytes);
    close(file);
  }

  std::unique_ptr<INetwork> MakeSum() {
    auto network = INetwork::Create("sum");
    const OutputSlot x = network->AddInputLayer(Float({kElements}), "x");
    const OutputSlot one = network->AddConstantLayer(Float({kElements}), data_, "one");
    network->AddOutputLayer({AddSum(*network, x, one, "sum"), 0}, "y");
    return network;
  }

  // Reads the constant, lets go of it, and answers.
  void ReadAndRelease(Deed deed) {
    a_->optimize = [this, deed](const OptimizeSubgraphArgs& args) {
      const LayerView* layer = nullptr;
      EXPECT_EQ(args.reader->GetLayer(2, &layer), Status::kSuccess);
      const auto* bytes = static_cast<const char*>(layer->constants[1]->data);
      EXPECT_EQ(std::string(bytes, kBytes), std::string(kBytes, '\1'));
      kib_when_read_ = test::CountResidentKib(bytes);
      EXPECT_EQ(args.builder->ReleaseConstant(2, 1), Status::kSuccess);
      kib_when_released_ = test::CountResidentKib(bytes);
      return AnswerByLayer(a_, args, [deed](const LayerView&) { return deed; });
    };
  }

  static constexpr std::int64_t kElements = std::int64_t{1} << 18;
  static constexpr std::size_t kBytes = kElements * sizeof(float);
  std::shared_ptr<const void> data_;
  long kib_when_read_ = 0;
  long kib_when_released_ = 0;
};

TEST_F(ConstantsInFiles, TakeNoMemoryWhenAllHaveLetGo) {
  ASSERT_NE(data_, nullptr);
  ReadAndRelease(Deed::kLeave);
  const auto network = MakeSum();
  const auto placed = OptimizeFor(*network, {"A"});
  EXPECT_EQ(kib_when_read_, static_cast<long>(kBytes / 1024));
  EXPECT_EQ(kib_when_released_, 0);
  const auto* bytes = static_cast<const char*>(data_.get());
  EXPECT_EQ(std::string(bytes, kBytes), std::string(kBytes, '\1')) << "they are read again";
}

TEST_F(ConstantsInFiles, GoWithTheNetworkThatIsGivenUp) {
  const void* const address = data_.get();
  ReadAndRelease(Deed::kCompile);
  auto network = MakeSum();
  data_.reset();
  const auto placed = GiveUp(std::move(network));
  EXPECT_EQ(kib_when_released_, -1);
  EXPECT_EQ(test::CountResidentKib(address), -1);
}

TEST(MapConstantData, IsNullForWhatIsNotThere) {
  const test::TemporaryDirectory folder;
  const int file = open(folder.Write("w.bin", "12345678").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(MapConstantData(file, 1, 8), nullptr);
  EXPECT_EQ(MapConstantData(file, 0, 0), nullptr);
  EXPECT_EQ(MapConstantData(-1, 0, 8), nullptr);
  const auto data = MapConstantData(file, 4, 4);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(std::string(static_cast<const char*>(data.get()), 4), "5678");
  close(file);
}

TEST_F(ReleasedConstants, AreReportedAsWhatTheBackendHoldsOfThem) {
  a_->constant_bytes = 48;
  ReleaseAndAnswer({2}, Deed::kCompile);
  const NetworkId id = runtime_->LoadNetwork(GiveUp(MakeSums({"one"})));
  const MemoryReport report = runtime_->GetMemoryReport(id);
  EXPECT_EQ(report.constants_bytes, 48U);
  ASSERT_EQ(report.packed_constants.size(), 1U);
  EXPECT_EQ(report.packed_constants[0].backend_id, "A");
  EXPECT_EQ(report.packed_constants[0].packed_bytes, 48U);
}

}  // namespace
}  // namespace backplane
