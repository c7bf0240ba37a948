#include "results/labels.hpp"

#include "files/data_file.hpp"

#include <sstream>

namespace backplane::execute_network {

std::vector<std::string> ReadLabels(const std::string& path) {
  std::istringstream lines(ReadDataFile(path));
  std::vector<std::string> labels;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels.push_back(line);
  }
  if (labels.empty()) {
    ThrowUnreadable(path, "it is empty",
                    "give a text file with the name of one class in each line");
  }
  return labels;
}

}  // namespace backplane::execute_network
