// An entry is: the magic, the bytes of the key, the bytes of the binary, the digest of both, the
// key, the binary. Numbers are written as they lie in memory: a driver's binaries are of the
// machine anyway.

#include "programs/kept_programs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {
namespace {

constexpr std::uint64_t kMagic = 0x31304c434b504b42;  // "BKPKCL01" in the file

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t key_bytes = 0;
  std::uint64_t binary_bytes = 0;
  std::uint64_t digest = 0;
};

/// FNV-1a: against damage, not against malice, which the rights of the files keep out.
std::uint64_t Digest(const std::string& text, std::uint64_t digest = 0xcbf29ce484222325) {
  for (const char c : text) {
    digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return digest;
}

std::string ToHex(std::uint64_t number) {
  std::array<char, 17> text = {};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

/// Why others could change it; empty when they cannot.
std::string FindTrustFault(const std::string& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) {
    return errno == ENOENT ? "" : std::generic_category().message(errno);
  }
  if (facts.st_uid != geteuid() && facts.st_uid != 0) return "it belongs to another user";
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others may write it";
  return "";
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool WriteFile(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  return !file.fail();
}

/// Nothing when the content is no entry or not whole. `key` and the binary are then taken out.
std::optional<std::pair<std::string, std::string>> Unpack(const std::string& content) {
  Header header;
  if (content.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, content.data(), sizeof(header));
  const std::uint64_t rest = content.size() - sizeof(header);
  if (header.magic != kMagic || header.key_bytes > rest ||
      header.binary_bytes != rest - header.key_bytes) {
    return std::nullopt;
  }
  std::string key = content.substr(sizeof(header), header.key_bytes);
  std::string binary = content.substr(sizeof(header) + header.key_bytes);
  if (Digest(binary, Digest(key)) != header.digest) return std::nullopt;
  return std::make_pair(std::move(key), std::move(binary));
}

void LogRejection(ILogger* logger, const std::string& entry, const std::string& why) {
  if (logger == nullptr) return;
  const std::string text = "the kept program " + entry + " is not used: " + why;
  static_cast<void>(logger->Log(LogLevel::kWarning, text.c_str()));
}

class CachedProgram final : public IKeptProgram {
 public:
  CachedProgram(ICompiledSubgraphCache& cache, std::string key, ILogger* logger)
      : cache_(cache), key_(std::move(key)), logger_(logger) {}

  std::optional<std::string> Load() const override {
    std::vector<std::uint8_t> content;
    if (cache_.Load(key_.c_str(), &content) != Status::kSuccess) return std::nullopt;
    return std::string(content.begin(), content.end());
  }
  void Store(const std::string& binary) const override {
    static_cast<void>(cache_.Store(key_.c_str(), binary.data(), binary.size()));
  }
  void Reject(const std::string& why) const override {
    LogRejection(logger_, "of the compiled cache", why);
  }

 private:
  ICompiledSubgraphCache& cache_;
  const std::string key_;
  ILogger* logger_;
};

}  // namespace

bool IsWholeBinary(const std::string& binary) {
  constexpr std::string_view kOfPocl = "poclbin";
  constexpr std::string_view kProgram = "/program.bc";
  constexpr std::string_view kBitcode = "BC\xC0\xDE";
  if (binary.compare(0, kOfPocl.size(), kOfPocl) != 0) return !binary.empty();
  const std::size_t program = binary.find(kProgram);
  if (program == std::string::npos) return false;
  const std::size_t content = program + kProgram.size() + sizeof(std::uint32_t);  // behind its size
  return content < binary.size() && binary.compare(content, kBitcode.size(), kBitcode) == 0;
}

std::unique_ptr<const IKeptProgram> MakeCachedProgram(ICompiledSubgraphCache& cache,
                                                      std::string key, ILogger* logger) {
  return std::make_unique<CachedProgram>(cache, std::move(key), logger);
}

std::string MakeProgramKey(const Device& device, const std::string& source,
                           const std::string& options) {
  std::string key;
  for (const std::string* part : {&device.platform_name, &device.name, &device.version,
                                  &device.driver_version, &options, &source}) {
    key += *part;
    key += '\n';
  }
  return key;
}

KeptProgram::KeptProgram(const std::string& folder, std::string key, ILogger* logger)
    : folder_(folder),
      file_(folder + "/" + ToHex(Digest(key)) + ".opencl"),
      key_(std::move(key)),
      logger_(logger) {}

void KeptProgram::Reject(const std::string& why) const {
  LogRejection(logger_, file_, why);
}

std::optional<std::string> KeptProgram::Load() const {
  if (access(file_.c_str(), F_OK) != 0) return std::nullopt;
  for (const std::string& path : {folder_, file_}) {
    const std::string fault = FindTrustFault(path);
    if (fault.empty()) continue;
    Reject(path + ": " + fault);
    return std::nullopt;
  }
  auto entry = Unpack(ReadFile(file_));
  if (!entry) {
    Reject("it is damaged; the program is built again");
    return std::nullopt;
  }
  if (entry->first != key_) {
    Reject("it is of another program, device or driver; the program is built again");
    return std::nullopt;
  }
  return std::move(entry->second);
}

void KeptProgram::Store(const std::string& binary) const {
  Header header;
  header.key_bytes = key_.size();
  header.binary_bytes = binary.size();
  header.digest = Digest(binary, Digest(key_));
  std::string content(sizeof(header), '\0');
  std::memcpy(content.data(), &header, sizeof(header));
  content += key_ + binary;
  // Whoever reads meanwhile finds the old one, or the new one, whole.
  const std::string made = file_ + "." + std::to_string(getpid());
  if (mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return Reject("the folder cannot be made (" + std::generic_category().message(errno) + ")");
  }
  if (!WriteFile(made, content) || std::rename(made.c_str(), file_.c_str()) != 0) {
    Reject("it cannot be written (" + std::generic_category().message(errno) + ")");
    static_cast<void>(std::remove(made.c_str()));
  }
}

}  // namespace opencl
}  // namespace backplane
