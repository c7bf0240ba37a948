#include "layout/channel_blocks.hpp"

namespace backplane {
namespace cpuacc {
namespace {

using Tag = dnnl::memory::format_tag;

Tag FindTag(std::uint32_t rank, std::int64_t block) {
  struct Row {
    std::int64_t block;
    Tag tags[3];
  };
  static constexpr Row kRows[] = {{4, {Tag::nCw4c, Tag::nChw4c, Tag::nCdhw4c}},
                                  {8, {Tag::nCw8c, Tag::nChw8c, Tag::nCdhw8c}},
                                  {16, {Tag::nCw16c, Tag::nChw16c, Tag::nCdhw16c}}};
  for (const Row& row : kRows) {
    if (row.block == block && rank >= 3 && rank <= 5) return row.tags[rank - 3];
  }
  return Tag::undef;
}

}  // namespace

std::optional<Layout> MakeChannelBlocks(const TensorInfo& info, std::int64_t block) {
  const Tag tag = FindTag(info.shape.rank, block);
  if (tag == Tag::undef || !HasDnnlType(info.data_type)) return {};
  return Layout(dnnl::memory::desc(ToDims(info.shape), ToDnnlType(info.data_type), tag), info);
}

std::int64_t GetChannelBlock(const TensorInfo& info, const Layout& layout) {
  if (layout.IsPlain()) return 0;
  const dnnl_blocking_desc_t& blocking = layout.GetBlocked().data.format_desc.blocking;
  if (blocking.inner_nblks != 1 || blocking.inner_idxs[0] != 1) return 0;
  const std::int64_t block = blocking.inner_blks[0];
  const std::optional<Layout> expected = MakeChannelBlocks(info, block);
  return expected && *expected == layout ? block : 0;
}

std::int64_t GetNativeChannelBlock() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core:
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
      return 16;
    case dnnl::cpu_isa::avx2:
    case dnnl::cpu_isa::avx2_vnni:
      return 8;
    default:
      return 0;
  }
}

}  // namespace cpuacc
}  // namespace backplane
