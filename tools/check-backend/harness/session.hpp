#pragma once

#include "harness/plugin.hpp"
#include "harness/shared_record.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace backplane::check_backend {

struct Rule;

/// What a rule is given, beside the backend.
struct SessionSettings {
  std::string path;  // of the backend's file
  std::uint32_t seed = 1;
  bool is_quick = false;
  bool wants_code = false;
  /// Cases before this one are passed over.
  std::uint64_t first_case = 0;
  /// When set, the others are.
  std::uint64_t only_case = SharedRecord::kNoCase;
  /// In which a runtime finds the file, and nothing else; or why there is none.
  std::string link_directory = {};
  std::string link_fault = {};
  /// What is measured beside the rules.
  std::vector<std::string> models = {};  // ONNX files
  bool measures_reference = false;
};

/// Something that is needed to apply a rule is not there: no fault of the backend's.
class CannotCheck : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One rule in the process in which the backend runs. What leaves the rule's function as an
/// exception, and what ends the process, is a finding of the case that was begun last; the rule is
/// then run again behind that case.
///
/// Threads: one.
class Session {
 public:
  Session(const Rule& rule, SessionSettings settings, SharedRecord& record);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Rule& GetRule() const { return rule_; }
  const SessionSettings& GetSettings() const { return settings_; }
  const std::string& GetPath() const { return settings_.path; }
  std::uint32_t GetSeed() const { return settings_.seed; }
  bool IsQuick() const { return settings_.is_quick; }

  /// The backend, opened at the first call.
  Plugin& GetPlugin();
  /// Lets go of the backend, with its library when nothing else keeps it.
  void ClosePlugin();

  /// Begins a case. False: it is not to be run this time. Cases have the same order at every run
  /// with the same seed. `done` says what is done: "runs Softmax of float32 [2, 3] twice".
  bool Begin(const std::string& done);

  /// What is done is not stuck, only slow: the time that a case may take begins again.
  void ShowLife();

  /// Whether Begin said yes to any case.
  bool HasCases() const;

  /// Something that the rule does not allow, in the case that was begun last.
  void Report(const std::string& seen, const std::string& expected);

  /// The same unless `holds`. Gives `holds`.
  bool Expect(bool holds, const std::string& seen, const std::string& expected);

  /// The rule cannot be applied to this backend, and why: "it registers no kinds of tensor memory".
  void Skip(const std::string& reason);

  /// Something worth telling beside the verdict: an entry of a list in the report. Both without
  /// line ends.
  void Note(const std::string& list, const std::string& entry);

  /// Whether SetCode is of use.
  bool WantsCode() const { return settings_.wants_code; }
  /// C++ that does what the case does, for whoever repeats it by hand; lines with their ends. That
  /// of the first case with a finding is kept.
  void SetCode(const std::string& code);

  /// Where a handler of signals writes what it knows.
  SharedRecord& GetRecord() { return record_; }

 private:
  const Rule& rule_;
  const SessionSettings settings_;
  SharedRecord& record_;
  std::uint64_t next_case_ = 0;
  std::string done_;
  std::unique_ptr<Plugin> plugin_;
};

}  // namespace backplane::check_backend
