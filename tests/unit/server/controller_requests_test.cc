// SPDX-License-Identifier: Apache-2.0
#include "server/controller_requests.h"

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/fake_clock.h"

namespace fairsched::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ControllerRequestsTest : public ::testing::Test {
 protected:
  // Seconds from now, of the next `seconds`, at which it asked.
  std::vector<int> AskedIn(int seconds, int64_t without) {
    std::vector<int> asked;
    for (int i = 0; i < seconds; ++i) {
      clock_.Advance(absl::Seconds(1));
      if (requests_.Update(without).has_value()) asked.push_back(i + 1);
    }
    return asked;
  }

  testing::FakeClock clock_;
  absl::Status answer_;
  int asked_ = 0;
  ControllerRequests requests_{clock_, [this] {
                                 ++asked_;
                                 return answer_;
                               }};
};

TEST_F(ControllerRequestsTest, AsksNobodyWhileTheControllerIsOn) {
  EXPECT_THAT(AskedIn(1000, 0), IsEmpty());
  EXPECT_EQ(asked_, 0);
}

TEST_F(ControllerRequestsTest, AsksEverMoreRarelyWhileItIsOff) {
  EXPECT_THAT(AskedIn(100, 2), ElementsAre(4, 10, 22, 46, 94));
  EXPECT_EQ(asked_, 5);
}

TEST_F(ControllerRequestsTest, AsksEveryFewMinutesInTheEnd) {
  AskedIn(10'000, 1);
  EXPECT_THAT(AskedIn(300, 1).size(), 1);
}

TEST_F(ControllerRequestsTest, IsPatientAnewWhenItWasBack) {
  AskedIn(100, 1);
  AskedIn(1, 0);
  EXPECT_THAT(AskedIn(5, 1), ElementsAre(4));
}

TEST_F(ControllerRequestsTest, LeavesAloneWhatIsBackSoon) {
  EXPECT_THAT(AskedIn(2, 1), IsEmpty());
  EXPECT_THAT(AskedIn(100, 0), IsEmpty());
}

TEST_F(ControllerRequestsTest, SaysHowAskingWentAndAsksAgain) {
  answer_ = absl::PermissionDeniedError("no");
  AskedIn(3, 1);
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(requests_.Update(1), std::optional<absl::Status>(answer_));
  EXPECT_THAT(AskedIn(6, 1), ElementsAre(6));
}

TEST(ControllerRequestsWithoutManagerTest, AsksNobody) {
  testing::FakeClock clock;
  ControllerRequests requests(clock, nullptr);
  requests.Update(1);
  clock.Advance(absl::Hours(1));
  EXPECT_EQ(requests.Update(1), std::nullopt);
}

}  // namespace
}  // namespace fairsched::server
