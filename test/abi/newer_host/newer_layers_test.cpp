// What a host of the next minor version of the Backend API says in place of a backend that is built
// with today's headers, and so cannot see that a layer asks for more.

#include "placement/backend_age.hpp"

#include <backplane/api/layer_type.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace backplane::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr BackendVersion kNewer = kBackendApiVersion;
constexpr BackendVersion kOlder{kNewer.major, kNewer.minor - 1};

class NewerLayers : public ::testing::Test {
 protected:
  std::optional<std::string> Ask(BackendVersion declared) const {
    const TensorInfo* const input = &input_;
    const TensorInfo* const output = &output_;
    LayerSupportQuery query;
    query.layer_type = type_;
    query.descriptor = &descriptor_;
    query.inputs = &input;
    query.outputs = &output;
    query.num_inputs = query.num_outputs = 1;
    return RefuseWhatIsNewer(query, declared);
  }

  void ExpectRefused(const std::string& what) const {
    const auto since = std::to_string(kNewer.major) + "." + std::to_string(kNewer.minor);
    const auto built_with = std::to_string(kOlder.major) + "." + std::to_string(kOlder.minor);
    EXPECT_THAT(Ask(kOlder), Optional(what + " exists since Backend API " + since +
                                      ", but the backend was built with " + built_with));
    EXPECT_EQ(Ask(kNewer), std::nullopt);
  }

  LayerType type_ = LayerType::kActivation;
  ActivationDescriptor descriptor_;
  TensorInfo input_{{2, 3}, DataType::kFloat32};
  TensorInfo output_{{2, 3}, DataType::kFloat32};
};

TEST_F(NewerLayers, AreAskedAboutWhenNothingIsNew) {
  EXPECT_EQ(Ask(kOlder), std::nullopt);
  EXPECT_EQ(Ask(kNewer), std::nullopt);
}

TEST_F(NewerLayers, AreRefusedForTheOperator) {
  type_ = LayerType::kAdded;
  ExpectRefused("Added");
}

TEST_F(NewerLayers, AreRefusedForAFieldThatIsNotAtItsDefault) {
  descriptor_.gamma = 2.0F;
  ExpectRefused("field gamma of ActivationDescriptor, which is not at its default,");
}

TEST_F(NewerLayers, AreRefusedForAValue) {
  descriptor_.function = ActivationFunction::kAdded;
  ExpectRefused("ActivationFunction::kAdded as function of ActivationDescriptor");
}

TEST_F(NewerLayers, AreRefusedForADataTypeOfAnyTensor) {
  input_.data_type = DataType::kAdded;
  ExpectRefused("data type added");
  input_.data_type = DataType::kFloat32;
  output_.data_type = DataType::kAdded;
  ExpectRefused("data type added");
}

}  // namespace
}  // namespace backplane::test
