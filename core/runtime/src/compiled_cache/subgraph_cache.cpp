#include "compiled_cache/subgraph_cache.hpp"

#include "compiled_cache/compiled_record.hpp"
#include "compiled_cache/fingerprint.hpp"
#include "tensors/status_text.hpp"

#include <backplane/host/digest.hpp>
#include <backplane/host/host_call.hpp>
#include <backplane/host/logging.hpp>

#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace backplane::compiled_cache {

namespace {

void LogReport(const Diagnostic& diagnostic) {
  Log("compiled_cache", LogLevel::kWarning, ToText(diagnostic));
}

class SubgraphCache final : public ICompiledSubgraphCache {
 public:
  SubgraphCache(const Graph& graph, const SubgraphView& subgraph, const NetworkBackend& backend,
                std::shared_ptr<ICompiledNetworkCache> cache, Report report)
      : graph_(graph),
        subgraph_(subgraph),
        backend_(backend),
        cache_(std::move(cache)),
        report_(report ? std::move(report) : Report(LogReport)) {}

  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
    return AnswerPlugin([&] {
      content->clear();
      std::vector<std::uint8_t> record;
      if (!LoadRecord(MakeKey(key), record)) return Status::kNotFound;
      *content = std::move(record);
      return Status::kSuccess;
    });
  }

  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override {
    if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
    return AnswerPlugin([&] { return StoreRecord(MakeKey(key), content, size_bytes); });
  }

 private:
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
  const Report report_;
  std::optional<std::string> fingerprint_;
};

}  // namespace

std::unique_ptr<ICompiledSubgraphCache> MakeSubgraphCache(
    const Graph& graph, const SubgraphView& subgraph, const NetworkBackend& backend,
    std::shared_ptr<ICompiledNetworkCache> cache, Report report) {
  if (!cache) return nullptr;
  return std::make_unique<SubgraphCache>(graph, subgraph, backend, std::move(cache),
                                         std::move(report));
}

}  // namespace backplane::compiled_cache
