#include "placement/backend_age.hpp"

#include <backplane/api/layer_type.hpp>

#include <cstring>
#include <type_traits>

namespace backplane {

namespace {

std::string ToText(BackendVersion version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

/// The first thing that a backend of one version does not know.
class FirstUnknown {
 public:
  explicit FirstUnknown(BackendVersion declared) : declared_(declared) {}

  void Find(const std::string& what, BackendVersion since) {
    if (reason_ || since <= declared_) return;
    reason_ = what + " exists since Backend API " + ToText(since) +
              ", but the backend was built with " + ToText(declared_);
  }

  void FindType(const TensorInfo& info) {
#define BACKPLANE_DATA_TYPE(name, number, size, text, major, minor) \
  if (info.data_type == DataType::k##name) Find("data type " text, {major, minor});
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
  }

  template <typename Type>
  void FindIn(const Type& descriptor) {
    [[maybe_unused]] const Type defaults;
#define BACKPLANE_ADDED_FIELD(type, field, major, minor)                                   \
  if constexpr (std::is_same_v<Type, type>) {                                              \
    if (std::memcmp(&descriptor.field, &defaults.field, sizeof(descriptor.field)) != 0) {  \
      Find("field " #field " of " #type ", which is not at its default,", {major, minor}); \
    }                                                                                      \
  }
#define BACKPLANE_ADDED_VALUE(type, field, value, major, minor)                             \
  if constexpr (std::is_same_v<Type, type>) {                                               \
    if (descriptor.field == value) Find(#value " as " #field " of " #type, {major, minor}); \
  }
#include <backplane/api/additions.def>
#undef BACKPLANE_ADDED_VALUE
#undef BACKPLANE_ADDED_FIELD
    static_cast<void>(descriptor);
  }

  const std::optional<std::string>& GetReason() const {
    return reason_;
  }

 private:
  BackendVersion declared_;
  std::optional<std::string> reason_;
};

void FindInDescriptor(const LayerSupportQuery& query, FirstUnknown& search) {
  switch (query.layer_type) {
    case LayerType::kUndefined:
      return;
#define BACKPLANE_CORE_LAYER(...) BACKPLANE_OPERATOR(__VA_ARGS__)
#define BACKPLANE_OPERATOR(name, number, major, minor, least_in, most_in, least_out, most_out, \
                           type, ...)                                                          \
  case LayerType::k##name:                                                                     \
    return search.FindIn(CopyDescriptor<type>(*query.descriptor));
#include <backplane/api/layers.def>
#undef BACKPLANE_OPERATOR
#undef BACKPLANE_CORE_LAYER
  }
}

}  // namespace

std::optional<std::string> RefuseWhatIsNewer(const LayerSupportQuery& query,
                                             BackendVersion declared) {
  // All that there is was there when the backend was built.
  if (kBackendApiVersion <= declared) return std::nullopt;
  FirstUnknown search(declared);
  search.Find(GetLayerTypeName(query.layer_type), FindLayerTypeInfo(query.layer_type)->since);
  for (std::uint32_t i = 0; i < query.num_inputs; ++i) search.FindType(*query.inputs[i]);
  for (std::uint32_t i = 0; i < query.num_outputs; ++i) search.FindType(*query.outputs[i]);
  FindInDescriptor(query, search);
  return search.GetReason();
}

}  // namespace backplane
