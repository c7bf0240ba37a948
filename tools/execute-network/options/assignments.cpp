#include "options/assignments.hpp"

#include "command_line/usage.hpp"
#include "tensors/shape_text.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace backplane::execute_network {
namespace {

/// One option, to which a refusal refers.
struct OptionForm {
  std::string command;
  std::string option;
  std::string form;
};

[[noreturn]] void ThrowForm(const OptionForm& option, const std::string& found) {
  command_line::ThrowUsage(
      option.command, option.option, option.option + " cannot be read",
      "found \"" + found + "\"; the form is " + option.option + " " + option.form);
}

[[noreturn]] void ThrowTwice(const OptionForm& option, const std::string& name) {
  command_line::ThrowUsage(option.command, option.option,
                           option.option + " is given twice for " + name,
                           "each name may be given once");
}

// The name of a tensor or layer may contain '=', a file name, shape or id hardly: the last one
// separates.
std::pair<std::string, std::string> SplitAtLast(const OptionForm& option,
                                                const std::string& assignment) {
  const std::size_t separator = assignment.rfind('=');
  if (separator == std::string::npos || separator == 0 || separator + 1 == assignment.size()) {
    ThrowForm(option, assignment);
  }
  return {assignment.substr(0, separator), assignment.substr(separator + 1)};
}

std::map<std::string, std::string> ReadNamed(const OptionForm& option,
                                             const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> values;
  for (const std::string& assignment : assignments) {
    auto [name, value] = SplitAtLast(option, assignment);
    if (!values.emplace(name, std::move(value)).second) ThrowTwice(option, name);
  }
  return values;
}

// NAME alone: the data comes from the data set.
std::map<std::string, std::string> ReadConstants(const OptionForm& option,
                                                 const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> files;
  for (const std::string& assignment : assignments) {
    std::pair<std::string, std::string> constant(assignment, "");
    if (assignment.empty() || assignment.find('=') != std::string::npos) {
      constant = SplitAtLast(option, assignment);
    }
    if (!files.insert(constant).second) ThrowTwice(option, constant.first);
  }
  return files;
}

std::map<std::string, TensorShape> ReadShapes(const OptionForm& option,
                                              const std::vector<std::string>& assignments) {
  std::map<std::string, TensorShape> shapes;
  for (const auto& [name, text] : ReadNamed(option, assignments)) {
    const auto shape = ParseShape(text);
    if (!shape) {
      command_line::ThrowUsage(
          option.command, option.option, "the shape of " + name + " cannot be read",
          "found \"" + text + "\"; expected are at most " + std::to_string(kMaxRank) +
              " extents as in 1x3x224x224, or scalar");
    }
    shapes.emplace(name, *shape);
  }
  return shapes;
}

std::vector<LayerBackend> ReadLayerBackends(const OptionForm& option,
                                            const std::vector<std::string>& assignments) {
  std::vector<LayerBackend> layer_backends;
  for (const std::string& assignment : assignments) {
    auto [pattern, id] = SplitAtLast(option, assignment);
    layer_backends.push_back({std::move(pattern), std::move(id)});
  }
  return layer_backends;
}

std::vector<OptionText> ReadBackendOptions(const OptionForm& option,
                                           const std::vector<std::string>& assignments) {
  std::vector<OptionText> texts;
  for (const std::string& assignment : assignments) {
    std::optional<OptionText> text = SplitOption(assignment);
    if (!text) ThrowForm(option, assignment);
    const bool is_taken = std::any_of(texts.begin(), texts.end(), [&](const auto& other) {
      return other.backend_id == text->backend_id && other.name == text->name;
    });
    if (is_taken) ThrowTwice(option, text->backend_id + ":" + text->name);
    texts.push_back(std::move(*text));
  }
  return texts;
}

}  // namespace

void ReadAssignments(const std::string& command, const Assignments& assignments, Options& options) {
  options.input_files = ReadNamed({command, "--input", "NAME=FILE"}, assignments.inputs);
  options.expected_files = ReadNamed({command, "--expect", "NAME=FILE"}, assignments.expected);
  options.shapes = ReadShapes({command, "--shape", "NAME=1x3x224x224"}, assignments.shapes);
  options.constant_files =
      ReadConstants({command, "--constant", "NAME=FILE"}, assignments.constants);
  options.layer_backends =
      ReadLayerBackends({command, "--layer-backend", "PATTERN=ID"}, assignments.layer_backends);
  options.backend_options =
      ReadBackendOptions({command, "--option", "ID:NAME=VALUE"}, assignments.backend_options);
}

}  // namespace backplane::execute_network
