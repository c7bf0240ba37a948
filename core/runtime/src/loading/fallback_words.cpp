#include "loading/fallback_words.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace backplane {

namespace {

std::string QuoteNetwork(const std::string& name) {
  return "network \"" + name + '"';
}

/// "its 3 layers run on Npu now".
std::string DescribeMove(const Placement& before, const Placement& now,
                         const std::string& failed_backend) {
  std::size_t num_moved = 0;
  std::vector<std::string> takers;
  for (std::size_t i = 0; i < before.layers.size() && i < now.layers.size(); ++i) {
    if (before.layers[i].backend_id != failed_backend) continue;
    ++num_moved;
    const std::string& taker = now.layers[i].backend_id;
    if (std::find(takers.begin(), takers.end(), taker) == takers.end()) takers.push_back(taker);
  }
  std::string text = num_moved == 1 ? "its layer runs on "
                                    : "its " + std::to_string(num_moved) + " layers run on ";
  for (const std::string& taker : takers) text += (&taker == &takers.front() ? "" : ", ") + taker;
  return text + " now";
}

Diagnostic MakeNotPlaced(const std::string& network, const std::string& failed_backend) {
  Diagnostic diagnostic{DiagnosticCode::kNotPlacedElsewhere};
  diagnostic.subject = {SubjectKind::kNetwork, network};
  diagnostic.what =
      QuoteNetwork(network) + " could not be placed without backend \"" + failed_backend + '"';
  return diagnostic;
}

Diagnostic MakeNotRepeated(const std::string& network) {
  Diagnostic diagnostic{DiagnosticCode::kRunNotRepeated};
  diagnostic.subject = {SubjectKind::kNetwork, network};
  diagnostic.what = "a run of " + QuoteNetwork(network) + " could not be repeated";
  return diagnostic;
}

}  // namespace

std::string DescribeExclusion(const Diagnostic& failure) {
  return "it failed while the network ran: " + failure.what;
}

Diagnostic DescribePlacedElsewhere(const Placement& before, const Placement& now,
                                   const std::string& failed_backend, const Diagnostic& failure) {
  Diagnostic diagnostic{DiagnosticCode::kPlacedElsewhere, Severity::kWarning};
  diagnostic.subject = {SubjectKind::kNetwork, now.network};
  diagnostic.what = QuoteNetwork(now.network) + " was placed again without backend \"" +
                    failed_backend + "\", which failed while it ran";
  diagnostic.why = "found that " + failure.what + "; " + DescribeMove(before, now, failed_backend);
  diagnostic.fix = (failure.code == DiagnosticCode::kOutOfMemory
                        ? failure.fix
                        : std::string("report the failure to the vendor of the backend")) +
                   "; the network stays where it is until it is unloaded and loaded again";
  diagnostic.causes = {failure};
  return diagnostic;
}

Diagnostic DescribeNotPlaced(const std::string& network, const std::string& failed_backend,
                             const Diagnostic& thrown) {
  Diagnostic diagnostic = MakeNotPlaced(network, failed_backend);
  diagnostic.why = "found that " + thrown.what + "; expected others that take its layers";
  diagnostic.fix =
      "let the preferences name a backend behind it that takes its layers, and change what the "
      "cause tells; then load the network again";
  diagnostic.causes = {thrown};
  return diagnostic;
}

Diagnostic DescribePlacedBefore(const std::string& network, const std::string& failed_backend,
                                const std::string& failed_before) {
  Diagnostic diagnostic = MakeNotPlaced(network, failed_backend);
  diagnostic.why = "found that it was placed again before, when backend \"" + failed_before +
                   "\" failed; expected one backend that fails, because a network is placed again "
                   "once";
  diagnostic.fix = "load the network again, with preferences that name neither";
  return diagnostic;
}

Diagnostic DescribeLostInputs(const std::string& network) {
  Diagnostic diagnostic = MakeNotRepeated(network);
  diagnostic.why =
      "found an output that lies in the memory of an input, over which the failed run may have "
      "written; expected inputs that are as they were";
  diagnostic.fix = "run again with the inputs, or give outputs memory of their own";
  return diagnostic;
}

Diagnostic DescribeNoTimeLeft(const std::string& network, RunStop stop, const Diagnostic& failure) {
  const bool is_late = stop == RunStop::kDeadline;
  Diagnostic diagnostic{is_late ? DiagnosticCode::kRunTimedOut : DiagnosticCode::kRunCancelled};
  diagnostic.subject = {SubjectKind::kNetwork, network};
  diagnostic.what = "a run of " + QuoteNetwork(network) + " was not repeated";
  diagnostic.why =
      "found that " + failure.what + ", and then " +
      (is_late ? "its deadline passed; expected time to run again" : "that it was cancelled");
  diagnostic.fix =
      is_late ? "allow more time; run again" : "run again when the result is wanted after all";
  diagnostic.causes = {failure};
  return diagnostic;
}

}  // namespace backplane
