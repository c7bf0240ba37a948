/// A graph that was compiled for some extents and resized gives what CpuRef computes.

#include "subgraphs/resizable_graph.hpp"

#include "compile/compile.hpp"
#include "memory/aligned_memory.hpp"
#include "program/compiled_graph.hpp"
#include "test/attention_case.hpp"
#include "test/passes/random_network.hpp"

#include <backplane/api/descriptor_extents.hpp>
#include <backplane/api/descriptors/batch_mat_mul.hpp>
#include <backplane/api/descriptors/cast.hpp>
#include <backplane/api/descriptors/reduce.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <optional>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::CompiledGraph;
using cpuacc::ResizableGraph;

/// How a graph becomes another one, in the words of the Backend API.
struct Changes {
  std::vector<ExtentChange> extents;
  std::vector<OutputSlot> readers;
  std::vector<ConstTensor> constants;
};

/// Notes what a number becomes; false when it became another one before.
bool Note(std::map<std::int64_t, std::int64_t>& numbers, std::int64_t before, std::int64_t after) {
  return numbers.emplace(before, after).first->second == after;
}

bool NoteNodes(const cpuacc::Node& before, const cpuacc::Node& after,
               std::map<std::int64_t, std::int64_t>& numbers) {
  std::vector<std::int64_t> extents[2];
  const cpuacc::Node* const nodes[] = {&before, &after};
  for (int side = 0; side < 2; ++side) {
    std::vector<unsigned char> bytes = nodes[side]->descriptor;
    VisitExtents(nodes[side]->type, *reinterpret_cast<BaseDescriptor*>(bytes.data()),
                 [&](std::int64_t extent) { extents[side].push_back(extent); });
  }
  bool is_known =
      before.type == after.type && before.inputs == after.inputs && before.outputs == after.outputs;
  for (std::size_t i = 0; is_known && i < extents[0].size(); ++i) {
    is_known = Note(numbers, extents[0][i], extents[1][i]);
  }
  return is_known;
}

/// Nothing: they differ in more than extents, or two equal ones become different. Constants of
/// equal shape in `after` get the content that they have in `before`.
std::optional<Changes> FindChanges(const Graph& before, Graph& after) {
  if (before.nodes.size() != after.nodes.size() || before.tensors.size() != after.tensors.size()) {
    return {};
  }
  std::map<std::int64_t, std::int64_t> numbers;
  std::vector<bool> is_other(after.tensors.size());
  for (TensorId id = 0; id < after.tensors.size(); ++id) {
    const TensorShape& from = before.tensors[id].info.shape;
    const TensorShape& to = after.tensors[id].info.shape;
    if (from.rank != to.rank) return {};
    for (std::uint32_t axis = 0; axis < from.rank; ++axis) {
      if (!Note(numbers, from[axis], to[axis])) return {};
    }
    if (!after.tensors[id].IsConstant()) continue;
    is_other[id] = from != to;
    if (from == to) after.tensors[id].content = before.tensors[id].content;
  }
  Changes changes;
  for (std::uint32_t node = 0; node < after.nodes.size(); ++node) {
    if (!NoteNodes(before.nodes[node], after.nodes[node], numbers)) return {};
    for (std::uint32_t i = 0; i < after.nodes[node].inputs.size(); ++i) {
      const cpuacc::GraphTensor& input = after.Input(after.nodes[node], i);
      if (!is_other[after.nodes[node].inputs[i]]) continue;
      changes.readers.push_back({node, i});
      changes.constants.push_back({input.info, input.content.get()});
    }
  }
  for (const auto& [from, to] : numbers) {
    if (from != to && (from <= 1 || to <= 1)) return {};
    if (from != to) changes.extents.push_back({from, to});
  }
  return changes;
}

std::vector<LayerId> NumberNodes(const Graph& graph) {
  std::vector<LayerId> ids(graph.nodes.size());
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

/// A graph that is resized, and the pool and constants of all that it becomes.
class Resized {
 public:
  explicit Resized(const Graph& graph, int num_threads = 1)
      : graph_(graph), source_(graph, NumberNodes(graph)) {
    options_.num_threads = num_threads;
  }

  /// Null: it has to be offered anew. `after` gets constants of `graph` where they can be those.
  std::shared_ptr<const CompiledGraph> To(Graph& after) {
    const auto changes = FindChanges(graph_, after);
    return changes ? To(*changes) : nullptr;
  }

  std::shared_ptr<const CompiledGraph> To(const Changes& changes) {
    auto program = ToProgram(changes);
    if (!program) return nullptr;
    return std::make_shared<const CompiledGraph>(std::move(program), nullptr, 0);
  }

  /// With its steps.
  std::unique_ptr<const cpuacc::Program> ToProgram(const Changes& changes) {
    std::vector<const ConstTensor*> constants;
    for (const ConstTensor& constant : changes.constants) constants.push_back(&constant);
    ResizeArgs args;
    args.num_changes = static_cast<std::uint32_t>(changes.extents.size());
    args.changes = changes.extents.data();
    args.readers = changes.readers.data();
    args.constants = constants.data();
    args.num_constants = static_cast<std::uint32_t>(constants.size());
    change_ = source_.FindChange(args);
    std::unique_ptr<const cpuacc::Program> program;
    if (!change_) return program;
    const cpuacc::CompilerArgs with{&constants_, &options_,
                                    cpuacc::Threads(pool_, options_.num_threads)};
    source_.Resize(*change_, cpuacc::RunEnd(),
                   [&](const Graph& resized, const std::vector<std::size_t>& changed,
                       std::unique_ptr<cpuacc::Compiler>& compiler) {
                     program = cpuacc::Recompile(resized, changed, with, compiler);
                   });
    return program;
  }

  /// Compiles the graph of the last program anew.
  std::shared_ptr<const CompiledGraph> Anew() {
    return std::make_shared<const CompiledGraph>(
        cpuacc::Compile(source_.MakeResized(*change_), cpuacc::Borders(), constants_, options_,
                        cpuacc::Threads(pool_, options_.num_threads)),
        nullptr, 0);
  }

  std::vector<StoredTensor> Run(const CompiledGraph& compiled, const Graph& graph,
                                std::vector<StoredTensor> inputs) {
    const std::shared_ptr<void> arena = cpuacc::AllocateAligned(compiled.GetMemoryBytes());
    cpuacc::CompiledGraphState state(compiled, static_cast<unsigned char*>(arena.get()));
    std::vector<StoredTensor> outputs;
    for (const TensorId output : graph.outputs) outputs.emplace_back(graph.tensors[output].info);
    std::vector<void*> from;
    std::vector<void*> to;
    for (StoredTensor& input : inputs) from.push_back(input.bytes.data());
    for (StoredTensor& output : outputs) to.push_back(output.bytes.data());
    compiled.Run(from.data(), to.data(), state, cpuacc::StepReporter(nullptr, ""), pool_);
    return outputs;
  }

 private:
  const Graph graph_;
  cpuacc::ThreadPool pool_;
  cpuacc::PackedConstants constants_;
  cpuacc::Options options_;
  ResizableGraph source_;
  std::optional<ResizableGraph::Change> change_;
};

/// The graph is resized to another one, and gives what CpuRef computes.
void ExpectResized(Resized& resized, Graph after, Precision precision = Precision::kFast) {
  const auto compiled = resized.To(after);
  ASSERT_TRUE(compiled);
  Random random(3);
  const auto inputs = MakeInputs(after, random);
  ExpectSame(resized.Run(*compiled, after, inputs), RunOnCpuRef(after, inputs), precision);
}

constexpr std::int64_t kHeight = 11;
constexpr std::int64_t kOtherHeights[] = {17, 5, 29, 30, 31, 90, 5, 17};

class ResizedNetworks : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ResizedNetworks, AreWhatTheirLayersMean) {
  const NetworkCase network = RandomNetwork(GetParam(), kHeight).Make(14);
  Resized resized(network.GetGraph(), 1 + static_cast<int>(GetParam() % 2));
  for (const std::int64_t height : kOtherHeights) {
    SCOPED_TRACE(height);
    NetworkCase other = RandomNetwork(GetParam(), height).Make(14);
    Graph graph = other.GetGraph();
    const auto compiled = resized.To(graph);
    if (!compiled) continue;
    const auto inputs = MakeInputs(graph, other.GetRandom());
    const auto outputs = resized.Run(*compiled, graph, inputs);
    ExpectSame(outputs, RunOnCpuRef(graph, inputs), Precision::kFast);
    ExpectSame(resized.Run(*resized.Anew(), graph, inputs), outputs, Precision::kExact);
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, ResizedNetworks, testing::Range(0U, 100U));

TEST(ResizableGraphs, AreResizedAlmostAlways) {
  int num_alike = 0;
  int num_resized = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const NetworkCase network = RandomNetwork(seed, kHeight).Make(14);
    Graph graph = RandomNetwork(seed, 17).Make(14).GetGraph();
    const auto changes = FindChanges(network.GetGraph(), graph);
    if (!changes) continue;
    ++num_alike;
    if (Resized(network.GetGraph()).To(*changes)) ++num_resized;
  }
  EXPECT_GE(num_alike, 60);
  EXPECT_GE(num_resized * 10, num_alike * 9);
}

/// [rows, 6] times a constant matrix, then rows by rows, as attention has it.
Graph MakeProducts(std::int64_t rows) {
  NetworkCase network;
  const TensorId x = network.AddInput({1, rows, 6});
  const TensorId weights = network.AddConstant({6, 6});
  const TensorId y =
      network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(), {x, weights}, {1, rows, 6});
  BatchMatMulDescriptor by_rows;
  by_rows.transpose_b = 1;
  network.AddOutput(network.Add(LayerType::kBatchMatMul, by_rows, {y, y}, {1, rows, rows}));
  network.AddOutput(network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(),
                                {network.AddInput({1, 3, 6}), weights}, {1, 3, 6}));
  return network.GetGraph();
}

TEST(ResizableGraphs, KeepTheKernelsThatStayTheSame) {
  Resized resized(MakeProducts(7));
  Graph products[] = {MakeProducts(9), MakeProducts(10)};
  const auto nine = resized.ToProgram(*FindChanges(MakeProducts(7), products[0]));
  const auto ten = resized.ToProgram(*FindChanges(MakeProducts(7), products[1]));
  ASSERT_TRUE(nine && ten);
  std::set<const cpuacc::Kernel*> of_nine;
  for (const cpuacc::Step& step : nine->GetSteps()) of_nine.insert(step.kernel.get());
  int num_same = 0;
  for (const cpuacc::Step& step : ten->GetSteps()) {
    num_same += static_cast<int>(of_nine.count(step.kernel.get()));
  }
  EXPECT_EQ(ten->GetSteps().size(), 3U);
  EXPECT_EQ(num_same, 1);
}

TEST(MemoryOfValues, HasRoomForThoseThatGrow) {
  cpuacc::Values values(1);
  const cpuacc::GraphTensor tensor{Float({100}), nullptr, false};
  const cpuacc::ValueId grows = values.Add(tensor, 0, cpuacc::Layout());
  const cpuacc::ValueId stays = values.Add(tensor, 0, cpuacc::Layout());
  const std::vector<cpuacc::PlannedStep> steps = {{nullptr, {}, {grows, stays}}};
  cpuacc::MemoryOfValues memory;
  const auto plan = [&](std::uint64_t size_bytes) {
    values[grows].size_bytes = size_bytes;
    memory.Plan(values, steps);
    return memory.GetSizeBytes();
  };
  EXPECT_EQ(plan(6400), 6400U + 448);
  EXPECT_EQ(plan(12800), 16000U + 448);
  EXPECT_EQ(plan(12801), 16000U + 448);
  EXPECT_EQ(plan(16000), 16000U + 448);
  EXPECT_EQ(plan(8000), 16000U + 448);
  EXPECT_EQ(plan(7000), 7040U + 448) << "less than half is used";
  EXPECT_EQ(plan(7040), 8832U + 448);
  EXPECT_EQ(memory.GetOffset(grows), 0U);
  EXPECT_EQ(memory.GetOffset(stays), 8832U);
}

TEST(ResizableGraphs, MayGetOtherSteps) {
  NetworkCase network;
  SliceDescriptor columns;
  columns.extents[0] = 2;
  columns.extents[1] = 7;
  network.AddOutput(network.Add(LayerType::kSlice, columns, {network.AddInput({2, 9})}, {2, 7}));
  Graph graph = network.GetGraph();
  cpuacc::PackedConstants constants;
  const cpuacc::Options options;
  const cpuacc::CompilerArgs args{&constants, &options, cpuacc::Threads()};
  std::unique_ptr<cpuacc::Compiler> compiler;
  for (const std::int64_t width : {7, 8, 9, 7}) {
    SCOPED_TRACE(width);
    columns.extents[1] = width;
    graph.nodes[0].SetDescriptor(columns);
    graph.tensors[graph.outputs[0]].info.shape = {2, width};
    auto program = cpuacc::Recompile(graph, {0}, args, compiler);
    EXPECT_EQ(*program->GetSteps().at(0).name == "Copy", width == 9) << "all of x is a view of it";
    Random random(3);
    const auto inputs = MakeInputs(graph, random);
    ExpectSame(Resized(graph).Run(CompiledGraph(std::move(program), nullptr, 0), graph, inputs),
               RunOnCpuRef(graph, inputs), Precision::kExact);
  }
}

/// A product of bytes with a chain behind it, which becomes one node with real results.
Graph MakeScaledProduct(std::int64_t rows) {
  NetworkCase network;
  const TensorInfo matrix({8, 6}, DataType::kInt8);
  const TensorId sums =
      network.AddLayer(LayerType::kIntegerMatMul, NoDescriptor(),
                       {network.AddInput(TensorInfo({rows, 8}, DataType::kUInt8)),
                        network.AddConstant(MakeRandomTensor(matrix, network.GetRandom()))},
                       {TensorInfo({rows, 6}, DataType::kInt32)})[0];
  CastDescriptor cast;
  cast.to = DataType::kFloat32;
  const TensorId reals = network.Add(LayerType::kCast, cast, {sums}, {rows, 6});
  network.AddOutput(AddBinary(network, BinaryOperation::kMul, reals, network.AddInput(Float({}))));
  return network.GetGraph();
}

TEST(ResizableGraphs, ResizeWhatNoKernelOfALayerRuns) {
  Resized resized(MakeScaledProduct(7));
  ExpectResized(resized, MakeScaledProduct(9), Precision::kExact);
}

/// Attention is merged as long as heads are no wider than its kernel takes.
Graph MakeWideHeads(std::int64_t width) {
  NetworkCase network;
  const Heads heads = AddHeads(network, {2}, 9, 11, width);
  FinishAttention(network, heads, AddProduct(network, heads.queries, heads.keys, 1));
  return network.GetGraph();
}

TEST(ResizableGraphs, AreOfferedAnewWhereAPassWouldChooseOtherwise) {
  const Graph before = MakeWideHeads(1000);
  Resized resized(before);
  for (const std::int64_t width : {1010, 1024, 1017}) {
    SCOPED_TRACE(width);
    ExpectResized(resized, MakeWideHeads(width));
  }
  Graph wider = MakeWideHeads(1030);
  EXPECT_FALSE(resized.To(wider));
}

/// The rows of a constant that is folded, and of the input.
Graph MakeFoldedConstant(std::int64_t rows) {
  NetworkCase network;
  const TensorId table = network.AddConstant({9, 4});
  ReduceDescriptor sum;
  sum.num_axes = 1;
  const TensorId sums = network.Add(LayerType::kReduce, sum, {table}, {4});
  network.AddOutput(AddBinary(network, BinaryOperation::kMul, network.AddInput({rows, 4}), sums));
  return network.GetGraph();
}

TEST(ResizableGraphs, RefuseToChangeConstantsThatWereFolded) {
  Resized resized(MakeFoldedConstant(9));
  EXPECT_FALSE(resized.To(Changes{{{9, 10}}, {}, {}})) << "the constant has 9 rows too";
}

TEST(ExtentMaps, FollowMultiplesThatLeadToOneNumber) {
  cpuacc::ExtentMap map;
  map.numbers = {{7, 6}, {448, 384}, {18, 12}, {64, 64}};
  EXPECT_EQ(map.Get(1344), 1344) << "it is none of them";
  map.has_multiples = true;
  EXPECT_EQ(map.Get(1344), 1152) << "3 * 448, and 192 * 7";
  EXPECT_EQ(map.Get(64), 64);
  EXPECT_EQ(map.Get(5), 5);
  EXPECT_EQ(map.Get(0), 0);
  EXPECT_EQ(map.Get(7 * 18), 7 * 18) << "18 * 6, or 7 * 12";
}

/// Rows of a constant, from `start` on, added to each other and to the input.
Graph MakeRowsOfAConstant(std::int64_t start, std::int64_t count) {
  NetworkCase network;
  const TensorId table = network.AddConstant({40, 6});
  SliceDescriptor rows;
  rows.starts[0] = start;
  rows.extents[0] = count;
  rows.extents[1] = 6;
  const TensorId taken = network.Add(LayerType::kSlice, rows, {table}, {count, 6});
  const TensorId doubled = AddBinary(network, BinaryOperation::kAdd, taken, taken);
  network.AddOutput(
      AddBinary(network, BinaryOperation::kMul, network.AddInput({count, 6}), doubled));
  return network.GetGraph();
}

TEST(ResizableGraphs, ComputeFromConstantsWhatDependsOnExtents) {
  const Graph before = MakeRowsOfAConstant(13, 7);
  Resized resized(before);
  for (const std::int64_t count : {9, 10}) {
    ExpectResized(resized, MakeRowsOfAConstant(20, count));
  }
}

/// Rows of one input, and those of another from the 20th on: 20 is a multiple of 5, and stays.
Graph MakeRowsFromThe20th(std::int64_t rows) {
  NetworkCase network;
  SliceDescriptor last;
  last.starts[0] = 20;
  last.extents[0] = 3;
  last.extents[1] = 7;
  network.AddOutput(network.Add(LayerType::kSlice, last, {network.AddInput({23, 7})}, {3, 7}));
  network.AddOutput(AddActivation(network, network.AddInput({rows, 7}), ActivationFunction::kTanH));
  return network.GetGraph();
}

TEST(ResizableGraphs, KeepNumbersOfLayersThatAreMultiplesOfOthers) {
  Resized resized(MakeRowsFromThe20th(5));
  for (const std::int64_t rows : {6, 9, 16}) {
    SCOPED_TRACE(rows);
    ExpectResized(resized, MakeRowsFromThe20th(rows));
  }
}

TEST(ResizableGraphs, RefuseProductsThatBecomeDifferent) {
  // Twice 6 are 12, and stay so; 3 times 4 become 3 times 5.
  NetworkCase network;
  const TensorId x = network.AddInput({2, 6});
  const TensorId y = network.AddInput({3, 4});
  network.AddOutput(AddActivation(network, x, ActivationFunction::kTanH));
  network.AddOutput(AddActivation(network, y, ActivationFunction::kTanH));
  Resized resized(network.GetGraph());
  EXPECT_FALSE(resized.To(Changes{{{4, 5}}, {}, {}}));
}

TEST(ResizableGraphs, RefuseConstantsThatAreNoLongerOne) {
  NetworkCase network;
  const TensorId x = network.AddInput({2, 3});
  const TensorId constant = network.AddConstant({2, 3});
  const TensorId y = AddBinary(network, BinaryOperation::kAdd, x, constant);
  network.AddOutput(AddBinary(network, BinaryOperation::kMul, y, constant));
  Resized resized(network.GetGraph());
  const std::vector<float> ones(6, 1.0F);
  const std::vector<float> twos(6, 2.0F);
  const ConstTensor one{Float({2, 3}), ones.data()};
  const ConstTensor two{Float({2, 3}), twos.data()};
  EXPECT_FALSE(resized.To(Changes{{}, {{0, 1}, {1, 1}}, {one, two}})) << "two have its content";
  EXPECT_FALSE(resized.To(Changes{{}, {{0, 1}}, {one}})) << "one reads it as it was";
  EXPECT_FALSE(resized.To(Changes{{}, {{7, 1}}, {one}})) << "no such layer";
  EXPECT_FALSE(resized.To(Changes{{}, {{0, 2}}, {one}})) << "no such input";
  EXPECT_TRUE(resized.To(Changes{{}, {{0, 1}, {1, 1}}, {one, one}}));
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
