// SPDX-License-Identifier: Apache-2.0
// This machine's own kernel tells of changed uids.
#include "agent/kernel/process_events.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "gtest/gtest.h"

namespace fairsched::kernel {
namespace {

TEST(ProcessEventsTest, TellsOfAProcessThatChangesItsUid) {
  absl::StatusOr<std::unique_ptr<ProcessEvents>> events = OpenProcessEvents();
  if (!events.ok()) GTEST_SKIP() << events.status().message();
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to change a uid";

  const pid_t child = fork();
  if (child == 0) _exit(setuid(60600) == 0 ? 0 : 1);
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);

  bool seen = false;
  while (!seen) {
    const absl::StatusOr<ProcessHints> hints = (*events)->Wait();
    ASSERT_TRUE(hints.ok()) << hints.status();
    seen = hints->lost || std::ranges::count(hints->uid_changed, child) > 0;
  }
  EXPECT_TRUE(seen);
}

TEST(ProcessEventsTest, AnInterruptEndsTheWait) {
  absl::StatusOr<std::unique_ptr<ProcessEvents>> events = OpenProcessEvents();
  if (!events.ok()) GTEST_SKIP() << events.status().message();
  (*events)->Interrupt();
  EXPECT_TRUE((*events)->Wait().ok());
  (*events)->Rest(absl::Hours(1));
}

}  // namespace
}  // namespace fairsched::kernel
