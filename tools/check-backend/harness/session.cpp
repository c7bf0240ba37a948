#include "harness/session.hpp"

#include "rules.hpp"

#include <utility>

namespace backplane::check_backend {
namespace {

/// What a backend throws may be longer than the record of all findings.
std::string Shorten(std::string text) {
  constexpr std::size_t kMaxBytes = 2000;
  if (text.size() <= kMaxBytes) return text;
  const std::string rest = " ... (" + std::to_string(text.size() - kMaxBytes) + " more bytes)";
  return text.replace(kMaxBytes, std::string::npos, rest);
}

}  // namespace

Session::Session(const Rule& rule, SessionSettings settings, SharedRecord& record)
    : rule_(rule), settings_(std::move(settings)), record_(record) {}

Session::~Session() = default;

Plugin& Session::GetPlugin() {
  if (plugin_ == nullptr) plugin_ = std::make_unique<Plugin>(settings_.path);
  return *plugin_;
}

void Session::ClosePlugin() {
  plugin_.reset();
}

bool Session::Begin(const std::string& done) {
  const std::uint64_t index = next_case_++;
  const bool is_other =
      settings_.only_case != SharedRecord::kNoCase && settings_.only_case != index;
  if (index < settings_.first_case || is_other) return false;
  done_ = done;
  record_.done.Set(done);
  record_.case_index.store(index);
  record_.num_cases.fetch_add(1);
  ShowLife();
  return true;
}

void Session::ShowLife() {
  record_.num_signs.fetch_add(1);
}

bool Session::HasCases() const {
  return record_.num_cases.load() > 0;
}

void Session::Report(const std::string& seen, const std::string& expected) {
  constexpr std::uint64_t kMaxFindings = 20;
  if (record_.num_findings.fetch_add(1) >= kMaxFindings) return;
  const std::uint64_t index = record_.case_index.load();
  record_.findings.Append(ToLine({index == SharedRecord::kNoCase ? 0 : index, Shorten(done_),
                                  Shorten(seen), Shorten(expected)}));
}

bool Session::Expect(bool holds, const std::string& seen, const std::string& expected) {
  if (!holds) Report(seen, expected);
  return holds;
}

void Session::Skip(const std::string& reason) {
  record_.skipped.Set(reason);
}

void Session::Note(const std::string& list, const std::string& entry) {
  record_.notes.Append(list + '\t' + entry + '\n');
}

void Session::SetCode(const std::string& code) {
  const bool is_of_a_finding = record_.num_findings.load() > 0 || settings_.first_case > 0;
  if (!is_of_a_finding) record_.code.Set(code);
}

}  // namespace backplane::check_backend
