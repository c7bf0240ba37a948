#include "nodes/operator_sets.hpp"

#include "nodes/rows_by_type.hpp"

#include <algorithm>
#include <limits>

namespace backplane::onnx {
namespace {

struct NewerOperator {
  const char* op_type;
  std::int64_t first_opset;
  std::size_t most_inputs;
};

constexpr NewerOperator kNewer[] = {
#define BACKPLANE_NEWER_OPERATOR(op, first_opset, most_inputs) {#op, first_opset, most_inputs},
#include "operator_sets.def"
#undef BACKPLANE_NEWER_OPERATOR
};

// Null when libonnx has all versions of it.
const NewerOperator* FindNewer(const std::string& domain, const std::string& op_type) {
  if (!domain.empty()) return nullptr;
  static const RowsByType<NewerOperator> rows(kNewer);
  return rows.Find(op_type);
}

}  // namespace

const ::onnx::OpSchema* FindSchema(const std::string& domain, const std::string& op_type,
                                   std::int64_t opset) {
  const NewerOperator* newer = FindNewer(domain, op_type);
  if (newer != nullptr && opset >= newer->first_opset) return nullptr;
  const auto version =
      static_cast<int>(std::min<std::int64_t>(opset, std::numeric_limits<int>::max()));
  return ::onnx::OpSchemaRegistry::Schema(op_type, version, domain);
}

bool IsOperatorOfOnnx(const std::string& op_type) {
  return FindNewer("", op_type) != nullptr || ::onnx::OpSchemaRegistry::Schema(op_type) != nullptr;
}

std::size_t CountKnownInputs(const std::string& domain, const std::string& op_type,
                             std::int64_t opset) {
  const ::onnx::OpSchema* schema = FindSchema(domain, op_type, opset);
  if (schema != nullptr) return static_cast<std::size_t>(schema->max_input());
  const NewerOperator* newer = FindNewer(domain, op_type);
  return newer != nullptr ? newer->most_inputs : 0;
}

}  // namespace backplane::onnx
