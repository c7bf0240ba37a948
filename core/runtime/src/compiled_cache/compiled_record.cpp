#include "compiled_cache/compiled_record.hpp"

#include <backplane/host/digest.hpp>

#include <cstddef>
#include <cstring>

namespace backplane::compiled_cache {

namespace {

constexpr std::size_t kDigestDigits = 64;  // of a digest

/// In the byte order of the machine: on another one, the format is unknown.
struct Header {
  char magic[8] = {'B', 'P', 'c', 'o', 'm', 'p', 'i', 'l'};
  std::uint64_t format = 1;
  std::uint64_t size_bytes = 0;
  char key[kDigestDigits] = {};
  char digest[kDigestDigits] = {};
};

std::string ComputeDigest(const void* content, std::uint64_t size_bytes) {
  Sha256 digest;
  digest.Add(content, size_bytes);
  return digest.Finish();
}

bool Holds(const char (&field)[kDigestDigits], const std::string& text) {
  return text.size() == kDigestDigits && std::memcmp(field, text.data(), kDigestDigits) == 0;
}

void Fill(const std::string& text, char (&field)[kDigestDigits]) {
  if (text.size() == kDigestDigits) std::memcpy(field, text.data(), kDigestDigits);
}

}  // namespace

std::vector<std::uint8_t> EncodeRecord(const std::string& key, const void* content,
                                       std::uint64_t size_bytes) {
  Header header;
  header.size_bytes = size_bytes;
  Fill(key, header.key);
  Fill(ComputeDigest(content, size_bytes), header.digest);
  std::vector<std::uint8_t> record(sizeof(header) + size_bytes);
  std::memcpy(record.data(), &header, sizeof(header));
  if (size_bytes != 0) std::memcpy(record.data() + sizeof(header), content, size_bytes);
  return record;
}

std::string DecodeRecord(const std::string& key, std::vector<std::uint8_t>& record) {
  const Header expected;
  Header found;
  if (record.size() < sizeof(found)) {
    return "found " + std::to_string(record.size()) + " bytes; expected at least " +
           std::to_string(sizeof(found));
  }
  std::memcpy(&found, record.data(), sizeof(found));
  if (std::memcmp(found.magic, expected.magic, sizeof(found.magic)) != 0 ||
      found.format != expected.format) {
    return "found another kind of file; expected a compiled network of this version of Backplane";
  }
  if (!Holds(found.key, key)) return "found the content of another key; expected that of " + key;
  const std::uint64_t size_bytes = record.size() - sizeof(found);
  if (found.size_bytes != size_bytes) {
    return "found " + std::to_string(size_bytes) + " bytes of content; expected " +
           std::to_string(found.size_bytes);
  }
  const std::string digest = ComputeDigest(record.data() + sizeof(found), size_bytes);
  if (!Holds(found.digest, digest)) {
    return "found content with the digest " + digest + "; expected " +
           std::string(found.digest, kDigestDigits);
  }
  record.erase(record.begin(), record.begin() + sizeof(found));
  return "";
}

}  // namespace backplane::compiled_cache
