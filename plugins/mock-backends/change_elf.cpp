/// Changes single values of an ELF file, for rows of defects.def.
///
///     change_elf FILE CHANGE...
///
/// Each change is <place>=<value>, the value a number, or a text in text.<text>:
///   header.<field>                  type, version, phoff, phentsize, phnum, shoff, shnum, shstrndx
///   segment.<type>.<n>.<field>      the n-th LOAD, DYNAMIC, NOTE, GNU_STACK: type, flags, offset,
///                                   vaddr, filesz, memsz, align
///   dynamic.<tag>.<field>           the first NEEDED, STRTAB and so on: tag, value
///   symbol.<n>.name                 of a dynamic symbol
///   symbols.value                   of the first symbol that is exported
///   versions.<n>                    the version of a dynamic symbol
///   relocation.symbol, .target      of the first relocation
///   isa                             the levels of the processor in the property note
///   text.<text>                     everywhere; the new text is as long

#include <elf.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::string>;

// Where a value lies.
struct Place {
  std::size_t offset = 0;
  std::size_t size_bytes = 0;
};

#define FIELD(record, field)                       \
  Place {                                          \
    offsetof(record, field), sizeof(record::field) \
  }

const std::map<std::string, Place> kHeaderFields = {
    {"type", FIELD(ElfW(Ehdr), e_type)},           {"version", FIELD(ElfW(Ehdr), e_version)},
    {"phoff", FIELD(ElfW(Ehdr), e_phoff)},         {"phnum", FIELD(ElfW(Ehdr), e_phnum)},
    {"phentsize", FIELD(ElfW(Ehdr), e_phentsize)}, {"shoff", FIELD(ElfW(Ehdr), e_shoff)},
    {"shnum", FIELD(ElfW(Ehdr), e_shnum)},         {"shstrndx", FIELD(ElfW(Ehdr), e_shstrndx)},
};

const std::map<std::string, Place> kSegmentFields = {
    {"type", FIELD(ElfW(Phdr), p_type)},     {"flags", FIELD(ElfW(Phdr), p_flags)},
    {"offset", FIELD(ElfW(Phdr), p_offset)}, {"vaddr", FIELD(ElfW(Phdr), p_vaddr)},
    {"filesz", FIELD(ElfW(Phdr), p_filesz)}, {"memsz", FIELD(ElfW(Phdr), p_memsz)},
    {"align", FIELD(ElfW(Phdr), p_align)},
};

const std::map<std::string, Place> kDynamicFields = {
    {"tag", FIELD(ElfW(Dyn), d_tag)},
    {"value", Place{sizeof(ElfW(Dyn)::d_tag), sizeof(ElfW(Addr))}},
};

#undef FIELD

const std::map<std::string, std::uint32_t> kSegmentTypes = {
    {"LOAD", PT_LOAD},           {"DYNAMIC", PT_DYNAMIC},           {"NOTE", PT_NOTE},
    {"GNU_STACK", PT_GNU_STACK}, {"GNU_PROPERTY", PT_GNU_PROPERTY},
};

const std::map<std::string, std::int64_t> kTags = {
    {"NEEDED", DT_NEEDED},
    {"STRTAB", DT_STRTAB},
    {"STRSZ", DT_STRSZ},
    {"SYMTAB", DT_SYMTAB},
    {"GNU_HASH", DT_GNU_HASH},
    {"RELA", DT_RELA},
    {"RELASZ", DT_RELASZ},
    {"RELACOUNT", DT_RELACOUNT},
    {"JMPREL", DT_JMPREL},
    {"VERSYM", DT_VERSYM},
    {"VERNEED", DT_VERNEED},
    {"INIT", DT_INIT},
    {"FINI", DT_FINI},
    {"INIT_ARRAY", DT_INIT_ARRAY},
    {"FINI_ARRAY", DT_FINI_ARRAY},
    {"PLTRELSZ", DT_PLTRELSZ},
    {"NULL", DT_NULL},
};

template <typename Value>
const Value& Find(const std::map<std::string, Value>& table, const std::string& name) {
  const auto found = table.find(name);
  if (found == table.end()) throw std::runtime_error("'" + name + "' is not known");
  return found->second;
}

class File {
 public:
  explicit File(const std::string& path) : path_(path) {
    std::ifstream stream(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }

  void Apply(const std::string& change) {
    const std::size_t equals = change.rfind('=');
    if (equals == std::string::npos) throw std::runtime_error("'" + change + "' has no value");
    const std::string place = change.substr(0, equals);
    const std::string value = change.substr(equals + 1);
    if (place.compare(0, 5, "text.") == 0) {
      ReplaceText(place.substr(5), value);
    } else {
      Write(Locate(Split(place)), std::strtoull(value.c_str(), nullptr, 0));
    }
  }

  void Save() const { std::ofstream(path_, std::ios::binary) << bytes_; }

 private:
  static Words Split(const std::string& text) {
    Words words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, '.');) words.push_back(word);
    words.resize(4);
    return words;
  }

  Place Locate(const Words& words) const {
    if (words[0] == "header") return Find(kHeaderFields, words[1]);
    if (words[0] == "segment") {
      const std::size_t segment = FindSegment(words[1], std::stoul(words[2]));
      return Shift(segment, Find(kSegmentFields, words[3]));
    }
    if (words[0] == "dynamic") {
      return Shift(FindDynamic(words[1]), Find(kDynamicFields, words[2]));
    }
    if (words[0] == "symbol") {
      return {GetTable("SYMTAB") + std::stoul(words[1]) * sizeof(ElfW(Sym)), sizeof(ElfW(Word))};
    }
    if (words[0] == "versions") {
      return {GetTable("VERSYM") + std::stoul(words[1]) * sizeof(ElfW(Half)), sizeof(ElfW(Half))};
    }
    if (words[0] == "symbols") return FindExported();
    if (words[0] == "relocation") {
      if (words[1] == "target") return {GetTable("RELA"), sizeof(ElfW(Addr))};
      // The symbol is the upper half of r_info.
      const std::size_t info = offsetof(ElfW(Rela), r_info);
      return {GetTable("RELA") + info + sizeof(std::uint32_t), sizeof(std::uint32_t)};
    }
    if (words[0] == "isa") return FindIsaLevels();
    throw std::runtime_error("'" + words[0] + "' is not a place");
  }

  template <typename Record>
  Record Read(std::size_t offset) const {
    Record record;
    if (offset + sizeof(record) > bytes_.size()) throw std::runtime_error("outside the file");
    std::memcpy(&record, bytes_.data() + offset, sizeof(record));
    return record;
  }

  static Place Shift(std::size_t offset, Place field) {
    return {offset + field.offset, field.size_bytes};
  }

  std::size_t FindSegment(const std::string& type, std::size_t n) const {
    const auto header = Read<ElfW(Ehdr)>(0);
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
      const std::size_t offset = header.e_phoff + i * sizeof(ElfW(Phdr));
      if (Read<ElfW(Phdr)>(offset).p_type == Find(kSegmentTypes, type) && n-- == 0) return offset;
    }
    throw std::runtime_error("no segment " + type);
  }

  std::size_t FindDynamic(const std::string& tag) const {
    const auto segment = Read<ElfW(Phdr)>(FindSegment("DYNAMIC", 0));
    for (std::size_t at = 0; at < segment.p_filesz; at += sizeof(ElfW(Dyn))) {
      if (Read<ElfW(Dyn)>(segment.p_offset + at).d_tag == Find(kTags, tag)) {
        return segment.p_offset + at;
      }
    }
    throw std::runtime_error("no entry " + tag);
  }

  // Such tables lie in the first segment, where addresses are offsets.
  std::size_t GetTable(const std::string& tag) const {
    return Read<ElfW(Dyn)>(FindDynamic(tag)).d_un.d_val;
  }

  Place FindExported() const {
    for (std::size_t at = GetTable("SYMTAB");; at += sizeof(ElfW(Sym))) {
      const auto symbol = Read<ElfW(Sym)>(at);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
      return {at + offsetof(ElfW(Sym), st_value), sizeof(symbol.st_value)};
    }
  }

  Place FindIsaLevels() const {
    const auto segment = Read<ElfW(Phdr)>(FindSegment("GNU_PROPERTY", 0));
    for (std::size_t at = 0; at < segment.p_filesz; at += sizeof(std::uint32_t)) {
      if (Read<std::uint32_t>(segment.p_offset + at) == GNU_PROPERTY_X86_ISA_1_NEEDED) {
        return {segment.p_offset + at + 2 * sizeof(std::uint32_t), sizeof(std::uint32_t)};
      }
    }
    throw std::runtime_error("no levels in the property note");
  }

  void Write(Place place, unsigned long long value) {
    if (place.offset + place.size_bytes > bytes_.size()) {
      throw std::runtime_error("outside the file");
    }
    std::memcpy(&bytes_[place.offset], &value, place.size_bytes);
  }

  void ReplaceText(const std::string& text, const std::string& other) {
    if (text.size() != other.size()) throw std::runtime_error("texts differ in length");
    std::size_t at = bytes_.find(text);
    if (at == std::string::npos) throw std::runtime_error("no text '" + text + "'");
    for (; at != std::string::npos; at = bytes_.find(text, at)) {
      bytes_.replace(at, text.size(), other);
    }
  }

  std::string path_;
  std::string bytes_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 3) throw std::runtime_error("usage: change_elf FILE CHANGE...");
    File file(argv[1]);
    for (int i = 2; i < argc; ++i) file.Apply(argv[i]);
    file.Save();
    return 0;
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "change_elf: %s\n", exception.what());
    return 1;
  }
}
