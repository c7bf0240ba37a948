#include "conflicts/proto_files.hpp"

#include "conflicts/dynamic_text.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace backplane::conflicts {
namespace {

constexpr std::string_view kEnding = ".proto";
constexpr std::size_t kMostSymbols = 20'000;  // of all .proto files of a file
constexpr std::size_t kMostNameBytes = 1024;
constexpr std::uint64_t kMostSearchedBytes = std::uint64_t{256} << 20U;

/// The fields of a FileDescriptorProto, as a number and the way of its value.
enum Tag : unsigned char {
  kName = 0x0a,
  kPackage = 0x12,
  kDependency = 0x1a,
  kMessage = 0x22,
  kEnum = 0x2a,
  kService = 0x32,
  kExtension = 0x3a,
  kOptions = 0x42,
  kPublicDependency = 0x50,
  kWeakDependency = 0x58,
  kSyntax = 0x62,
};

/// Takes fields off the beginning of serialised data.
class FieldReader {
 public:
  explicit FieldReader(std::string_view data) : data_(data) {}

  /// Nothing: the data ends there, or is no such message.
  std::optional<unsigned char> ReadTag() {
    if (data_.empty()) return std::nullopt;
    const auto tag = static_cast<unsigned char>(data_.front());
    data_.remove_prefix(1);
    return tag;
  }

  std::optional<std::uint64_t> ReadNumber() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 35 && !data_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(data_.front());
      data_.remove_prefix(1);
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) return number;
    }
    return std::nullopt;
  }

  std::optional<std::string_view> ReadText() {
    const auto size_bytes = ReadNumber();
    if (!size_bytes || *size_bytes > data_.size()) return std::nullopt;
    const std::string_view text = data_.substr(0, *size_bytes);
    data_.remove_prefix(*size_bytes);
    return text;
  }

 private:
  std::string_view data_;
};

bool IsPrintable(char c) {
  return c > ' ' && c < 0x7f;
}

/// The name that a message, an enum or a service begins with.
std::string_view ReadNameOf(std::string_view declaration) {
  FieldReader fields(declaration);
  if (fields.ReadTag() != kName) return {};
  return fields.ReadText().value_or(std::string_view());
}

bool IsKnown(unsigned char tag) {
  constexpr unsigned char kTexts[] = {kPackage, kDependency, kMessage, kEnum,
                                      kService, kExtension,  kOptions, kSyntax};
  return std::find(std::begin(kTexts), std::end(kTexts), tag) != std::end(kTexts);
}

/// Looks through one piece of data. Names may be made to be looked at again and again, so that all
/// steps together are no more than a few times its bytes.
class Search {
 public:
  explicit Search(std::string_view data) : data_(data), rest_steps_(4 * data.size()) {}

  std::vector<ProtoFile> Run() {
    for (std::size_t at = data_.find(kEnding); at != std::string_view::npos && rest_steps_ > 0;
         at = data_.find(kEnding, at + 1)) {
      const std::size_t end = at + kEnding.size();
      const auto begin = FindBeginningOfName(end);
      if (!begin) continue;
      ProtoFile file;
      file.name = std::string(data_.substr(*begin, end - *begin));
      if (ReadSymbols(data_.substr(end), file)) files_.push_back(std::move(file));
    }
    return std::move(files_);
  }

 private:
  bool TakeStep() { return rest_steps_ > 0 && rest_steps_-- > 0; }

  /// Where a name begins that has its length before it, and before that the mark of the field.
  /// Nothing: what ends there is no such name.
  std::optional<std::size_t> FindBeginningOfName(std::size_t end) {
    std::size_t begin = end;
    while (begin > 0 && end - begin <= kMostNameBytes && IsPrintable(data_[begin - 1]) &&
           TakeStep()) {
      --begin;
    }
    // A length that is printable itself looks like a part of the name.
    for (std::size_t start = begin; start <= begin + 1 && start + kEnding.size() <= end; ++start) {
      const std::size_t size_bytes = end - start;
      const std::size_t num_length_bytes = size_bytes < 0x80 ? 1 : 2;
      if (start < num_length_bytes + 1 || data_[start - num_length_bytes - 1] != kName) continue;
      FieldReader length(data_.substr(start - num_length_bytes, num_length_bytes));
      if (length.ReadNumber() == size_bytes) return start;
    }
    return std::nullopt;
  }

  /// Reads the fields behind the name of a file, up to where nothing of it follows. False: there is
  /// none, so that what looked like a name is another text.
  bool ReadSymbols(std::string_view data, ProtoFile& file) {
    FieldReader fields(data);
    std::string_view package;
    bool has_field = false;
    for (auto tag = fields.ReadTag(); tag && TakeStep(); tag = fields.ReadTag()) {
      if (*tag == kPublicDependency || *tag == kWeakDependency) {
        if (!fields.ReadNumber()) break;
        continue;
      }
      const auto text = IsKnown(*tag) ? fields.ReadText() : std::nullopt;
      if (!text) break;
      has_field = true;
      if (*tag == kPackage) package = text->substr(0, kMostNameBytes);
      if (*tag == kMessage || *tag == kEnum || *tag == kService) AddSymbol(package, *text, file);
    }
    return has_field;
  }

  void AddSymbol(std::string_view package, std::string_view declaration, ProtoFile& file) {
    const std::string_view name = ReadNameOf(declaration).substr(0, kMostNameBytes);
    if (name.empty() || ++num_symbols_ > kMostSymbols) return;
    std::string symbol(package);
    if (!package.empty()) symbol += '.';
    file.symbols.push_back(symbol.append(name));
  }

  std::string_view data_;
  std::size_t rest_steps_;
  std::size_t num_symbols_ = 0;
  std::vector<ProtoFile> files_;
};

}  // namespace

std::vector<ProtoFile> FindProtoFiles(std::string_view data) {
  return Search(data).Run();
}

std::vector<ProtoFile> ReadProtoFiles(const elf::File& elf) {
  std::vector<ProtoFile> files;
  if (!HasDynamicText(elf, kProtoRegistration)) return files;
  std::uint64_t rest_bytes = kMostSearchedBytes;
  for (const elf::Segment& segment : elf.GetSegments()) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & (PF_W | PF_X)) != 0) continue;
    if (segment.p_filesz > rest_bytes) break;
    rest_bytes -= segment.p_filesz;
    const auto data = elf.ReadBytes({segment.p_offset, segment.p_filesz});
    if (!data) continue;
    std::vector<ProtoFile> found = FindProtoFiles(*data);
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  return files;
}

}  // namespace backplane::conflicts
