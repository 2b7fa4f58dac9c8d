// SPDX-License-Identifier: Apache-2.0
#include "agent/core/selector.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fairsched::core {
namespace {

using ::testing::HasSubstr;

TEST(SelectorTest, NamesThatOtherSystemsGiveAreAllowed) {
  const std::vector<Selector> good = {
      UidSelector(0),
      UidSelector(kMaxUid),
      LoginSelector("alice"),
      LoginSelector("a@b.c"),
      LoginSelector("DOM\\u"),
      LoginSelector("o'neil"),
      LoginSelector("domain users"),
      LoginSelector(std::string(256, 'x')),
      UnitSelector("nginx.service"),
      UnitSelector("getty@tty1.service"),
      UnitSelector("a-b-c.slice"),
      UnitSelector("dev-disk-by\\x2dlabel-x.swap"),
      UnitSelector("session-4.scope"),
      UnixGroupSelector("domain users"),
      CgroupSelector("machine.slice"),
      CgroupSelector("machine.slice/*.scope"),
      CgroupSelector("kubepods.slice/kubepods-pod?.slice/a b\"c"),
  };
  for (const Selector& selector : good)
    EXPECT_EQ(ProblemOf(selector), "") << TextOf(selector);
}

TEST(SelectorTest, TheRestIsRefusedWithTheValue) {
  struct Case {
    Selector selector;
    std::string says;
  };
  const std::vector<Case> bad = {
      {UidSelector(-1), "-1 is not in 0..4294967294"},
      {UidSelector(kMaxUid + 1), "4294967295"},
      {LoginSelector(""), "is empty"},
      {LoginSelector("../x"), "'../x'"},
      {LoginSelector("-x"), "'-x'"},
      {LoginSelector("a:b"), "'a:b'"},
      {LoginSelector(" a"), "' a'"},
      {LoginSelector("a\nb"), "'a\\nb'"},
      {LoginSelector(std::string(257, 'x')), "257 bytes, more than 256"},
      {UnixGroupSelector(""), "is empty"},
      {UnixGroupSelector("a:b"), "'a:b' is no name of a unix group"},
      {UnixGroupSelector(std::string(257, 'x')), "more than 256"},
      {UnitSelector("nginx"), "'nginx'"},
      {UnitSelector(".service"), "'.service'"},
      {UnitSelector("a/b.service"), "'a/b.service'"},
      {UnitSelector("a b.service"), "'a b.service'"},
      {UnitSelector("x.timer"), "'x.timer'"},
      {UnitSelector("-.slice"), "'-.slice'"},
      {UnitSelector("a--b.slice"), "'a--b.slice'"},
      {UnitSelector("a-.slice"), "'a-.slice'"},
      {UnitSelector("getty@.service"), "template"},
      {UnitSelector(std::string(248, 'x') + ".service"), "more than 255"},
      {CgroupSelector(""), "is empty"},
      {CgroupSelector("/a"), "'/a'"},
      {CgroupSelector("a/"), "'a/'"},
      {CgroupSelector("a//b"), "'a//b'"},
      {CgroupSelector("a/../b"), "'a/../b'"},
      {CgroupSelector("./a"), "'./a'"},
      {CgroupSelector("a/**"), "'a/**'"},
      {CgroupSelector(std::string("a\0b", 3)), "a\\000b"},
      {CgroupSelector("a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q"), "17 levels"},
      {CgroupSelector(std::string(1025, 'x')), "more than 1024"},
  };
  for (const Case& each : bad)
    EXPECT_THAT(ProblemOf(each.selector), HasSubstr(each.says));
}

}  // namespace
}  // namespace fairsched::core
