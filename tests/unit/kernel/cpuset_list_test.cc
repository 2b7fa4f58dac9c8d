// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/cpuset_list.h"

#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

TEST(CountCpusTest, CountsNumbersAndRanges) {
  EXPECT_EQ(CountCpus("0-1\n").value(), 2);
  EXPECT_EQ(CountCpus("0\n").value(), 1);
  EXPECT_EQ(CountCpus("0-3,8-11\n").value(), 8);
  EXPECT_EQ(CountCpus("1,3,5-7").value(), 5);
  EXPECT_EQ(CountCpus("0-255\r\n").value(), 256);
}

TEST(CountCpusTest, AnEmptyListNamesNone) {
  EXPECT_EQ(CountCpus("").value(), 0);
  EXPECT_EQ(CountCpus("\n").value(), 0);
}

TEST(CountCpusTest, RefusesWhatIsNoListInRisingOrder) {
  for (const std::string& text :
       {std::string("-"), std::string("0-"), std::string("-3"),
        std::string("3-0"), std::string("1,1"), std::string("4,2"),
        std::string("0-3,2-5"), std::string("0,,2"), std::string("0,"),
        std::string("a-b"), std::string("0 1"), std::string("0-9999999999999"),
        std::string(10000, '1')}) {
    const absl::Status status = CountCpus(text).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_LT(status.message().size(), 200u);
  }
}

}  // namespace
}  // namespace fairsched::kernel
