#pragma once

#include <backplane/host/file_facts.hpp>

#include <nlohmann/json.hpp>

namespace backplane {

/// The facts as the report has them under "facts".
nlohmann::ordered_json MakeJson(const FileFacts& facts);

}  // namespace backplane
