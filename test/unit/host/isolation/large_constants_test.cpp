/// Constants that a backend in another process adds while it optimises: of any size.

#include "isolation/answering.hpp"
#include "isolation/isolated_workload.hpp"
#include "isolation/worker_life.hpp"
#include "serving/asking.hpp"
#include "thread_worker.hpp"

#include <backplane/host/logging.hpp>

#include <gmock/gmock.h>

#include <cstring>

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
    serving::AskingBuilder builder(line, objects, 1);
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

TEST(SharedConstants, ThatSeveralLayersReadAreCopiedOnce) {
  const std::vector<unsigned char> tied = MakeBytes(100);
  const std::vector<unsigned char> other = MakeBytes(30);
  const ConstTensor first{TensorInfo({100}, DataType::kUInt8), tied.data()};
  const ConstTensor second{TensorInfo({10, 10}, DataType::kUInt8), tied.data()};
  const ConstTensor third{TensorInfo({30}, DataType::kUInt8), other.data()};
  const auto shared = isolation::ShareConstants({&first, nullptr, &third, &second});
  ASSERT_EQ(shared.areas.size(), 1U);
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
