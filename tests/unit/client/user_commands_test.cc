// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "client/time.h"
#include "gmock/gmock.h"
#include "tests/unit/client/fairctl_fixture.h"

namespace fairsched::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using UserCommandsTest = FairctlTest;

v1::User DefinedUser(const std::string& name) {
  v1::User user;
  user.set_name(name);
  user.set_shares(200);
  return user;
}

v1::UserUsage UsageOf(const std::string& name) {
  v1::UserUsage usage;
  usage.set_user(name);
  usage.set_state(v1::UserUsage::STATE_RUNNING);
  usage.set_shares(100);
  usage.set_cpus(1.5);
  usage.set_entitlement_cpus(1);
  *usage.mutable_balance() = ToProto(absl::Milliseconds(250));
  usage.set_reason("has tokens");
  return usage;
}

TEST_F(UserCommandsTest, SetNamesInTheMaskWhatWasGivenAndNothingElse) {
  EXPECT_EQ(Run({"user", "set", "alice", "--shares", "200"}), ExitCode::kDone);

  const v1::UpdateUserRequest& request = daemon_.update_user;
  EXPECT_EQ(request.user().name(), "users/alice");
  EXPECT_EQ(request.user().shares(), 200);
  EXPECT_THAT(request.update_mask().paths(), ElementsAre("shares"));
  EXPECT_TRUE(request.allow_missing());
}

TEST_F(UserCommandsTest, SetCarriesEveryOption) {
  EXPECT_EQ(Run({"user", "set", "users/alice", "--shares", "1", "--uid", "1001",
                 "--uid", "1002,1003", "--exempt", "--expand", "--display-name",
                 "Alice A.", "--etag", "e1"}),
            ExitCode::kDone);

  const v1::UpdateUserRequest& request = daemon_.update_user;
  EXPECT_EQ(request.user().name(), "users/alice");
  std::vector<int64_t> uids;
  for (const v1::Selector& selector : request.user().selectors()) {
    uids.push_back(selector.uid());
  }
  EXPECT_THAT(uids, ElementsAre(1001, 1002, 1003));
  EXPECT_TRUE(request.user().exempt());
  EXPECT_TRUE(request.user().expand());
  EXPECT_EQ(request.user().display_name(), "Alice A.");
  EXPECT_EQ(request.user().etag(), "e1");
  EXPECT_THAT(
      request.update_mask().paths(),
      ElementsAre("shares", "selectors", "exempt", "expand", "display_name"));
}

TEST_F(UserCommandsTest, ALimitIsAllOfItAndStealAloneIsNot) {
  EXPECT_EQ(Run({"user", "set", "alice", "--limit", "0.5cpu", "--burst", "20ms",
                 "--nice", "-10", "--group", "staff"}),
            ExitCode::kDone);
  EXPECT_THAT(daemon_.update_user.update_mask().paths(),
              ElementsAre("limit", "nice", "group"));
  EXPECT_EQ(daemon_.update_user.user().limit().millicpus(), 500);
  EXPECT_EQ(daemon_.update_user.user().limit().burst().nanos(), 20'000'000);
  EXPECT_EQ(daemon_.update_user.user().nice(), -10);
  EXPECT_EQ(daemon_.update_user.user().group(), "groups/staff");

  EXPECT_EQ(
      Run({"user", "set", "alice", "--steal", "unlimited", "--group", "root"}),
      ExitCode::kDone);
  EXPECT_THAT(daemon_.update_user.update_mask().paths(),
              ElementsAre("limit.steal", "group"));
  EXPECT_TRUE(daemon_.update_user.user().limit().steal().has_unlimited());
  EXPECT_EQ(daemon_.update_user.user().group(), "");

  EXPECT_EQ(Run({"user", "set", "alice", "--limit", "nan"}), ExitCode::kUsage);
  EXPECT_THAT(err(), HasSubstr("'nan' is no limit"));
}

TEST_F(UserCommandsTest, SelectorsOfEveryKindMayBeGivenTogether) {
  EXPECT_EQ(Run({"user", "set", "web", "--unit", "nginx.service", "--login",
                 "www,data", "--cgroup", "a/*", "--cgroup", "b", "--uid", "33",
                 "--unix-group", "domain users"}),
            ExitCode::kDone);

  const v1::User& user = daemon_.update_user.user();
  ASSERT_EQ(user.selectors_size(), 6);
  EXPECT_EQ(user.selectors(0).uid(), 33);
  EXPECT_EQ(user.selectors(1).login(), "www,data");
  EXPECT_EQ(user.selectors(2).unix_group(), "domain users");
  EXPECT_EQ(user.selectors(3).unit(), "nginx.service");
  EXPECT_EQ(user.selectors(4).cgroup(), "a/*");
  EXPECT_EQ(user.selectors(5).cgroup(), "b");
  EXPECT_THAT(daemon_.update_user.update_mask().paths(),
              ElementsAre("selectors"));
}

TEST_F(UserCommandsTest, GetShowsEveryKindOfSelectorThatThereIs) {
  daemon_.updated_user = DefinedUser("users/web");
  daemon_.updated_user.add_selectors()->set_unit("nginx.service");
  daemon_.updated_user.add_selectors()->set_cgroup("a/*");
  daemon_.updated_user.add_selectors()->set_cgroup("b");

  EXPECT_EQ(Run({"user", "get", "web"}), ExitCode::kDone);
  EXPECT_THAT(out(), HasSubstr("units    nginx.service\n"
                               "cgroups  a/*  b\n"));
  EXPECT_THAT(out(), Not(HasSubstr("uids")));
}

TEST_F(UserCommandsTest, AnEtagForbidsToMakeTheUserAnew) {
  Run({"user", "set", "alice", "--shares", "1", "--etag", "e1"});

  EXPECT_FALSE(daemon_.update_user.allow_missing());
}

TEST_F(UserCommandsTest, ExemptFalseIsSentAsAChange) {
  EXPECT_EQ(Run({"user", "set", "alice", "--exempt=false"}), ExitCode::kDone);

  EXPECT_FALSE(daemon_.update_user.user().exempt());
  EXPECT_THAT(daemon_.update_user.update_mask().paths(), ElementsAre("exempt"));
}

TEST_F(UserCommandsTest, DefaultSharesAreAMaskWithoutAValue) {
  EXPECT_EQ(Run({"user", "set", "alice", "--shares", "default"}),
            ExitCode::kDone);

  EXPECT_FALSE(daemon_.update_user.user().has_shares());
  EXPECT_THAT(daemon_.update_user.update_mask().paths(), ElementsAre("shares"));
}

TEST_F(UserCommandsTest, SetWithNothingGivenSendsNoMask) {
  EXPECT_EQ(Run({"user", "set", "uid-1001"}), ExitCode::kDone);

  EXPECT_EQ(daemon_.update_user.user().name(), "users/uid-1001");
  EXPECT_FALSE(daemon_.update_user.has_update_mask());
}

TEST_F(UserCommandsTest, AUserMayBeCalledLikeACommand) {
  EXPECT_EQ(Run({"user", "set", "status", "--shares", "5"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.update_user.user().name(), "users/status");

  EXPECT_EQ(Run({"explain", "user"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.explain_user.name(), "users/user");
}

TEST_F(UserCommandsTest, GetShowsTheDefinition) {
  daemon_.updated_user = DefinedUser("users/alice");
  daemon_.updated_user.add_selectors()->set_uid(1001);
  daemon_.updated_user.set_etag("e1");

  EXPECT_EQ(Run({"user", "get", "alice"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.get_user.name(), "users/alice");
  EXPECT_EQ(out(),
            "user    alice\n"
            "uids    1001\n"
            "shares  200\n"
            "exempt  no\n"
            "etag    e1\n");
}

TEST_F(UserCommandsTest, DeleteSendsTheEtag) {
  EXPECT_EQ(Run({"user", "delete", "alice", "--etag", "e1"}), ExitCode::kDone);

  EXPECT_EQ(daemon_.delete_user.name(), "users/alice");
  EXPECT_EQ(daemon_.delete_user.etag(), "e1");
  EXPECT_EQ(out(), "deleted alice\n");
}

TEST_F(UserCommandsTest, ListMergesDefinitionsAndUsageInOrderOfName) {
  daemon_.users = {DefinedUser("users/alice"), DefinedUser("users/carol")};
  daemon_.usages = {UsageOf("users/alice"), UsageOf("users/uid-1002")};

  EXPECT_EQ(Run({"user", "list"}), ExitCode::kDone);
  EXPECT_EQ(
      out(),
      "USER      SHARES  STATE     CPU  SHARE  BALANCE  SOURCE    REASON\n"
      "alice        100  running  1.50   1.00   0.250s  api       has tokens\n"
      "carol        200  absent   0.00   0.00   0.000s  api\n"
      "uid-1002     100  running  1.50   1.00   0.250s  implicit  has "
      "tokens\n");
}

TEST_F(UserCommandsTest, ListFetchesEveryPage) {
  for (const std::string name : {"users/a", "users/b", "users/c"}) {
    daemon_.users.push_back(DefinedUser(name));
    daemon_.usages.push_back(UsageOf(name));
  }
  daemon_.users_per_page = 2;

  EXPECT_EQ(Run({"user", "list", "--no-headers"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.list_calls, 4);
  EXPECT_THAT(out(), HasSubstr("\nc  "));
}

TEST_F(UserCommandsTest, ListAsJsonIsOneObject) {
  daemon_.users = {DefinedUser("users/alice")};
  daemon_.usages = {UsageOf("users/alice"), UsageOf("users/uid-1002")};

  EXPECT_EQ(Run({"user", "list", "-o", "json"}), ExitCode::kDone);
  EXPECT_THAT(out(), HasSubstr(R"({"users":[)"));
  EXPECT_THAT(out(), HasSubstr(R"("definition":{"name":"users/alice")"));
  EXPECT_THAT(out(), HasSubstr(R"({"usage":{"user":"users/uid-1002")"));
  EXPECT_THAT(out(), HasSubstr(R"("balance":"0.250s")"));
  EXPECT_THAT(out(), ::testing::EndsWith("]}\n"));
}

TEST_F(UserCommandsTest, AnEmptyListIsStillAnObject) {
  EXPECT_EQ(Run({"user", "list", "-o", "json"}), ExitCode::kDone);
  EXPECT_EQ(out(), "{\"users\":[\n]}\n");
}

TEST_F(UserCommandsTest, NamesFromTheDaemonAreSanitised) {
  daemon_.usages = {UsageOf("users/\x1b[31mroot")};

  EXPECT_EQ(Run({"user", "list", "--no-headers"}), ExitCode::kDone);
  EXPECT_THAT(out(), HasSubstr("?[31mroot"));
  EXPECT_EQ(out().find('\x1b'), std::string::npos);
}

TEST_F(UserCommandsTest, AListFitsTheTerminal) {
  daemon_.usages = {UsageOf("users/alice")};
  daemon_.usages[0].set_reason(std::string(200, 'x'));
  terminal_size_ = {.columns = 80, .lines = 24};

  EXPECT_EQ(Run({"user", "list", "--no-headers"}), ExitCode::kDone);
  EXPECT_EQ(out().size(), 81U);
}

TEST_F(UserCommandsTest, ExplainShowsTheSentences) {
  daemon_.explanation.mutable_usage()->set_user("users/alice");
  daemon_.explanation.mutable_usage()->set_state(v1::UserUsage::STATE_HELD);
  daemon_.explanation.add_lines("It used 2 s of 1 s.");
  daemon_.explanation.add_lines("bob waits.");

  EXPECT_EQ(Run({"explain", "alice"}), ExitCode::kDone);
  EXPECT_EQ(daemon_.explain_user.name(), "users/alice");
  EXPECT_EQ(out(), "alice: held\nIt used 2 s of 1 s.\nbob waits.\n");
  EXPECT_THAT(err(), IsEmpty());
}

}  // namespace
}  // namespace fairsched::client
