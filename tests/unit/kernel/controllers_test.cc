// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/controllers.h"

#include <string>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

TEST(ListsControllerTest, FindsItAnywhereInTheList) {
  for (const char* text :
       {"cpu", "cpu\n", "cpuset cpu io memory\n", "memory cpu\r\n", "io cpu"}) {
    EXPECT_TRUE(ListsController(text, "cpu")) << text;
  }
}

TEST(ListsControllerTest, AnotherWithTheSameStartIsNotIt) {
  for (const char* text : {"", "\n", "cpuset io\n", "xcpu", "CPU", "cp u"}) {
    EXPECT_FALSE(ListsController(text, "cpu")) << text;
  }
  EXPECT_FALSE(ListsController(std::string(10000, 'c'), "cpu"));
}

}  // namespace
}  // namespace fairsched::kernel
