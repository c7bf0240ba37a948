#include "tensors/memory_check.hpp"

#include "tensors/dense_layout.hpp"
#include "tensors/file_check.hpp"
#include "tensors/tensor_text.hpp"

#include <algorithm>

namespace backplane {

namespace {

struct SourceName {
  MemorySource source;
  const char* name;
};
constexpr SourceName kSourceNames[] = {
    {MemorySource::kMalloc, "malloc"},
    {MemorySource::kFileDescriptor, "file descriptor"},
    {MemorySource::kDmaBuf, "dma-buf"},
    {MemorySource::kDmaBufProtected, "protected dma-buf"},
};

void Add(std::string& text, const char* separator, const std::string& part) {
  if (part.empty()) return;
  if (!text.empty()) text += separator;
  text += part;
}

std::string Fault(const std::string& found, const std::string& expected) {
  return "found " + found + "; expected " + expected;
}

std::string DescribeBytes(std::uint64_t size_bytes) {
  return std::to_string(size_bytes) + " bytes";
}

std::string DescribeAccess(MemoryAccess access) {
  switch (access) {
    case MemoryAccess::kRead:
      return "reading";
    case MemoryAccess::kWrite:
      return "writing";
    case MemoryAccess::kReadWrite:
      return "reading and writing";
  }
  return "access " + std::to_string(static_cast<std::uint32_t>(access));
}

TensorShape ToShape(std::uint32_t rank, const std::int64_t* values) {
  TensorShape shape;
  for (std::uint32_t axis = 0; axis < rank; ++axis) shape.Append(values[axis]);
  return shape;
}

std::string FindTensorFault(const MemoryView& memory, const TensorInfo& info) {
  if (memory.layout != TensorLayout::kKnown) {
    return Fault("a tensor of opaque layout", "one that is dense");
  }
  const auto* dims = info.shape.dims;
  if (memory.data_type == info.data_type && memory.rank == info.shape.rank &&
      std::equal(dims, dims + info.shape.rank, memory.dims)) {
    return "";
  }
  const TensorInfo expected(info.shape, info.data_type);
  if (memory.rank > kMaxRank) {
    return Fault("a tensor of rank " + std::to_string(memory.rank), DescribeTensor(expected));
  }
  const TensorInfo found(ToShape(memory.rank, memory.dims), memory.data_type);
  return Fault(DescribeTensor(found), DescribeTensor(expected));
}

// Beyond dense strides there is nothing to compute: the last byte is where the tensor's size says.
std::string FindStrideFault(const MemoryView& memory, const TensorInfo& info) {
  if (IsDense(memory)) return "";
  MemoryView dense;
  SetDenseLayout(dense, info);
  return Fault("strides of " + DescribeShape(ToShape(memory.rank, memory.strides_bytes)) + " bytes",
               "dense ones, " + DescribeShape(ToShape(dense.rank, dense.strides_bytes)));
}

std::string FindSizeFault(const MemoryView& memory, const ImportRules& rules) {
  const std::uint64_t needed =
      std::max<std::uint64_t>(rules.info->GetSizeBytes(), rules.requirements.size_bytes);
  if (memory.size_bytes >= needed) return "";
  return Fault(DescribeBytes(memory.size_bytes), DescribeBytes(needed));
}

bool IsKnown(MemorySource source) {
  return std::any_of(std::begin(kSourceNames), std::end(kSourceNames),
                     [&](const SourceName& known) { return known.source == source; });
}

std::string FindSourceFault(MemorySource source, MemorySourceFlags allowed) {
  const bool is_known = IsKnown(source);
  if (is_known && (ToFlags(source) & allowed) != 0) return "";
  const std::string found = is_known || source == MemorySource::kUndefined
                                ? "memory of the source " + DescribeSources(ToFlags(source))
                                : "memory of the unknown source " + std::to_string(ToFlags(source));
  return Fault(found, DescribeSources(allowed));
}

std::string FindAlignmentFault(const MemoryView& memory, const ImportRules& rules) {
  const bool has_address = memory.source == MemorySource::kMalloc;
  const std::uint64_t place =
      has_address ? reinterpret_cast<std::uintptr_t>(memory.data) : memory.offset_bytes;
  const std::uint64_t element = std::max(GetDataTypeSizeBytes(rules.info->data_type), 1U);
  const std::uint64_t alignment = std::max<std::uint64_t>(rules.requirements.alignment_bytes, 1);
  if (place % alignment == 0 && place % element == 0) return "";
  std::string expected = "a multiple of " + std::to_string(std::max(alignment, element));
  if (alignment % element != 0 && element % alignment != 0) {
    expected += " and of " + std::to_string(std::min(alignment, element));
  }
  if (!has_address) return Fault("the offset " + std::to_string(place) + " in the file", expected);
  const std::uint64_t largest = place & (~place + 1);
  return Fault("an address that is a multiple of " + std::to_string(largest) + " and no more",
               expected);
}

std::string FindAddressFault(const MemoryView& memory, const TensorInfo& info) {
  if (memory.data == nullptr) {
    if (info.GetSizeBytes() == 0) return "";
    return Fault("no address", "that of " + DescribeBytes(info.GetSizeBytes()));
  }
  if (memory.size_bytes <= UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(memory.data)) return "";
  return Fault(DescribeBytes(memory.size_bytes) + " that reach beyond the last address",
               "memory that ends before it");
}

std::string FindPlaceFault(const MemoryView& memory, const ImportRules& rules) {
  if (memory.source == MemorySource::kMalloc) return FindAddressFault(memory, *rules.info);
  if (memory.source == MemorySource::kDmaBufProtected && memory.data != nullptr) {
    return Fault("protected memory with an address", "no address");
  }
  return FindFileFault(memory, rules.access);
}

std::string FindAccessFault(MemoryAccess found, MemoryAccess needed) {
  const auto missing = static_cast<std::uint32_t>(needed) & ~static_cast<std::uint32_t>(found);
  if (missing == 0) return "";
  return Fault("memory for " + DescribeAccess(found), "memory for " + DescribeAccess(needed));
}

}  // namespace

MemoryView CompleteView(const MemoryView& memory, const TensorInfo& info) {
  MemoryView view = memory;
  if (view.rank == 0 && view.data_type == DataType::kUndefined) SetDenseLayout(view, info);
  return view;
}

std::string FindImportFault(const MemoryView& memory, const ImportRules& rules) {
  std::string faults = FindTensorFault(memory, *rules.info);
  if (faults.empty()) faults = FindStrideFault(memory, *rules.info);
  Add(faults, "; ", FindSizeFault(memory, rules));
  const std::string source_fault = FindSourceFault(memory.source, rules.sources);
  Add(faults, "; ", source_fault);
  if (source_fault.empty()) {
    Add(faults, "; ", FindAlignmentFault(memory, rules));
    Add(faults, "; ", FindPlaceFault(memory, rules));
  }
  Add(faults, "; ", FindAccessFault(memory.access, rules.access));
  return faults;
}

std::string DescribeSources(MemorySourceFlags sources) {
  std::string text;
  for (const SourceName& known : kSourceNames) {
    if ((sources & ToFlags(known.source)) != 0) Add(text, " or ", known.name);
  }
  return text.empty() ? "none" : text;
}

}  // namespace backplane
