#pragma once

/// How backends say what they cannot do.

#include "cpu_layers/layer.hpp"
#include "cpu_layers/tensor_roles.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace backplane {
namespace cpu_layers {

/// A shape as users write it, for example [1, 3, 224, 224].
std::string DescribeShape(const TensorShape& shape);

inline const std::string& ToText(const std::string& text) {
  return text;
}
inline const char* ToText(const char* text) {
  return text;
}
template <typename Integer>
std::enable_if_t<std::is_integral<Integer>::value, std::string> ToText(Integer number) {
  return std::to_string(number);
}

/// The parts, texts and integers, written one after the other.
template <typename... Parts>
std::string Text(const Parts&... parts) {
  std::string text;
  ((text += ToText(parts)), ...);
  return text;
}

/// "the output", or "output 1" where there are several.
std::string NameOutput(const Layer& layer, std::uint32_t index);

/// Collects everything that is wrong with a layer.
class Refusal {
 public:
  template <typename... Parts>
  void Add(const Parts&... parts) {
    if (!reason_.empty()) reason_ += "; ";
    reason_ += Text(parts...);
  }

  bool IsEmpty() const { return reason_.empty(); }
  const std::string& GetReason() const { return reason_; }

 private:
  std::string reason_;
};

/// Refuses a layer whose values differ in data type or quantisation: bytes can then not be copied.
/// Tensors of another role must have the type that goes with it.
void RequireOneRepresentation(const Layer& layer, Refusal& refusal, const TensorRoles& roles = {});

/// Refuses tensors that are no values and have not the type that goes with their role.
void RequireTypesOfRoles(const Layer& layer, const TensorRoles& roles, Refusal& refusal);

/// Refuses an output of another shape.
void RequireOutputShape(const Layer& layer, const TensorShape& expected, Refusal& refusal,
                        std::uint32_t index = 0);

/// Refuses an output of another data type than the descriptor asks for.
void RequireOutputType(const Layer& layer, DataType wanted, Refusal& refusal);

/// Refuses a tensor of another data type, or a quantised one. `tensor` is its name: "input 0".
void RequirePlainType(const TensorInfo& info, DataType wanted, const std::string& tensor,
                      Refusal& refusal);

/// Refuses an output that is not float32, or quantised.
void RequireFloat32Output(const Layer& layer, std::uint32_t index, Refusal& refusal);

/// Refuses an axis that the shape of input 0 does not have; false then.
bool RequireAxis(const Layer& layer, std::uint32_t axis, Refusal& refusal);

/// Refuses a flag of a descriptor that is neither 0 nor 1.
void RequireFlag(const char* name, std::uint32_t value, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
