#include "probing/report_writer.hpp"

#include <unistd.h>

#include <string>

namespace backplane::probing {

ReportWriter::ReportWriter(SharedReport& report) : report_(report), process_(getpid()) {}

void ReportWriter::OnStage(Stage stage) {
  SetCall("");
  report_.stage.store(static_cast<std::uint32_t>(stage));
}

void ReportWriter::SetCall(std::string_view function) {
  EndIfCopy();
  report_.call.Set(function);
  report_.call_thread.store(static_cast<std::uint32_t>(gettid()));
}

void ReportWriter::SetMember(std::size_t member) {
  EndIfCopy();
  report_.member.store(static_cast<std::uint32_t>(member));
}

void ReportWriter::WriteFindings(const PluginReport& plugin) {
  std::string body = EncodeReport(plugin);
  if (body.size() > SharedReport::kMaxBodyBytes && !plugin.files.empty()) {
    // Without them the verdict is only not kept.
    PluginReport shorter = plugin;
    shorter.files.clear();
    body = EncodeReport(shorter);
  }
  if (body.size() <= SharedReport::kMaxBodyBytes) body.copy(report_.body, body.size());
  report_.body_bytes.store(static_cast<std::uint32_t>(body.size()));
}

void ReportWriter::EndAtOnce() {
  report_.is_closed.store(1);
  report_.is_ended.store(1);
  _exit(0);
}

/// A plugin that forks and returns twice would have everything done twice, here as in an
/// application.
void ReportWriter::EndIfCopy() const {
  if (getpid() == process_) return;
  report_.has_copy.store(1);
  _exit(0);
}

}  // namespace backplane::probing
