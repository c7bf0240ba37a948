#include "products/packed_panels.hpp"

#include "cpu_layers/divide_up.hpp"
#include "layout/layout.hpp"
#include "memory/aligned_memory.hpp"
#include "simd/simd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

namespace backplane {
namespace cpuacc {
namespace {

constexpr std::int64_t kChunk = 1024;

/// Whether elements that were narrowed to 16 bits are the same again when they are widened. Those
/// of most models are not, which the first chunk tells.
bool AreExact(const float* elements, std::int64_t count, DataType type) {
  const HalfFunctions& halves = GetSimdFunctions().halves;
  std::array<std::uint16_t, kChunk> narrow;
  std::array<float, kChunk> wide;
  for (std::int64_t first = 0; first < count; first += kChunk) {
    const std::int64_t size = std::min(kChunk, count - first);
    const float* const chunk = elements + first;
    halves.GetNarrow(type)(chunk, narrow.data(), size);
    halves.GetWiden(type)(narrow.data(), wide.data(), size);
    const bool are_same =
        std::memcmp(chunk, wide.data(), static_cast<std::size_t>(size) * sizeof(float)) == 0;
    if (!are_same || !std::all_of(chunk, chunk + size, [](float x) { return std::isfinite(x); })) {
      return false;
    }
  }
  return true;
}

/// The type of 16 bits that has all elements as they are; float32: none has.
DataType FindExactType(const GraphTensor& matrix) {
  for (const DataType type : {DataType::kFloat16, DataType::kBFloat16}) {
    if (AreExact(GetFloats(matrix), matrix.info.shape.GetNumElements(), type)) return type;
  }
  return DataType::kFloat32;
}

/// The elements are looked at once, whatever plans there are.
/// Without instructions that widen them, elements of 16 bits take many rows longer than others.
DataType ChooseType(KernelMaker& maker, std::int64_t rows) {
  const GraphTensor& matrix = maker.GetInput(1);
  const bool widens_fast = FindSimdFunctions(InstructionSet::kAvx2) != nullptr;
  const bool is_large = matrix.info.shape.GetNumElements() >= kLargeMatrix;
  if (!is_large || (rows > kFewRows && !widens_fast)) return DataType::kFloat32;
  const auto type = maker.PackTogether({1}, "type of panels", [&] {
    std::shared_ptr<void> content = AllocateAligned(sizeof(DataType));
    *static_cast<DataType*>(content.get()) = FindExactType(matrix);
    return content;
  });
  return *static_cast<const DataType*>(type.get());
}

std::shared_ptr<const void> PackNarrow(const GraphTensor& matrix, const MatrixProblem& problem,
                                       DataType type, const Threads& threads) {
  const std::int64_t panels = cpu_layers::DivideUp(problem.columns, kPanelColumns);
  const auto panel_elements = static_cast<std::uint64_t>(problem.inner * kPanelColumns);
  const std::shared_ptr<void> wide = AllocateAligned(panel_elements * sizeof(float));
  std::shared_ptr<void> narrow =
      AllocateAligned(static_cast<std::uint64_t>(panels) * panel_elements * sizeof(std::uint16_t));
  const SimdFunctions& functions = GetSimdFunctions();
  auto* to = static_cast<std::uint16_t*>(narrow.get());
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    threads.RequireTime();
    const std::int64_t first = panel * kPanelColumns;
    PanelSource source;
    source.b = GetFloats(matrix) + first * problem.b.column;
    source.inner_step = problem.b.row;
    source.column_step = problem.b.column;
    source.inner = problem.inner;
    source.columns = std::min(kPanelColumns, problem.columns - first);
    functions.products.pack(source, static_cast<float*>(wide.get()));
    functions.halves.GetNarrow(type)(wide.get(), to, problem.inner * kPanelColumns);
    to += panel_elements;
  }
  return narrow;
}

/// Panels are the blocked layout of a tensor [1, columns, inner].
std::shared_ptr<const void> PackWide(KernelMaker& maker, const MatrixProblem& problem) {
  using dnnl::memory;
  const memory::dims dims = {1, problem.columns, problem.inner};
  const memory::desc from(dims, memory::data_type::f32,
                          {problem.columns * problem.inner, problem.b.column, problem.b.row});
  static_assert(kPanelColumns == 16, "the blocks of the layout have as many");
  return maker.Pack(1, from,
                    memory::desc(dims, memory::data_type::f32, memory::format_tag::nCw16c));
}

}  // namespace

PackedPanels PackPanels(KernelMaker& maker, const MatrixProblem& problem) {
  const GraphTensor& matrix = maker.GetInput(1);
  PackedPanels panels;
  panels.type = ChooseType(maker, problem.rows);
  if (panels.type == DataType::kFloat32) {
    panels.content = PackWide(maker, problem);
  } else {
    const std::string order = problem.b.column == 1 ? " by rows" : " by columns";
    panels.content = maker.PackTogether(
        {1}, "panels of " + std::string(GetDataTypeName(panels.type)) + order,
        [&] { return PackNarrow(matrix, problem, panels.type, maker.GetThreads()); });
  }
  return panels;
}

}  // namespace cpuacc
}  // namespace backplane
