/// Constants that a backend in another process adds or releases while it optimises: of any size.

#include "isolation/answering.hpp"
#include "isolation/isolated_workload.hpp"
#include "isolation/make_isolated.hpp"
#include "isolation/worker_life.hpp"
#include "serving/asking.hpp"
#include "serving/served_backend.hpp"
#include "thread_worker.hpp"

#include <backplane/host/logging.hpp>

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <string>

namespace backplane::test {
namespace {

using wire::Function;
using wire::Writer;

/// Takes constants, and nothing else.
class ConstantTaker final : public ISubgraphBuilder {
 public:
  Status AddLayer(const ReplacementLayer& /*layer*/, LayerId* /*id*/) override {
    return Status::kUnsupported;
  }
  Status AddPreCompiledLayer(const ReplacementLayer& /*layer*/,
                             std::shared_ptr<const IPreCompiledObject> /*object*/,
                             LayerId* /*id*/) override {
    return Status::kUnsupported;
  }
  Status AddConstant(const ConstTensor& tensor, const char* /*name*/, LayerId* id) override {
    const auto* const bytes = static_cast<const unsigned char*>(tensor.data);
    taken.emplace_back(bytes, bytes + tensor.info.GetSizeBytes());
    *id = static_cast<LayerId>(taken.size());
    return Status::kSuccess;
  }

  std::vector<std::vector<unsigned char>> taken;
};

std::vector<unsigned char> MakeBytes(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 31 + i / 251);
  return bytes;
}

TEST(LargeConstants, OfABackendInAnotherProcessTakeNoRoomInMessages) {
  const std::vector<std::size_t> sizes = {0, 1, 65'535, 65'536, std::size_t{48} << 20U};
  std::vector<LayerId> ids(sizes.size(), 0);
  isolation::WorkerPlan plan;
  plan.backend_id = "Adding";
  plan.logger = CreateBackendLogger("Adding");
  plan.starter = PlayInThread([&](WorkerEnds& ends) {
    ends.AnswerOpen();
    ends.Receive();
    serving::HostLine line(ends.calls.Get());
    serving::Objects objects;
    serving::AskingBuilder builder(line, objects, 1, nullptr);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::vector<unsigned char> bytes = MakeBytes(sizes[i] + 1);
      const ConstTensor tensor{TensorInfo({static_cast<std::int64_t>(sizes[i])}, DataType::kUInt8),
                               bytes.data()};
      EXPECT_EQ(builder.AddConstant(tensor, "weights", &ids[i]), Status::kSuccess) << sizes[i];
    }
    ends.Answer(Function::kOptimizeSubgraph, Writer());
    while (ends.Receive()) continue;
  });
  ConstantTaker taker;
  std::size_t longest = 0;
  {
    isolation::WorkerLife life(std::move(plan));
    const auto worker = life.Get();
    const auto answer = isolation::AnswerForSubgraph(worker, {}, 1, taker, nullptr);
    const auto measure = [&](const wire::Message& question) {
      longest = std::max(longest, question.body.size());
      return answer(question);
    };
    worker->Call(Function::kOptimizeSubgraph, Writer(), {}, measure);
  }
  ASSERT_EQ(taker.taken.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::vector<unsigned char> expected = MakeBytes(sizes[i] + 1);
    expected.pop_back();
    EXPECT_TRUE(taker.taken[i] == expected) << sizes[i];
    EXPECT_EQ(ids[i], i + 1);
  }
  EXPECT_LT(longest, std::size_t{128} << 10U);
}

/// Whether memory of so many bytes that processes share is mapped here.
bool IsMapped(std::size_t size_bytes) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (line.find("backplane-tensors") == std::string::npos) continue;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2 && end - begin == size_bytes) {
      return true;
    }
  }
  return false;
}

/// Does `optimize` when it is offered a sub-graph.
class OptimizingBackend final : public IBackendInternal {
 public:
  using Optimize = std::function<void(const OptimizeSubgraphArgs& args)>;
  explicit OptimizingBackend(Optimize optimize) : optimize_(std::move(optimize)) {}
  const char* GetId() const override { return "Optimizing"; }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& /*args*/) const override {
    return nullptr;
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& /*args*/) const override {
    return nullptr;
  }
  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    optimize_(args);
    return {};
  }

 private:
  Optimize optimize_;
};

/// Two layers: the first reads both constants, the second the first of them.
class TwoReaders final : public ISubgraphReader {
 public:
  TwoReaders(const ConstTensor& first, const ConstTensor& second) : constants_{&first, &second} {
    for (LayerView& layer : layers_) {
      layer.layer_type = LayerType::kElementwiseBinary;
      layer.id = static_cast<LayerId>(&layer - layers_ + 1);
      layer.inputs = slots_;
      layer.input_infos = infos_;
      layer.constants = constants_;
      layer.output_infos = infos_;
      layer.num_inputs = 3 - layer.id;
      layer.num_outputs = 1;
    }
  }
  Status GetLayer(LayerId id, const LayerView** layer) const override {
    *layer = &layers_[id - 1];
    return Status::kSuccess;
  }

 private:
  const ConstTensor* constants_[2];
  const TensorInfo* infos_[2] = {&constants_[0]->info, &constants_[1]->info};
  const OutputSlot slots_[2] = {{7, 0}, {8, 0}};
  LayerView layers_[2];
};

class ReleasingBuilder final : public ISubgraphBuilder {
 public:
  Status AddLayer(const ReplacementLayer& /*layer*/, LayerId* /*id*/) override {
    return Status::kUnsupported;
  }
  Status AddPreCompiledLayer(const ReplacementLayer& /*layer*/,
                             std::shared_ptr<const IPreCompiledObject> /*object*/,
                             LayerId* /*id*/) override {
    return Status::kUnsupported;
  }
  Status AddConstant(const ConstTensor& /*tensor*/, const char* /*name*/,
                     LayerId* /*id*/) override {
    return Status::kUnsupported;
  }
  Status ReleaseConstant(LayerId layer, std::uint32_t /*input*/) override {
    return layer == 1 || layer == 2 ? Status::kSuccess : Status::kNotFound;
  }
};

// Both sides are in this process.
TEST(SharedConstants, LeaveBothSidesWithTheLastReaderThatReleasesThem) {
  const std::vector<unsigned char> first_bytes = MakeBytes(std::size_t{17} << 20U);
  const std::vector<unsigned char> second_bytes = MakeBytes(std::size_t{18} << 20U);
  const ConstTensor first{TensorInfo({17 << 20}, DataType::kUInt8), first_bytes.data()};
  const ConstTensor second{TensorInfo({18 << 20}, DataType::kUInt8), second_bytes.data()};
  const auto optimize = [&](const OptimizeSubgraphArgs& args) {
    const auto release = [&](LayerId layer, std::uint32_t input) {
      return args.builder->ReleaseConstant(layer, input);
    };
    EXPECT_TRUE(IsMapped(first_bytes.size()) && IsMapped(second_bytes.size()));
    EXPECT_EQ(release(1, 0), Status::kSuccess);
    EXPECT_EQ(release(1, 0), Status::kSuccess);
    EXPECT_EQ(release(3, 0), Status::kNotFound);
    EXPECT_TRUE(IsMapped(first_bytes.size())) << "layer 2 reads it";
    EXPECT_EQ(release(1, 1), Status::kSuccess);
    EXPECT_FALSE(IsMapped(second_bytes.size()));
    std::shared_ptr<const void> shared;
    EXPECT_EQ(args.reader->ShareConstant(2, 0, &shared), Status::kSuccess);
    EXPECT_EQ(release(2, 0), Status::kSuccess);
    ASSERT_TRUE(IsMapped(first_bytes.size())) << "it is shared";
    EXPECT_EQ(std::memcmp(shared.get(), first_bytes.data(), first_bytes.size()), 0);
    shared.reset();
    EXPECT_FALSE(IsMapped(first_bytes.size()));
  };
  isolation::WorkerPlan plan;
  plan.backend_id = "Optimizing";
  plan.logger = CreateBackendLogger("Optimizing");
  plan.starter = PlayInThread([&](WorkerEnds& ends) {
    OptimizingBackend backend(optimize);
    serving::HostLine line(ends.calls.Get());
    serving::Notices notices(ends.notices.Get());
    serving::ServedBackend(backend, line, notices).Serve([](const char*) {});
  });
  const auto backend =
      isolation::MakeIsolatedBackend(std::make_shared<isolation::WorkerLife>(std::move(plan)));
  const TwoReaders reader(first, second);
  ReleasingBuilder builder;
  SubgraphView view;
  view.layers = {1, 2};
  OptimizeSubgraphArgs args;
  args.subgraph = &view;
  args.reader = &reader;
  args.builder = &builder;
  backend->OptimizeSubgraphView(args);
}

TEST(SharedConstants, ThatSeveralLayersReadAreCopiedOnce) {
  const std::vector<unsigned char> tied = MakeBytes(100);
  const std::vector<unsigned char> other = MakeBytes(30);
  const ConstTensor first{TensorInfo({100}, DataType::kUInt8), tied.data()};
  const ConstTensor second{TensorInfo({10, 10}, DataType::kUInt8), tied.data()};
  const ConstTensor third{TensorInfo({30}, DataType::kUInt8), other.data()};
  const auto shared = isolation::ShareConstants({&first, nullptr, &third, &second});
  ASSERT_EQ(shared.areas.size(), 4U);
  EXPECT_LE(shared.areas.front()->GetSizeBytes(), 4096U) << "it is no larger than what lies there";
  EXPECT_FALSE(shared.places[1]);
  EXPECT_EQ(shared.places[0]->offset_bytes, shared.places[3]->offset_bytes);
  EXPECT_EQ(shared.places[3]->info, second.info);
  for (const std::size_t i : {0, 2, 3}) {
    const std::vector<unsigned char>& expected = i == 2 ? other : tied;
    const auto& place = *shared.places[i];
    EXPECT_EQ(place.area, shared.areas.front()->GetId());
    EXPECT_EQ(std::memcmp(shared.areas.front()->GetData() + place.offset_bytes, expected.data(),
                          expected.size()),
              0);
  }
}

}  // namespace
}  // namespace backplane::test
