#pragma once

#include "discovery/file_stamp.hpp"
#include "probing/probe_account.hpp"

#include <nlohmann/json_fwd.hpp>

namespace backplane::probing {

/// Files and their stamps as records. Readers throw report::NotARecord, or what the JSON library
/// throws, on anything else.
nlohmann::json MakeRecord(const discovery::FileStamp& stamp);
discovery::FileStamp ReadStamp(const nlohmann::json& record);
nlohmann::json MakeRecord(const MappedFile& file);
MappedFile ReadFile(const nlohmann::json& record);

}  // namespace backplane::probing
