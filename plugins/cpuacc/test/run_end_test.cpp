/// Runs that are to end before they are done.

#include "compile/compile.hpp"
#include "memory/aligned_memory.hpp"
#include "passes/passes.hpp"
#include "program/compiled_graph.hpp"
#include "subgraphs/compile_graph.hpp"
#include "test/network_case.hpp"
#include "threads/parallel.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::GraphTensor;
using cpuacc::RunEnd;
using cpuacc::Threads;

TEST(RunEnds, ComeByTheStopWordOrTheClock) {
  std::uint32_t stop = 0;
  EXPECT_FALSE(RunEnd().CanCome());
  EXPECT_FALSE(RunEnd().HasCome());
  const RunEnd by_word(&stop, 0);
  EXPECT_TRUE(by_word.CanCome());
  EXPECT_FALSE(by_word.HasCome());
  stop = 1;
  EXPECT_FALSE(by_word.WasSeen());
  EXPECT_TRUE(by_word.HasCome());
  EXPECT_TRUE(by_word.WasSeen());
  EXPECT_TRUE(RunEnd(nullptr, 1).HasCome());
  EXPECT_FALSE(RunEnd(nullptr, std::numeric_limits<std::uint64_t>::max()).HasCome());
}

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST(RunEnds, LeaveTheRestOfALoopUndone) {
  std::uint32_t stop = 0;
  const RunEnd end(&stop, 0);
  Ranges done;
  const auto note = [&](std::int64_t first, std::int64_t last) {
    done.emplace_back(first, last);
    if (last == 5) stop = 1;
  };
  cpuacc::UntilStopped(Threads(), 1, 9, 2, note);
  EXPECT_EQ(done, (Ranges{{1, 9}}));
  done.clear();
  cpuacc::UntilStopped(Threads().Until(end), 1, 4, 2, note);
  EXPECT_EQ(done, (Ranges{{1, 3}, {3, 4}}));
  done.clear();
  cpuacc::UntilStopped(Threads().Until(end), 1, 9, 2, note);
  EXPECT_EQ(done, (Ranges{{1, 3}, {3, 5}}));
}

/// 20 rows times a constant matrix give 400 columns.
NetworkCase MakeProduct() {
  NetworkCase network;
  const TensorId x = network.AddInput({20, 300});
  network.AddOutput(network.Add(LayerType::kBatchMatMul, BatchMatMulDescriptor(),
                                {x, network.AddConstant({300, 400})}, {20, 400}));
  return network;
}

/// Ends before the first step, and runs again.
TEST(RunEnds, AreToldAndLeaveTheGraphAsItWas) {
  const NetworkCase network = MakeProduct();
  cpuacc::PackedConstants constants;
  cpuacc::ThreadPool pool;
  const auto program = cpuacc::Compile(network.GetGraph(), cpuacc::Borders(), constants,
                                       cpuacc::Options(), Threads());
  const auto arena = cpuacc::AllocateAligned(program->GetMemoryBytes());
  cpuacc::ProgramState state(*program, static_cast<unsigned char*>(arena.get()));
  std::vector<float> rows(20 * 300, 0.5F);
  void* const inputs[] = {rows.data()};
  std::vector<float> results[3];
  std::uint32_t stop = 0;
  for (std::vector<float>& result : results) {
    result.resize(20 * 400);
    void* const outputs[] = {result.data()};
    const RunEnd end(&stop, 0);
    const bool is_done = program->Run(inputs, outputs, state, cpuacc::StepReporter(nullptr, ""),
                                      Threads().Until(end));
    EXPECT_EQ(is_done, stop == 0);
    stop = stop == 0 ? 1 : 0;
  }
  EXPECT_EQ(results[1], std::vector<float>(20 * 400));
  EXPECT_EQ(results[2], results[0]);
  EXPECT_NE(results[0], results[1]);
}

/// Ends before the first node. What was packed until then goes, and the graph is compiled anew.
TEST(RunEnds, EndCompiling) {
  const NetworkCase network = MakeProduct();
  cpuacc::ThreadPool pool;
  cpuacc::Options options;
  std::uint32_t stop = 1;
  const RunEnd end(&stop, 0);
  Graph graph = network.GetGraph();
  EXPECT_THROW(cpuacc::RunPasses(graph, end), std::runtime_error);
  cpuacc::PackedConstants constants;
  const auto compile = [&](const RunEnd& until) {
    return cpuacc::CompileOptimized(network.GetGraph(), cpuacc::Borders(), constants, options, pool,
                                    until);
  };
  EXPECT_THROW(compile(end), std::runtime_error);
  EXPECT_EQ(constants.CountBytes(), 0U);
  stop = 0;
  EXPECT_NE(compile(RunEnd(&stop, 0)), nullptr);
}

/// Large constants are packed piece by piece when the run may end, to the same.
TEST(RunEnds, LeavePackedConstantsAsTheyAre) {
  using dnnl::memory;
  using Tag = memory::format_tag;
  const std::uint32_t stop = 0;
  const RunEnd end(&stop, 0);
  for (const auto& [dims, tag] :
       std::vector<std::pair<memory::dims, Tag>>{{{1, 1040, 700}, Tag::aBc16b},
                                                 {{1, 1041, 700}, Tag::aBc16b},
                                                 {{1024, 512}, Tag::ba},
                                                 {{1024, 512}, Tag::BA16a16b},
                                                 {{160, 96, 7, 7}, Tag::ABcd16b16a}}) {
    const memory::desc plain(dims, memory::data_type::f32,
                             dims.size() == 4   ? Tag::abcd
                             : dims.size() == 3 ? Tag::abc
                                                : Tag::ab);
    const memory::desc to(dims, memory::data_type::f32, tag);
    std::vector<float> numbers(plain.get_size() / sizeof(float));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
    GraphTensor constant;
    constant.content = std::shared_ptr<const void>(std::shared_ptr<void>(), numbers.data());
    cpuacc::PackedConstants whole;
    cpuacc::PackedConstants pieces;
    const auto expected = whole.Pack(constant, plain, to);
    const auto found = pieces.Pack(constant, plain, to, Threads().Until(end));
    EXPECT_EQ(std::memcmp(found.get(), expected.get(), to.get_size()), 0);
  }
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
