#include "graph/type_set.hpp"

namespace backplane {

std::string DescribeTypes(TypeSet types) {
  std::string text;
#define BACKPLANE_DATA_TYPE(name, number, size, type_text, ...) \
  if (types.Has(DataType::k##name)) text += (text.empty() ? "" : ", ") + std::string(type_text);
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
  return text;
}

}  // namespace backplane
