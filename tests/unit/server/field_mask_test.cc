// SPDX-License-Identifier: Apache-2.0
#include "server/field_mask.h"

#include "gtest/gtest.h"

namespace fairsched::server {
namespace {

google::protobuf::FieldMask Mask(const std::vector<std::string>& paths) {
  google::protobuf::FieldMask mask;
  for (const std::string& path : paths) mask.add_paths(path);
  return mask;
}

const MaskFields kFields = {.allowed = {"shares", "exempt"},
                            .populated = {"shares"}};

TEST(FieldMaskTest, AnEmptyMaskMeansWhatIsPopulated) {
  EXPECT_EQ(ResolveMask(Mask({}), kFields).value(), FieldSet({"shares"}));
}

TEST(FieldMaskTest, ANamedFieldIsMeantWhetherPopulatedOrNot) {
  EXPECT_EQ(ResolveMask(Mask({"exempt"}), kFields).value(),
            FieldSet({"exempt"}));
}

TEST(FieldMaskTest, AStarMeansAll) {
  EXPECT_EQ(ResolveMask(Mask({"*"}), kFields).value(),
            FieldSet({"exempt", "shares"}));
}

TEST(FieldMaskTest, AnUnknownPathIsNamedTogetherWithTheKnownOnes) {
  const auto fields = ResolveMask(Mask({"shares", "etag"}), kFields);
  EXPECT_EQ(fields.status().message(),
            "update_mask: 'etag' is not one of shares, exempt, *");
}

}  // namespace
}  // namespace fairsched::server
