#include "memory/aligned_memory.hpp"
#include "program/compiled_graph.hpp"
#include "subgraphs/compile_graph.hpp"
#include "test/passes/pass_case.hpp"

#include <backplane/api/descriptors/concat.hpp>
#include <backplane/api/descriptors/slice.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace backplane {
namespace cpuacc_test {
namespace {

using Names = std::vector<std::string>;

constexpr std::int64_t kRows = 8;
const TensorShape kCache = {1, 2, kRows, 4};

TensorId AddRows(NetworkCase& network, TensorId cache, std::int64_t begin, std::int64_t count) {
  SliceDescriptor slice;
  slice.starts[2] = begin;
  TensorShape shape = kCache;
  shape[2] = count;
  std::copy(shape.dims, shape.dims + shape.rank, slice.extents);
  return network.Add(LayerType::kSlice, slice, {cache}, shape);
}

TensorId Join(NetworkCase& network, const std::vector<TensorId>& parts) {
  ConcatDescriptor concat;
  concat.axis = 2;
  return network.Add(LayerType::kConcat, concat, parts, kCache);
}

/// Some rows of a cache become others, which are computed; the output is the cache.
struct CacheCase {
  CacheCase(std::int64_t begin, std::int64_t count) {
    cache = network.AddInput(kCache);
    TensorShape shape = kCache;
    shape[2] = count;
    const TensorId added =
        AddActivation(network, network.AddInput(shape), ActivationFunction::kRelu);
    std::vector<TensorId> parts;
    if (begin > 0) parts.push_back(AddRows(network, cache, 0, begin));
    parts.push_back(added);
    const std::int64_t end = begin + count;
    if (end < kRows) parts.push_back(AddRows(network, cache, end, kRows - end));
    joined = Join(network, parts);
    network.AddOutput(joined);
  }

  NetworkCase network;
  TensorId cache = 0;
  TensorId joined = 0;
};

std::vector<InPlacePair> FindPairs(const NetworkCase& network) {
  return CompileAlone(network)->GetInPlacePairs();
}

TEST(ReplaceParts, OneNodeWritesTheRows) {
  for (const auto& [begin, count] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 1}, {3, 1}, {3, 2}, {7, 1}}) {
    CacheCase rows(begin, count);
    EXPECT_EQ(ListNodes(rows.network), (Names{"Elements+", "ReplacedPart"})) << begin;
    ExpectAsCpuRef(rows.network, Precision::kExact);
    const std::vector<InPlacePair> pairs = FindPairs(rows.network);
    ASSERT_EQ(pairs.size(), 1U) << begin;
    EXPECT_EQ(pairs[0].input, 0U);
    EXPECT_EQ(pairs[0].output, 0U);
  }
}

TEST(ReplaceParts, InTheMemoryOfTheInputOnlyTheRowsAreWritten) {
  CacheCase rows(3, 2);
  rows.network.AddOutput(AddActivation(rows.network, AddRows(rows.network, rows.joined, 1, 5),
                                       ActivationFunction::kRelu));
  const Graph& graph = rows.network.GetGraph();
  std::vector<StoredTensor> inputs = MakeInputs(graph, rows.network.GetRandom());
  const std::vector<StoredTensor> expected = RunOnCpuRef(graph, inputs);
  cpuacc::ThreadPool pool;
  const auto compiled = cpuacc::CompileGraph(graph, cpuacc::Options(), pool);
  ASSERT_EQ(compiled->GetInPlacePairs().size(), 1U);
  const std::shared_ptr<void> arena = cpuacc::AllocateAligned(compiled->GetMemoryBytes());
  cpuacc::CompiledGraphState state(*compiled, static_cast<unsigned char*>(arena.get()));
  std::vector<StoredTensor> outputs(1, StoredTensor(graph.tensors[graph.outputs[1]].info));
  const std::vector<void*> from = {inputs[0].bytes.data(), inputs[1].bytes.data()};
  const std::vector<void*> to = {inputs[0].bytes.data(), outputs[0].bytes.data()};
  for (int run = 0; run < 2; ++run) {
    compiled->Run(from.data(), to.data(), state, cpuacc::StepReporter(nullptr, ""), pool);
    ExpectSame({inputs[0], outputs[0]}, expected, Precision::kExact);
  }
}

// Rows that others read would be other ones already.
TEST(ReplaceParts, AnInputWithOtherReadersIsNotOverwritten) {
  CacheCase rows(3, 1);
  rows.network.AddOutput(AddActivation(rows.network, AddRows(rows.network, rows.cache, 3, 1),
                                       ActivationFunction::kRelu));
  EXPECT_TRUE(FindPairs(rows.network).empty());
  ExpectAsCpuRef(rows.network, Precision::kExact);
}

TEST(ReplaceParts, RowsThatMoveAreNotReplaced) {
  NetworkCase network;
  const TensorId cache = network.AddInput(kCache);
  TensorShape shape = kCache;
  shape[2] = 1;
  network.AddOutput(
      Join(network, {AddRows(network, cache, 1, kRows - 1), network.AddInput(shape)}));
  EXPECT_EQ(ListNodes(network), (Names{"Slice", "Concat"}));
  EXPECT_TRUE(FindPairs(network).empty());
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(ReplaceParts, TwoOtherPartsAreNotOne) {
  NetworkCase network;
  const TensorId cache = network.AddInput(kCache);
  TensorShape shape = kCache;
  shape[2] = 1;
  network.AddOutput(Join(network, {network.AddInput(shape), AddRows(network, cache, 1, kRows - 2),
                                   network.AddInput(shape)}));
  EXPECT_EQ(ListNodes(network), (Names{"Slice", "Concat"}));
  ExpectAsCpuRef(network, Precision::kExact);
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
