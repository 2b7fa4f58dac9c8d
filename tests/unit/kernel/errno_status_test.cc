// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel/errno_status.h"

#include <cerrno>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

struct Case {
  const char* name;
  int error;
  absl::StatusCode code;
};
class ErrnoStatusTest : public ::testing::TestWithParam<Case> {};

TEST_P(ErrnoStatusTest, HasTheCodeThatSaysWhatToDo) {
  const absl::Status status = ErrnoStatus(GetParam().error, "read", "/a");
  EXPECT_EQ(status.code(), GetParam().code);
  EXPECT_THAT(std::string(status.message()),
              ::testing::HasSubstr(GetParam().name));
}

INSTANTIATE_TEST_SUITE_P(
    Errors, ErrnoStatusTest,
    ::testing::Values(
        Case{"ENOENT", ENOENT, absl::StatusCode::kNotFound},
        Case{"ENODEV", ENODEV, absl::StatusCode::kNotFound},
        Case{"ESRCH", ESRCH, absl::StatusCode::kNotFound},
        Case{"EACCES", EACCES, absl::StatusCode::kPermissionDenied},
        Case{"EPERM", EPERM, absl::StatusCode::kPermissionDenied},
        Case{"EROFS", EROFS, absl::StatusCode::kFailedPrecondition},
        Case{"EINVAL", EINVAL, absl::StatusCode::kInvalidArgument},
        Case{"ERANGE", ERANGE, absl::StatusCode::kInvalidArgument},
        Case{"EBUSY", EBUSY, absl::StatusCode::kUnavailable},
        Case{"EAGAIN", EAGAIN, absl::StatusCode::kUnavailable},
        Case{"EINTR", EINTR, absl::StatusCode::kUnavailable},
        Case{"EOPNOTSUPP", EOPNOTSUPP, absl::StatusCode::kUnimplemented},
        Case{"EMFILE", EMFILE, absl::StatusCode::kResourceExhausted},
        Case{"ENFILE", ENFILE, absl::StatusCode::kResourceExhausted},
        Case{"ENOSPC", ENOSPC, absl::StatusCode::kResourceExhausted},
        Case{"ENOMEM", ENOMEM, absl::StatusCode::kResourceExhausted},
        Case{"EIO", EIO, absl::StatusCode::kInternal}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(ErrnoStatusTest, NamesOperationValueObjectAndCause) {
  EXPECT_EQ(ErrnoStatus(EINVAL, WriteOperation("0"), "/a/cpu.weight").message(),
            "write '0' to /a/cpu.weight: Invalid argument (EINVAL)");
}

TEST(ErrnoStatusTest, AnUnknownErrnoIsShownByNumber) {
  const absl::Status status = ErrnoStatus(4000, "read", "/a");
  EXPECT_TRUE(absl::IsInternal(status));
  EXPECT_THAT(std::string(status.message()),
              ::testing::HasSubstr("(errno 4000)"));
}

TEST(ErrnoStatusTest, AWrittenTextIsShownOnOneShortLine) {
  EXPECT_EQ(WriteOperation("+cpu\n"), "write '+cpu\\n' to");
  EXPECT_LT(WriteOperation(std::string(10000, 'x')).size(), 50u);
}

}  // namespace
}  // namespace fairsched::kernel
