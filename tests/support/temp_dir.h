// SPDX-License-Identifier: Apache-2.0
#ifndef FAIRSCHED_TESTS_SUPPORT_TEMP_DIR_H_
#define FAIRSCHED_TESTS_SUPPORT_TEMP_DIR_H_

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "gtest/gtest.h"

namespace fairsched::testing {

// A new directory that goes with the test.
class TempDir {
 public:
  TempDir() : path_(::testing::TempDir() + "fairsched-XXXXXX") {
    EXPECT_NE(mkdtemp(path_.data()), nullptr) << path_;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  std::string operator/(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

}  // namespace fairsched::testing

#endif  // FAIRSCHED_TESTS_SUPPORT_TEMP_DIR_H_
