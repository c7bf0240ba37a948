#include "decisions/decision_text.hpp"

#include "cpu_layers/refusal.hpp"

#include <dnnl.hpp>

#include <fstream>
#include <sstream>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Text;

constexpr char kFormat[] = "CpuAcc decisions 1";
constexpr char kDigestLine[] = "digest ";

/// Against damage, not against malice.
std::uint64_t ComputeDigest(const std::string& text) {
  std::uint64_t digest = 14695981039346656037U;
  for (const char letter : text) {
    digest = (digest ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  }
  return digest;
}

std::string ReadProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 1);
  }
  return " unknown processor";
}

/// Takes the digest off the end of the text. False when it is not that of the rest.
bool TakeDigest(std::string& text) {
  const std::size_t begin = text.rfind(kDigestLine);
  if (begin == std::string::npos) return false;
  const std::string digest = text.substr(begin);
  text.erase(begin);
  return digest == Text(kDigestLine, ComputeDigest(text), "\n");
}

}  // namespace

std::string DescribeMachine() {
  const dnnl_version_t& version = *dnnl::version();
  return Text(kFormat, ", oneDNN ", version.major, ".", version.minor, ".", version.patch, ", isa ",
              static_cast<unsigned>(dnnl::get_effective_cpu_isa()), ",", ReadProcessorName());
}

std::string WriteDecisions(const Answers& answers, const std::string& machine) {
  std::string text = machine + "\n";
  for (const auto& [question, answer] : answers) text += Text(answer ? "1 " : "0 ", question, "\n");
  return text + Text(kDigestLine, ComputeDigest(text), "\n");
}

std::optional<Answers> ReadDecisions(const std::string& text, const std::string& machine) {
  std::string content = text;
  if (!TakeDigest(content)) return {};
  std::istringstream lines(content);
  std::string line;
  if (!std::getline(lines, line) || line != machine) return {};
  Answers answers;
  while (std::getline(lines, line)) {
    if (line.size() < 3) return {};
    answers[line.substr(2)] = line[0] == '1';
  }
  return answers;
}

}  // namespace cpuacc
}  // namespace backplane
