#include "probing/joint_run.hpp"

#include "diagnostics/file_words.hpp"

#include <utility>

namespace backplane::probing {
namespace {

using diagnostics::GetFileName;

/// "A_backend.so and /usr/lib/libx.so.1 of the program".
std::string NameOthers(const JointClash& clash, const std::vector<std::string>& others) {
  std::vector<std::string> names = others;
  for (const std::string& library : clash.libraries) names.push_back(library + " of the program");
  return diagnostics::JoinSomeWithAnd(std::move(names));
}

/// With whom, and what was found, in words.
struct Companions {
  std::string with;  // " together with B"
  std::string why;
};

Companions DescribeCompanions(const JointClash& clash, const std::vector<std::string>& others) {
  if (!clash.is_whole) {
    return {" beside the other backends",
            "it was run alone and passed; behind others in one process, " + clash.end +
                "; there are so many clashes that it was not looked for which others it takes"};
  }
  if (!others.empty()) {
    return {" together with " + NameOthers(clash, others),
            "each was run alone and passed; in one process, " + clash.end};
  }
  if (!clash.libraries.empty()) {
    return {" beside " + NameOthers(clash, others),
            "in a process without it, the backend passed; behind it, " + clash.end};
  }
  return {", although it passed before", "run again alone, " + clash.end};
}

Diagnostic Describe(const JointClash& clash, const std::string& path,
                    const std::vector<std::string>& others, std::string fix, Severity severity) {
  Companions companions = DescribeCompanions(clash, others);
  const std::string does = clash.ends_process ? "ends the process" : "cannot be used";
  const auto code =
      clash.ends_process ? DiagnosticCode::kEndsProcessTogether : DiagnosticCode::kFailsTogether;
  return diagnostics::DescribeFile(code, path, does + companions.with, std::move(companions.why),
                                   std::move(fix), severity);
}

Diagnostic DescribeDoubt(DiagnosticCode code, std::string what, std::string why, std::string fix) {
  return {code, Severity::kWarning, {}, std::move(what), std::move(why), std::move(fix)};
}

}  // namespace

std::string DescribeEnd(const Candidate& candidate) {
  const Diagnostic* headline = GetHeadline(candidate);
  return headline == nullptr ? "no reason is known" : headline->what + ": " + headline->why;
}

Diagnostic DescribeLeftOut(const JointClash& clash, const std::string& path,
                           const std::vector<std::string>& others, const std::string& order) {
  std::string fix = "see what changed since it passed: a device, a driver, memory";
  if (!clash.is_whole) {
    fix = "disable the backends that are not needed (BACKPLANE_DISABLE_BACKENDS)";
  } else if (!others.empty()) {
    fix = "to use it, run it in a process of its own (BACKPLANE_ISOLATE_BACKENDS=" +
          GetFileName(path) + "), or disable " + GetFileName(others.front()) +
          " (BACKPLANE_DISABLE_BACKENDS=" + GetFileName(others.front()) +
          "); it is left out because " + order;
  } else if (!clash.libraries.empty()) {
    fix = "start the program without that library, or get a build of the backend that goes with it";
  }
  return Describe(clash, path, others, fix + "; send this text to the vendor", Severity::kError);
}

Diagnostic DescribeStays(const JointClash& clash, const std::string& path,
                         const std::string& left_out, const std::vector<std::string>& others,
                         const std::string& order) {
  return Describe(clash, path, others,
                  "to use " + left_out + " instead, disable this one (BACKPLANE_DISABLE_BACKENDS=" +
                      GetFileName(path) + "); " + left_out + " is left out because " + order,
                  Severity::kWarning);
}

Diagnostic DescribeNotRun(const Candidate& first) {
  const Diagnostic* headline = GetHeadline(first);
  return DescribeDoubt(DiagnosticCode::kNotTriedTogether, "the backends were not tried together",
                       DescribeEnd(first), headline != nullptr ? headline->fix : "scan again");
}

Diagnostic DescribeLibrary(const std::string& library, const Candidate& at_library) {
  return DescribeDoubt(DiagnosticCode::kNotTriedTogether,
                       "the backends were not tried beside the libraries of the program",
                       "in the process in which they are tried, " + library +
                           " could not be opened: " + DescribeEnd(at_library),
                       "nothing needs to be done when the program works; what the libraries' files "
                       "say was looked at");
}

Diagnostic DescribeUndecided(const Candidate& last, std::size_t num_runs) {
  return DescribeDoubt(
      DiagnosticCode::kEndedOnceTogether, "all backends together came to a bad end, some did not",
      DescribeEnd(last) + "; in " + std::to_string(num_runs) +
          " runs no set of them was found that always does so, and none was left out",
      "scan again; when it comes back, disable the backend that it names");
}

}  // namespace backplane::probing
