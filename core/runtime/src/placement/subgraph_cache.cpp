#include "placement/subgraph_cache.hpp"

#include "tensors/status_text.hpp"

#include <backplane/host/digest.hpp>
#include <backplane/host/host_call.hpp>
#include <backplane/host/logging.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::placement {
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

// What is stored for a content: the content, with what tells whether it is still that.
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

// Leaves only the content of what EncodeRecord made for this key.
// Errors: the reason, found and expected, when `record` is something else; "" when all is well.
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

void LogReport(const Diagnostic& diagnostic) {
  Log("compiled_cache", LogLevel::kWarning, ToText(diagnostic));
}

class SubgraphCache final : public ICompiledSubgraphCache {
 public:
  SubgraphCache(const Graph& graph, const SubgraphView& subgraph, const NetworkBackend& backend,
                std::shared_ptr<ICompiledNetworkCache> cache, PlacedCacheUse& use, Report report)
      : graph_(graph),
        subgraph_(subgraph),
        backend_(backend),
        cache_(std::move(cache)),
        use_(use),
        report_(report ? std::move(report) : Report(LogReport)) {}

  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
    return Measure([&] {
      content->clear();
      std::vector<std::uint8_t> record;
      const bool is_hit = LoadRecord(MakeKey(key), record);
      ++(is_hit ? use_.num_hits : use_.num_misses);
      if (!is_hit) return Status::kNotFound;
      use_.hit_bytes += record.size();
      *content = std::move(record);
      return Status::kSuccess;
    });
  }

  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override {
    if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
    return Measure([&] {
      const Status status = StoreRecord(MakeKey(key), content, size_bytes);
      if (status != Status::kSuccess) return status;
      ++use_.num_kept;
      use_.kept_bytes += size_bytes;
      return status;
    });
  }

 private:
  template <typename Action>
  Status Measure(const Action& action) {
    const auto begin = std::chrono::steady_clock::now();
    const Status status = AnswerPlugin(action);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    use_.cache_ms += time.count();
    return status;
  }

  // "" when the sub-graph cannot be told from others.
  std::string MakeKey(const std::string& key) {
    if (!fingerprint_) fingerprint_ = ComputeFingerprint(graph_, subgraph_, backend_);
    if (fingerprint_->empty()) return "";
    Sha256 digest;
    digest.Add(fingerprint_->data(), fingerprint_->size());
    digest.Add(key.data(), key.size());
    return digest.Finish();
  }

  bool LoadRecord(const std::string& key, std::vector<std::uint8_t>& record) {
    if (key.empty()) return false;
    const Answer answer = Ask([&] { return cache_->Load(key, record); });
    if (answer.status == Status::kNotFound) return false;
    const std::string fault =
        answer.status == Status::kSuccess ? DecodeRecord(key, record) : answer.reason;
    if (fault.empty()) return true;
    Tell(DiagnosticCode::kCompiledEntryRefused, "was not used", fault,
         "nothing needs to be done: it is compiled anew");
    return false;
  }

  Status StoreRecord(const std::string& key, const void* content, std::uint64_t size_bytes) {
    if (key.empty()) {
      Tell(DiagnosticCode::kCompiledCacheUnusable, "was not kept",
           "found a backend whose file was changed since it was loaded, layers that are compiled "
           "already, or constants that the backend had let go of; expected what can be told from "
           "others",
           "start the program again; if that does not help, tell the vendor of the backend");
      return Status::kFailure;
    }
    const std::vector<std::uint8_t> record = EncodeRecord(key, content, size_bytes);
    const Answer answer = Ask([&] { return cache_->Store(key, record); });
    if (answer.status == Status::kSuccess) return answer.status;
    Tell(DiagnosticCode::kCompiledCacheUnusable, "was not kept", answer.reason,
         "look at the place where compiled networks are kept");
    return Status::kFailure;
  }

  /// What the application's storage said.
  struct Answer {
    Status status = Status::kFailure;
    std::string reason;  // when it is not kSuccess
  };

  template <typename Action>
  static Answer Ask(const Action& action) {
    try {
      const Status status = action();
      return {status, std::string("found the status \"") + DescribeStatus(status) +
                          "\"; expected \"" + GetStatusText(Status::kSuccess) + "\""};
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const DiagnosticException& exception) {
      const Diagnostic& diagnostic = exception.GetDiagnostic();
      return {Status::kFailure, diagnostic.what + ": " + diagnostic.why};
    } catch (const std::exception& exception) {
      return {Status::kFailure, std::string("the cache threw: ") + exception.what()};
    }
  }

  void Tell(DiagnosticCode code, const char* outcome, std::string why, std::string fix) const {
    Diagnostic diagnostic{code};
    diagnostic.severity = Severity::kWarning;
    diagnostic.subject = {SubjectKind::kNetwork, graph_.name};
    diagnostic.what = "what backend \"" + backend_.id + "\" compiled of network \"" + graph_.name +
                      "\" " + outcome;
    diagnostic.why = std::move(why);
    diagnostic.fix = std::move(fix);
    report_(diagnostic);
  }

  const Graph& graph_;
  const SubgraphView& subgraph_;
  const NetworkBackend& backend_;
  const std::shared_ptr<ICompiledNetworkCache> cache_;
  PlacedCacheUse& use_;
  const Report report_;
  std::optional<std::string> fingerprint_;
};

}  // namespace

std::unique_ptr<ICompiledSubgraphCache> MakeSubgraphCache(
    const Graph& graph, const SubgraphView& subgraph, const NetworkBackend& backend,
    std::shared_ptr<ICompiledNetworkCache> cache, PlacedCacheUse& use, Report report) {
  if (!cache) return nullptr;
  return std::make_unique<SubgraphCache>(graph, subgraph, backend, std::move(cache), use,
                                         std::move(report));
}

}  // namespace backplane::placement
