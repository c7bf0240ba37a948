#include "probing/file_record.hpp"

#include "report/packed_bytes.hpp"
#include "report/record_texts.hpp"

#include <nlohmann/json.hpp>

namespace backplane::probing {

using Json = nlohmann::json;

Json MakeRecord(const discovery::FileStamp& stamp) {
  return Json::array(
      {stamp.device, stamp.inode, stamp.size_bytes, stamp.modified_ns, stamp.changed_ns});
}

discovery::FileStamp ReadStamp(const Json& record) {
  return {record.at(0).get<std::uint64_t>(), record.at(1).get<std::uint64_t>(),
          record.at(2).get<std::uint64_t>(), record.at(3).get<std::int64_t>(),
          record.at(4).get<std::int64_t>()};
}

Json MakeRecord(const MappedFile& file) {
  return Json::array({report::PackBytes(file.path), MakeRecord(file.stamp)});
}

MappedFile ReadFile(const Json& record) {
  return {report::ReadText(record.at(0)), ReadStamp(record.at(1))};
}

}  // namespace backplane::probing
