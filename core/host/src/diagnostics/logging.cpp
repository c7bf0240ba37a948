// The only place that knows Boost.Log. The application may use Boost.Log itself, with the same
// process-wide core: no attribute, filter or formatter of that core is touched, and our sink takes
// only records that carry our own attribute.

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>

#include "diagnostics/level_table.hpp"

#include <boost/log/attributes/constant.hpp>
#include <boost/log/attributes/value_extraction.hpp>
#include <boost/log/core/core.hpp>
#include <boost/log/expressions.hpp>
#include <boost/log/sinks/sync_frontend.hpp>
#include <boost/log/sinks/text_ostream_backend.hpp>
#include <boost/log/sources/logger.hpp>
#include <boost/log/sources/record_ostream.hpp>
#include <boost/make_shared.hpp>
#include <boost/shared_ptr.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <mutex>
#include <utility>

namespace backplane {
namespace {

namespace log = boost::log;
using Sink = log::sinks::synchronous_sink<log::sinks::text_ostream_backend>;

constexpr int kNothing = static_cast<int>(LogLevel::kError) + 1;
constexpr char kMarkerAttribute[] = "BackplaneLine";

/// The one check before anything else; kNothing while logging is off.
std::atomic<int>& GetLowestLevel() {
  static std::atomic<int> lowest{kNothing};
  return lowest;
}

struct Settings {
  std::mutex mutex;
  std::shared_ptr<const diagnostics::LevelTable> levels;
  boost::shared_ptr<Sink> sink;
  boost::shared_ptr<std::ostream> stream;  // the sink's
  std::atomic<bool> is_process_ending{false};
};

/// Never destroyed: backends may log while the process ends.
Settings& GetSettings() {
  static auto* settings = new Settings;
  return *settings;
}

std::shared_ptr<const diagnostics::LevelTable> GetLevels() {
  Settings& settings = GetSettings();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  return settings.levels;
}

boost::shared_ptr<std::ostream> OpenDestination(const LogDestination& destination) {
  if (destination.file.empty()) {
    return {&std::clog, [](std::ostream* /*standard error*/) {}};
  }
  auto file = boost::make_shared<std::ofstream>(destination.file, std::ios::app);
  if (*file) return file;
  Diagnostic diagnostic{DiagnosticCode::kLogFileUnwritable};
  diagnostic.subject = {SubjectKind::kFile, destination.file};
  diagnostic.what = "the log file " + destination.file + " cannot be written";
  diagnostic.why = std::strerror(errno);
  diagnostic.fix = "give a file in a directory that exists and that you may write";
  throw DiagnosticException(std::move(diagnostic));
}

/// Boost.Log's core is destroyed when the process ends, before what the application made earlier,
/// such as a runtime in a global. What that logs is written without the core.
void LeaveCoreBeforeItEnds() {
  log::core::get();  // first: what is registered later runs earlier
  static const int registered = std::atexit([] { GetSettings().is_process_ending = true; });
  static_cast<void>(registered);
}

void WriteWithoutCore(const std::string& line) {
  Settings& settings = GetSettings();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  if (settings.stream) *settings.stream << line << std::endl;
}

boost::shared_ptr<Sink> CreateSink(const boost::shared_ptr<std::ostream>& stream) {
  auto backend = boost::make_shared<log::sinks::text_ostream_backend>();
  backend->add_stream(stream);
  backend->auto_flush(true);
  auto sink = boost::make_shared<Sink>(backend);
  sink->set_filter(log::expressions::has_attr<std::string>(kMarkerAttribute));
  sink->set_formatter([](const log::record_view& record, log::formatting_ostream& stream_out) {
    stream_out << *log::extract<std::string>(kMarkerAttribute, record);
  });
  return sink;
}

std::string FormatLine(std::string_view channel, LogLevel level, std::string_view message) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds = static_cast<int>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char time[sizeof("2000-01-01T00:00:00")];
  std::strftime(time, sizeof time, "%FT%T", &parts);
  char fraction[8];
  std::snprintf(fraction, sizeof fraction, ".%03dZ", milliseconds);
  return std::string(time) + fraction + ' ' + diagnostics::GetLevelName(level) + ' ' +
         std::string(channel) + ": " + EscapeForDisplay(message);
}

}  // namespace

void EnableLogging(std::string_view levels, const LogDestination& destination) {
  auto table =
      std::make_shared<const diagnostics::LevelTable>(diagnostics::LevelTable::Parse(levels));
  const auto stream = OpenDestination(destination);
  const auto sink = CreateSink(stream);
  LeaveCoreBeforeItEnds();
  Settings& settings = GetSettings();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  if (settings.sink) log::core::get()->remove_sink(settings.sink);
  log::core::get()->add_sink(sink);
  settings.sink = sink;
  settings.stream = stream;
  settings.levels = std::move(table);
  GetLowestLevel().store(settings.levels->GetLowestLevel(), std::memory_order_release);
}

void DisableLogging() {
  Settings& settings = GetSettings();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  GetLowestLevel().store(kNothing, std::memory_order_release);
  if (settings.sink && !settings.is_process_ending) log::core::get()->remove_sink(settings.sink);
  settings.sink.reset();
  settings.stream.reset();
  settings.levels.reset();
}

bool IsLogEnabled(std::string_view channel, LogLevel level) {
  if (static_cast<int>(level) < GetLowestLevel().load(std::memory_order_acquire)) return false;
  const auto levels = GetLevels();
  return levels && levels->IsEnabled(channel, level);
}

void Log(std::string_view channel, LogLevel level, std::string_view message) {
  if (!IsLogEnabled(channel, level)) return;
  const std::string line = FormatLine(channel, level, message);
  if (GetSettings().is_process_ending) return WriteWithoutCore(line);
  // A logger for each record: it carries the line as its attribute, and threads share nothing.
  log::sources::logger logger;
  logger.add_attribute(kMarkerAttribute, log::attributes::make_constant(line));
  BOOST_LOG(logger) << "";
}

}  // namespace backplane
