#include "mock_rows.hpp"
#include "support/build_tree.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace backplane::test {

void ReplacePlaceholder(std::string& text, const std::string& placeholder,
                        const std::string& value) {
  for (std::size_t at = text.find(placeholder); at != std::string::npos;
       at = text.find(placeholder, at + value.size())) {
    text.replace(at, placeholder.size(), value);
  }
}

namespace {

std::string GetText(BackendVersion version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

std::string FillIn(std::string word, const MockRow& row) {
  constexpr BackendVersion kHost = kBackendApiVersion;
  ReplacePlaceholder(word, "{host}", GetText(kHost));
  ReplacePlaceholder(word, "{next_minor}", GetText({kHost.major, kHost.minor + 1}));
  ReplacePlaceholder(word, "{next_major}", GetText({kHost.major + 1, kHost.minor}));
  ReplacePlaceholder(word, "{previous_major}", GetText({kHost.major - 1, kHost.minor}));
  ReplacePlaceholder(word, "{folder}", row.folder);
  return word;
}

MockRow MakeRow(const char* name, const char* recipe, const char* file) {
  MockRow row;
  row.name = name;
  row.recipe = recipe;
  row.path = test::InBuildTree(BACKPLANE_MOCK_BACKENDS_DIR) + '/' + file;
  row.folder = std::filesystem::path(row.path).parent_path().string();
  return row;
}

MockRow MakeMock(const char* name, const char* recipe, const char* file, const char* id) {
  MockRow row = MakeRow(name, recipe, file);
  row.id = id;
  return row;
}

MockRow MakeDefect(const char* name, const char* recipe, const char* file, CandidateStatus status,
                   Stage stage, DiagnosticCode code, const std::string& subject,
                   const std::vector<std::string>& words) {
  MockRow row = MakeRow(name, recipe, file);
  row.status = status;
  row.stage = stage;
  row.code = code;
  row.subject = subject == "{path}" ? Subject{SubjectKind::kFile, row.path}
                                    : Subject{SubjectKind::kBackend, subject};
  for (const std::string& word : words) row.words.push_back(FillIn(word, row));
  return row;
}

MockRow MakeRemark(const char* name, const char* recipe, const char* file, const char* id,
                   CandidateStatus status, Stage stage, DiagnosticCode code,
                   const std::vector<std::string>& words) {
  MockRow row = MakeDefect(name, recipe, file, status, stage, code, "{path}", words);
  row.id = id;
  row.is_remark = true;
  return row;
}

MockRow MakeDeadly(const char* name, const char* recipe, const char* file, Stage stage,
                   DiagnosticCode code, const std::vector<std::string>& words) {
  MockRow row =
      MakeDefect(name, recipe, file, CandidateStatus::kRejected, stage, code, "{path}", words);
  row.needs_child = true;
  return row;
}

MockRow MakeIntrusive(const char* name, const char* recipe, const char* file, const char* id,
                      DiagnosticCode code, const std::vector<std::string>& words) {
  MockRow row = MakeDefect(name, recipe, file, CandidateStatus::kLoaded, Stage::kCreate, code,
                           "{path}", words);
  row.id = id;
  row.needs_child = true;
  return row;
}

ScanOptions GetOptions(const MockRow& row) {
  ScanOptions options;
  options.search_paths.push_back({row.folder});
  if (row.is_remark) options.dependencies = DependencyCheck::kAlways;
  return options;
}

}  // namespace

const std::vector<MockRow>& GetMockRows() {
  static const std::vector<MockRow> rows{
#define BACKPLANE_MOCK(name, recipe, file, id) MakeMock(#name, recipe, file, id),
#define BACKPLANE_DEFECT(name, recipe, file, status, stage, code, subject, ...) \
  MakeDefect(#name, recipe, file, CandidateStatus::k##status, Stage::k##stage,  \
             DiagnosticCode::k##code, subject, std::vector<std::string>{__VA_ARGS__}),
#define BACKPLANE_REMARK(name, recipe, file, id, status, stage, code, ...)         \
  MakeRemark(#name, recipe, file, id, CandidateStatus::k##status, Stage::k##stage, \
             DiagnosticCode::k##code, std::vector<std::string>{__VA_ARGS__}),
#define BACKPLANE_DEADLY(name, recipe, file, stage, code, ...)              \
  MakeDeadly(#name, recipe, file, Stage::k##stage, DiagnosticCode::k##code, \
             std::vector<std::string>{__VA_ARGS__}),
#define BACKPLANE_INTRUSIVE(name, recipe, file, id, code, ...)    \
  MakeIntrusive(#name, recipe, file, id, DiagnosticCode::k##code, \
                std::vector<std::string>{__VA_ARGS__}),
#define BACKPLANE_APART(name, recipe, file)
#include <defects.def>
#undef BACKPLANE_APART
#undef BACKPLANE_INTRUSIVE
#undef BACKPLANE_DEADLY
#undef BACKPLANE_MOCK
#undef BACKPLANE_DEFECT
#undef BACKPLANE_REMARK
  };
  return rows;
}

const MockRow& GetMockRow(const std::string& name) {
  static const std::vector<MockRow> apart{
#define BACKPLANE_APART(name, recipe, file) MakeRow(#name, recipe, file),
#define BACKPLANE_MOCK(...)
#define BACKPLANE_DEFECT(...)
#define BACKPLANE_REMARK(...)
#define BACKPLANE_DEADLY(...)
#define BACKPLANE_INTRUSIVE(...)
#include <defects.def>
#undef BACKPLANE_INTRUSIVE
#undef BACKPLANE_DEADLY
#undef BACKPLANE_REMARK
#undef BACKPLANE_DEFECT
#undef BACKPLANE_MOCK
#undef BACKPLANE_APART
  };
  for (const auto* rows : {&GetMockRows(), &apart}) {
    for (const MockRow& row : *rows) {
      if (row.name == name) return row;
    }
  }
  std::fprintf(stderr, "defects.def has no row %s\n", name.c_str());
  std::abort();
}

LoadReport ScanFolders(const std::vector<std::string>& folders) {
  ScanOptions options;
  for (const std::string& folder : folders) options.search_paths.push_back({folder});
  return Scan(options);
}

LoadReport ScanHere(const MockRow& row) {
  return Scan(GetOptions(row));
}

LoadReport ScanInChild(const MockRow& row) {
  ScanOptions options = GetOptions(row);
  options.probe = ProbeMode::kChild;
  options.probe_settings.verdicts = VerdictUse::kIgnore;
  options.probe_settings.intrusive = IntrusiveBackends::kAllow;
  options.probe_settings.max_data_bytes = std::uint64_t{512} << 20U;
  // Long enough for anything that ends, and short where nothing does.
  const bool never_ends = row.code == DiagnosticCode::kPluginTimedOut;
  options.probe_settings.timeout = std::chrono::milliseconds(never_ends ? 5'000 : 300'000);
  return Scan(options);
}

LoadReport LoadFolders(const std::vector<std::string>& folders, BackendRegistry& registry) {
  ScanOptions options;
  for (const std::string& folder : folders) options.search_paths.push_back({folder});
  return LoadBackends(options, registry);
}

const Candidate* FindCandidate(const LoadReport& report, const std::string& path) {
  for (const Candidate& candidate : report.candidates) {
    if (candidate.path == path) return &candidate;
  }
  return nullptr;
}

std::string GetStatus(const LoadReport& report, const std::string& path) {
  const Candidate* candidate = FindCandidate(report, path);
  return candidate != nullptr ? GetCandidateStatusName(candidate->status) : "absent";
}

const Diagnostic* FindDiagnostic(const Candidate& candidate, DiagnosticCode code) {
  for (const Diagnostic& diagnostic : candidate.diagnostics) {
    if (diagnostic.code == code) return &diagnostic;
  }
  return nullptr;
}

const Diagnostic* FindReason(const Candidate& candidate) {
  const Diagnostic* headline = GetHeadline(candidate);
  if (headline != nullptr || candidate.diagnostics.empty()) return headline;
  return &candidate.diagnostics.front();
}

bool IsMapped(const std::string& part) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(part) != std::string::npos) return true;
  }
  return false;
}

MockDirectory::MockDirectory() {
  // Not in TMPDIR: text that is wrapped is the same everywhere only if paths are equally long.
  path_ = "/tmp/backplane_XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) {
    std::perror("mkdtemp");
    std::abort();
  }
}

MockDirectory::~MockDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string MockDirectory::Add(const std::string& row) const {
  const std::filesystem::path source = GetMockRow(row).path;
  const std::filesystem::path copy = std::filesystem::path(path_) / source.filename();
  std::filesystem::copy(source, copy, std::filesystem::copy_options::copy_symlinks);
  return copy.string();
}

std::vector<std::string> MockDirectory::AddCopies(const std::string& file, const std::string& id,
                                                  int count) const {
  std::ifstream source(file, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(source)), {});
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i) {
    const std::string digits = std::to_string(1000 + i);
    const std::string own_id = id.substr(0, id.size() - digits.size()) + digits;
    std::string copy = content;
    ReplacePlaceholder(copy, id, own_id);
    paths.push_back(path_ + "/Mock_" + id + digits + "_backend.so");
    std::ofstream(paths.back(), std::ios::binary) << copy;
  }
  return paths;
}

}  // namespace backplane::test
