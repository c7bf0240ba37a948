#include "mutants.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <stdexcept>

namespace backplane::fuzz {
namespace {

constexpr std::uint64_t kTruncationStep = 64;

template <typename Record>
Record Read(const std::string& bytes, std::uint64_t offset) {
  Record record;
  if (offset + sizeof(record) > bytes.size()) throw std::runtime_error("not a sound ELF file");
  std::memcpy(&record, bytes.data() + offset, sizeof(record));
  return record;
}

std::vector<ElfW(Phdr)> ReadSegments(const std::string& bytes) {
  const auto header = Read<ElfW(Ehdr)>(bytes, 0);
  std::vector<ElfW(Phdr)> segments;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    segments.push_back(Read<ElfW(Phdr)>(bytes, header.e_phoff + i * sizeof(ElfW(Phdr))));
  }
  return segments;
}

ElfW(Phdr) FindDynamic(const std::vector<ElfW(Phdr)>& segments) {
  const auto found = std::find_if(segments.begin(), segments.end(), [](const ElfW(Phdr) & segment) {
    return segment.p_type == PT_DYNAMIC;
  });
  if (found == segments.end()) throw std::runtime_error("no dynamic section");
  return *found;
}

// Where a table ends, and 0 when its address is in no segment.
std::uint64_t FindEndOfSegment(const std::vector<ElfW(Phdr)>& segments, std::uint64_t address) {
  for (const ElfW(Phdr) & segment : segments) {
    const bool is_inside = segment.p_type == PT_LOAD && segment.p_vaddr == segment.p_offset &&
                           address >= segment.p_vaddr &&
                           address - segment.p_vaddr < segment.p_filesz;
    if (is_inside) return segment.p_offset + segment.p_filesz;
  }
  return 0;
}

const std::map<std::int64_t, std::string>& GetTables() {
  static const std::map<std::int64_t, std::string> tables = {
      {DT_SYMTAB, "symbols"},          {DT_STRTAB, "strings"},
      {DT_GNU_HASH, "hash table"},     {DT_HASH, "old hash table"},
      {DT_VERSYM, "symbol versions"},  {DT_VERNEED, "needed versions"},
      {DT_VERDEF, "defined versions"}, {DT_RELA, "relocations"},
      {DT_REL, "old relocations"},     {DT_JMPREL, "relocations of calls"},
  };
  return tables;
}

// The tables lie side by side, so that each ends where the next one begins.
void AddTables(const std::string& bytes, std::vector<Region>& regions) {
  const std::vector<ElfW(Phdr)> segments = ReadSegments(bytes);
  const ElfW(Phdr) dynamic = FindDynamic(segments);
  std::map<std::uint64_t, std::string> by_offset;
  for (std::uint64_t at = 0; at < dynamic.p_filesz; at += sizeof(ElfW(Dyn))) {
    const auto entry = Read<ElfW(Dyn)>(bytes, dynamic.p_offset + at);
    const auto table = GetTables().find(entry.d_tag);
    if (table != GetTables().end()) by_offset[entry.d_un.d_val] = table->second;
  }
  for (auto table = by_offset.begin(); table != by_offset.end(); ++table) {
    std::uint64_t end = FindEndOfSegment(segments, table->first);
    const auto next = std::next(table);
    if (next != by_offset.end()) end = std::min(end, next->first);
    if (end > table->first) regions.push_back({table->second, table->first, end - table->first});
  }
}

constexpr std::uint64_t kTellingValues[] = {
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0xffff,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x7fffffffffffffff,
    0x8000000000000000,
    0xffffffffffffffff,
};

void CorruptOnce(const Region& region, std::mt19937_64& random, std::string& bytes) {
  const std::uint64_t at = region.offset + random() % region.size_bytes;
  char& byte = bytes[at];
  const std::uint64_t way = random() % 5;
  if (way == 0) byte = static_cast<char>(byte ^ (1 << random() % 8));
  if (way == 1) byte = static_cast<char>(random());
  if (way == 2) byte = static_cast<char>(byte + (random() % 2 == 0 ? 1 : -1));
  if (way < 3) return;
  // A whole number, aligned as those of the tables are.
  const std::uint64_t size_bytes = std::uint64_t{1} << (1 + random() % 3);
  const std::uint64_t start = at / size_bytes * size_bytes;
  const std::uint64_t value =
      way == 3 ? kTellingValues[random() % std::size(kTellingValues)] : random();
  if (start + size_bytes <= bytes.size()) std::memcpy(&bytes[start], &value, size_bytes);
}

}  // namespace

std::vector<Region> FindRegions(const std::string& bytes) {
  const auto header = Read<ElfW(Ehdr)>(bytes, 0);
  const ElfW(Phdr) dynamic = FindDynamic(ReadSegments(bytes));
  std::vector<Region> regions = {
      {"header", 0, sizeof(header)},
      {"program headers", header.e_phoff, header.e_phnum * sizeof(ElfW(Phdr))},
      {"dynamic section", dynamic.p_offset, dynamic.p_filesz},
  };
  AddTables(bytes, regions);
  return regions;
}

std::string Corrupt(const std::string& bytes, const std::vector<Region>& regions,
                    std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Region& region = regions.at(seed % regions.size());
  std::string corrupt = bytes;
  const std::uint64_t num_changes = 1 + (random() % 4 == 0 ? random() % 4 : 0);
  for (std::uint64_t i = 0; i < num_changes || corrupt == bytes; ++i) {
    CorruptOnce(region, random, corrupt);
  }
  return corrupt;
}

std::vector<std::uint64_t> GetTruncations(const std::string& bytes) {
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t length = 0; length < bytes.size(); length += kTruncationStep) {
    lengths.push_back(length);
  }
  return lengths;
}

std::string ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace backplane::fuzz
