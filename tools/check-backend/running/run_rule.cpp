#include "running/run_rule.hpp"

#include "running/watched_child.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cxxabi.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>
#include <typeinfo>

namespace backplane::check_backend {
namespace {

constexpr int kMaxDeaths = 5;
/// Each of them begins the rule anew.
constexpr int kMaxExceptions = 20;

/// A directory with nothing but a link to a file, in which a runtime finds it; for the life of the
/// object. It belongs to the process that watches: the other may die at any time.
class LinkDirectory {
 public:
  explicit LinkDirectory(const std::string& file) {
    namespace fs = std::filesystem;
    try {
      std::string path = fs::temp_directory_path() / "check-backend-XXXXXX";
      if (mkdtemp(path.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), path);
      }
      path_ = path;
      fs::create_symlink(fs::absolute(file), fs::path(path) / fs::path(file).filename());
    } catch (const std::system_error& error) {
      fault_ = error.what();
    }
  }
  ~LinkDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  LinkDirectory(const LinkDirectory&) = delete;
  LinkDirectory& operator=(const LinkDirectory&) = delete;

  /// "" when it cannot be made.
  const std::string& GetPath() const { return path_; }
  /// Why it cannot be made.
  const std::string& GetFault() const { return fault_; }

 private:
  std::string path_;
  std::string fault_;
};

std::string NameType(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  return name != nullptr ? name.get() : type.name();
}

/// False: the rule was left by an exception, and is to be run again behind the case.
bool Apply(const Rule& rule, Session& session) {
  const char* const expected = "no exception here";
  try {
    rule.check(session);
    return true;
  } catch (const CannotCheck& exception) {
    session.Skip(exception.what());
    return true;
  } catch (const DiagnosticException& exception) {
    session.Report(ToText(exception.GetDiagnostic()), expected);
  } catch (const std::exception& exception) {
    session.Report(NameType(typeid(exception)) + ": " + exception.what(), expected);
  } catch (...) {
    session.Report("an exception that is not derived from std::exception", expected);
  }
  return false;
}

void WorkInChild(const Rule& rule, SessionSettings settings, SharedRecord& record) {
  for (int num_exceptions = 0; num_exceptions < kMaxExceptions; ++num_exceptions) {
    bool is_whole = false;
    {
      Session session(rule, settings, record);
      is_whole = Apply(rule, session);
    }
    const std::uint64_t at = record.case_index.load();
    if (is_whole || at == SharedRecord::kNoCase || at < settings.first_case) break;
    settings.first_case = at + 1;
  }
  record.has_finished.store(1);
}

std::string DescribeLoss(const ChildEnd& end, const SharedRecord& record) {
  std::string text = end.how;
  const std::string fault = record.fault.Get();
  if (!fault.empty()) text += ": " + fault;
  if (!end.output.empty()) text += "; its last output: " + end.output;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::vector<std::pair<std::string, std::string>> ReadNotes(const std::string& lines) {
  std::vector<std::pair<std::string, std::string>> notes;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    std::pair<std::string, std::string> note(line.substr(0, tab), line.substr(tab + 1));
    // Several cases may say the same.
    if (std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace

RuleResult RunRule(const Rule& rule, const RunSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  const std::shared_ptr<SharedRecord> record = MapSharedRecord();
  const LinkDirectory directory(settings.session.path);
  SessionSettings session = settings.session;
  session.link_directory = directory.GetPath();
  session.link_fault = directory.GetFault();
  RuleResult result;
  result.rule = &rule;
  std::vector<Finding> losses;
  for (int num_deaths = 0; num_deaths < kMaxDeaths && !result.has_hung; ++num_deaths) {
    record->case_index.store(SharedRecord::kNoCase);
    const ChildEnd end = RunChild([&] { WorkInChild(rule, session, *record); },
                                  {settings.timeout, settings.max_data_bytes}, *record,
                                  [&] {
                                    if (settings.on_progress) {
                                      settings.on_progress(record->num_cases.load());
                                    }
                                  });
    if (end.outcome == ChildOutcome::kFinished) break;
    const std::uint64_t at = record->case_index.load();
    const bool is_before_cases = at == SharedRecord::kNoCase;
    losses.push_back({is_before_cases ? 0 : at,
                      is_before_cases ? "opens the backend" : record->done.Get(),
                      DescribeLoss(end, *record), "that the backend leaves the process alone"});
    result.has_hung = end.outcome == ChildOutcome::kHung;
    if (is_before_cases) break;
    session.first_case = at + 1;
  }
  result.findings = ReadFindings(record->findings.Get());
  result.num_findings = record->num_findings.load() + losses.size();
  // What was seen in a case stands before what ended it.
  result.findings.insert(result.findings.end(), losses.begin(), losses.end());
  std::stable_sort(result.findings.begin(), result.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.case_index < b.case_index; });
  result.num_cases = record->num_cases.load();
  result.skipped = record->skipped.Get();
  result.notes = ReadNotes(record->notes.Get());
  result.code = record->code.Get();
  result.duration = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return result;
}

}  // namespace backplane::check_backend
