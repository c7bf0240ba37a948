#include <backplane/runtime/profiling.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace backplane {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kCoreProcess = 1;

/// The processes of the trace: 1 for the core, then one for each backend.
class Processes {
 public:
  explicit Processes(const Profile& profile) {
    numbers_.emplace("", kCoreProcess);
    for (const ProfileLane& lane : profile.lanes) Add(lane.backend_id);
    for (const CounterSeries& counter : profile.counters) Add(counter.backend_id);
  }

  int GetNumber(const std::string& backend_id) const { return numbers_.at(backend_id); }
  const std::map<std::string, int>& GetAll() const { return numbers_; }

 private:
  void Add(const std::string& backend_id) {
    numbers_.emplace(backend_id, static_cast<int>(numbers_.size()) + kCoreProcess);
  }

  std::map<std::string, int> numbers_;
};

double ToMicroseconds(std::uint64_t time_ns) {
  constexpr double kNsPerUs = 1000.0;
  return static_cast<double>(time_ns) / kNsPerUs;
}

double Since(std::uint64_t time_ns, std::uint64_t begin_ns) {
  return time_ns > begin_ns ? ToMicroseconds(time_ns - begin_ns) : 0.0;
}

/// Writes events one by one: a trace of millions of them need not be in memory twice.
class TraceWriter {
 public:
  explicit TraceWriter(const Json& other_data)
      : text_("{\"displayTimeUnit\":\"ns\",\"otherData\":" + Dump(other_data) +
              ",\"traceEvents\":[") {}

  void Write(const Json& event) {
    text_ += is_first_ ? "\n" : ",\n";
    text_ += Dump(event);
    is_first_ = false;
  }

  std::string Finish() {
    text_ += "\n]}\n";
    return std::move(text_);
  }

 private:
  static std::string Dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  std::string text_;
  bool is_first_ = true;
};

Json MakeMetadata(const char* name, int process, std::size_t thread, Json args) {
  return {
      {"name", name}, {"ph", "M"}, {"pid", process}, {"tid", thread}, {"args", std::move(args)}};
}

void WriteProcesses(const Processes& processes, TraceWriter& writer) {
  for (const auto& [backend_id, number] : processes.GetAll()) {
    const std::string name =
        backend_id.empty() ? "Backplane" : "backend " + EscapeForDisplay(backend_id);
    writer.Write(MakeMetadata("process_name", number, 0, {{"name", name}}));
    writer.Write(MakeMetadata("process_sort_index", number, 0, {{"sort_index", number}}));
  }
}

// Threads are numbered from 1: 0 means that an event is of no thread.
void WriteLanes(const Profile& profile, const Processes& processes, TraceWriter& writer) {
  std::vector<bool> has_events(profile.lanes.size());
  for (const ProfileEvent& event : profile.events) has_events[event.lane] = true;
  for (std::size_t i = 0; i < profile.lanes.size(); ++i) {
    if (!has_events[i]) continue;
    const ProfileLane& lane = profile.lanes[i];
    const int process = processes.GetNumber(lane.backend_id);
    writer.Write(
        MakeMetadata("thread_name", process, i + 1, {{"name", EscapeForDisplay(lane.name)}}));
    writer.Write(MakeMetadata("thread_sort_index", process, i + 1, {{"sort_index", i + 1}}));
  }
}

Json MakeArgs(const ProfileEvent& event) {
  Json args = Json::object();
  if (!event.backend_id.empty()) args["backend"] = EscapeForDisplay(event.backend_id);
  if (!event.type.empty()) args["type"] = event.type;
  if (event.has_failed) args["failed"] = true;
  return args;
}

void WriteEvents(const Profile& profile, const Processes& processes, TraceWriter& writer) {
  for (const ProfileEvent& event : profile.events) {
    const std::uint64_t end_ns = std::max(event.begin_ns, event.end_ns);
    writer.Write({{"name", EscapeForDisplay(event.name)},
                  {"cat", GetProfileEventKindName(event.kind)},
                  {"ph", "X"},
                  {"ts", Since(event.begin_ns, profile.begin_ns)},
                  {"dur", ToMicroseconds(end_ns - event.begin_ns)},
                  {"pid", processes.GetNumber(profile.lanes[event.lane].backend_id)},
                  {"tid", event.lane + 1},
                  {"args", MakeArgs(event)}});
  }
}

void WriteCounters(const Profile& profile, const Processes& processes, TraceWriter& writer) {
  for (const CounterSeries& counter : profile.counters) {
    const std::string unit = counter.unit.empty() ? "" : " [" + counter.unit + "]";
    const std::string name = EscapeForDisplay(counter.name + unit);
    for (const CounterValue& value : counter.values) {
      writer.Write({{"name", name},
                    {"cat", "counter"},
                    {"ph", "C"},
                    {"ts", Since(value.time_ns, profile.begin_ns)},
                    {"pid", processes.GetNumber(counter.backend_id)},
                    {"tid", 0},
                    {"args", {{"value", value.value}}}});
    }
  }
}

Json MakeOtherData(const Profile& profile) {
  Json diagnostics = Json::array();
  for (const Diagnostic& diagnostic : profile.diagnostics) {
    diagnostics.push_back(EscapeForDisplay(ToText(diagnostic)));
  }
  return {{"schema", 1},
          {"lost_events", profile.num_lost_events},
          {"lost_values", profile.num_lost_values},
          {"lost_networks", profile.num_lost_networks},
          {"diagnostics", std::move(diagnostics)}};
}

}  // namespace

std::string ToChromeTrace(const Profile& profile) {
  const Processes processes(profile);
  TraceWriter writer(MakeOtherData(profile));
  WriteProcesses(processes, writer);
  WriteLanes(profile, processes, writer);
  WriteEvents(profile, processes, writer);
  WriteCounters(profile, processes, writer);
  return writer.Finish();
}

}  // namespace backplane
